import { IsOptional, IsString } from 'class-validator';
import { deriveHints, type Capability } from '../../../src/core/capabilities.js';
import {
  AudioContent,
  BlobResourceContents,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
  TextResourceContents,
} from '../../../src/core/content.js';
import { ToolResult } from '../../../src/core/tool-result.js';
import { PromptMessage, PromptResult } from '../../../src/core/prompt-result.js';
import { PromptSpec } from '../../../src/registry/prompt-spec.js';
import { ResourceSpec, ResourceTemplateSpec } from '../../../src/registry/resource-spec.js';
import { ToolSpec } from '../../../src/registry/tool-spec.js';

const nothing = (): void => undefined;

class WorkspaceStatus {
  @IsOptional()
  @IsString()
  active: string | null = null;
}

class GapArguments {
  /** Framework, e.g. CIS-AWS. */
  @IsString()
  framework!: string;

  /** Dataset name; empty = active dataset. */
  @IsOptional()
  @IsString()
  dataset?: string;
}

describe('definitions on the wire', () => {
  test('a tool', () => {
    const spec = new ToolSpec(
      {
        name: 'workspace_status',
        description: 'Show what is loaded.',
        title: 'Workspace status',
        category: 'workspace',
        sensitivity: 'internal',
        tags: ['start-here'],
        capabilities: ['read_state'],
        output: WorkspaceStatus,
      },
      nothing,
    );
    const wire = {
      name: 'workspace_status',
      description: 'Show what is loaded.',
      inputSchema: { additionalProperties: false, properties: {}, type: 'object' },
      outputSchema: {
        type: 'object',
        properties: { active: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null } },
      },
      annotations: {
        title: 'Workspace status',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      title: 'Workspace status',
      _meta: {
        'cartouche/category': 'workspace',
        'cartouche/sensitivity': 'internal',
        'cartouche/tags': ['start-here'],
      },
    };
    expect(spec.toWire()).toEqual(wire);
    const { outputSchema, ...withheld } = wire;
    expect(spec.toWire({ name: 'estate_workspace_status', includeOutputSchema: false })).toEqual({
      ...withheld,
      name: 'estate_workspace_status',
    });
  });

  test('a resource', () => {
    const options = {
      uri: 'estate://workspace',
      name: 'workspace_resource',
      description: 'Loaded datasets.',
      title: 'Workspace',
    };
    const spec = new ResourceSpec({ ...options, category: 'workspace', sensitivity: 'internal' }, nothing);
    expect(spec.toWire()).toEqual({
      ...options,
      mimeType: 'application/json',
      _meta: { 'cartouche/category': 'workspace', 'cartouche/sensitivity': 'internal' },
    });
  });

  test('a resource template', () => {
    const options = { uriTemplate: 'estate://assets/{+ref}', name: 'asset', description: 'One asset.', title: 'Asset' };
    expect(new ResourceTemplateSpec({ ...options, category: 'inventory' }, nothing).toWire()).toEqual({
      ...options,
      mimeType: 'application/json',
      _meta: { 'cartouche/category': 'inventory', 'cartouche/sensitivity': 'confidential' },
    });
  });

  test('a prompt', () => {
    const spec = new PromptSpec(
      {
        name: 'compliance_gap_analysis',
        description: 'Failing controls.',
        title: 'Compliance gap analysis',
        category: 'prompts',
        tags: ['workflow'],
        arguments: GapArguments,
      },
      nothing,
    );
    expect(spec.toWire()).toEqual({
      name: 'compliance_gap_analysis',
      description: 'Failing controls.',
      arguments: [
        { name: 'framework', required: true, description: 'Framework, e.g. CIS-AWS.' },
        { name: 'dataset', required: false, description: 'Dataset name; empty = active dataset.' },
      ],
      title: 'Compliance gap analysis',
      _meta: { 'cartouche/category': 'prompts', 'cartouche/sensitivity': 'internal', 'cartouche/tags': ['workflow'] },
    });
  });

  test('what is empty is left out, but tools and prompts always carry a description', () => {
    const meta = { _meta: { 'example.com/category': 'general', 'example.com/sensitivity': 'confidential', own: 1 } };
    const tool = new ToolSpec({ name: 'a', meta: { own: 1 } }, nothing).toWire({ metaPrefix: 'example.com/' });
    expect(tool).toEqual({
      name: 'a',
      description: '',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      ...meta,
    });
    expect(new PromptSpec({ name: 'p' }, nothing).toWire()).toMatchObject({ name: 'p', description: '' });
    expect(Object.keys(new ResourceSpec({ uri: 'a:b', name: 'r' }, nothing).toWire())).toEqual([
      'uri',
      'name',
      'mimeType',
      '_meta',
    ]);
  });

  test('an exposed name is held to the pattern again', () => {
    const spec = new ToolSpec({ name: 'x'.repeat(128) }, nothing);
    expect(() => spec.toWire({ name: `a_${spec.name}` })).toThrow(
      "is not a valid name. Use 1 to 128 of 'A-Z a-z 0-9 _ . -'.",
    );
  });
});

describe('content and results on the wire', () => {
  test.each([
    [new TextContent('a'), { type: 'text', text: 'a' }],
    [
      new TextContent('a', { annotations: { audience: ['user'], priority: 1 }, meta: { x: 1 } }),
      { type: 'text', text: 'a', annotations: { audience: ['user'], priority: 1 }, _meta: { x: 1 } },
    ],
    [new TextContent('a', { annotations: {} }), { type: 'text', text: 'a' }],
    [
      new ImageContent(Uint8Array.of(251, 255, 191), 'image/png'),
      { type: 'image', data: '+/+/', mimeType: 'image/png' },
    ],
    [new ImageContent('data:image/gif;base64,R0lG'), { type: 'image', data: 'R0lG', mimeType: 'image/gif' }],
    [new AudioContent('UklG', 'audio/wav'), { type: 'audio', data: 'UklG', mimeType: 'audio/wav' }],
    [new ResourceLink('a:b', 'B'), { type: 'resource_link', uri: 'a:b', name: 'B' }],
    [
      new ResourceLink('a:b', 'B', { title: 'T', description: '', mimeType: 'text/plain', size: 0, icons: [] }),
      { type: 'resource_link', uri: 'a:b', name: 'B', title: 'T', mimeType: 'text/plain', size: 0 },
    ],
    [
      new EmbeddedResource(new TextResourceContents('a:b', 'x', { mimeType: 'text/plain' })),
      { type: 'resource', resource: { uri: 'a:b', mimeType: 'text/plain', text: 'x' } },
    ],
    [
      new EmbeddedResource(
        new BlobResourceContents('a:b', new Uint8Array([1, 2, 251]).subarray(2), { meta: { y: 2 } }),
      ),
      { type: 'resource', resource: { uri: 'a:b', blob: '+w==', _meta: { y: 2 } } },
    ],
  ])('%#', (content, wire) => expect(content.toWire()).toEqual(wire));

  test('an image without a media type says what to pass', () => {
    expect(() => new ImageContent('R0lG')).toThrow("ImageContent: no media type. Pass one, for example 'image/png'.");
  });

  test('a result carries structured content and _meta only when they are set', () => {
    expect(new ToolResult().toWire()).toEqual({ content: [], isError: false });
    expect(ToolResult.error('No.', { code: 1 }).toWire()).toEqual({
      content: [{ type: 'text', text: 'No.' }],
      isError: true,
      _meta: { code: 1 },
    });
    expect(
      ToolResult.text('a')
        .link('a:b', 'B')
        .with({ structuredContent: { x: null } })
        .toWire(),
    ).toEqual({
      content: [
        { type: 'text', text: 'a' },
        { type: 'resource_link', uri: 'a:b', name: 'B' },
      ],
      isError: false,
      structuredContent: { x: null },
    });
  });

  test('a prompt result', () => {
    expect(
      new PromptResult([PromptMessage.user('a'), PromptMessage.assistant(new TextContent('b'))], {
        description: 'd',
      }).toWire(),
    ).toEqual({
      description: 'd',
      messages: [
        { role: 'user', content: { type: 'text', text: 'a' } },
        { role: 'assistant', content: { type: 'text', text: 'b' } },
      ],
    });
  });
});

describe('hints are derived from capabilities', () => {
  const rows: [Capability[], (boolean | undefined)[]][] = [
    [[], [true, false, true, false]],
    [['read_state'], [true, false, true, false]],
    [
      ['read_state', 'write_state'],
      [false, false, undefined, false],
    ],
    [
      ['read_state', 'write_fs'],
      [false, false, undefined, false],
    ],
    [['read_fs'], [true, false, true, false]],
    [['exec'], [false, false, undefined, true]],
    [['cloud_access'], [true, false, undefined, true]],
    [['reveal'], [true, false, true, false]],
  ];

  test.each(rows)('%j', (capabilities, [readOnly, destructive, idempotent, openWorld]) => {
    expect(deriveHints(new Set(capabilities), {})).toEqual({ readOnly, destructive, idempotent, openWorld });
  });

  test('what is declared wins', () => {
    const declared = { readOnly: true, destructive: true, idempotent: false, openWorld: true };
    expect(deriveHints(new Set<Capability>(['exec']), declared)).toEqual(declared);
    expect(deriveHints(new Set<Capability>(['cloud_access']), { idempotent: true }).idempotent).toBe(true);
  });
});
