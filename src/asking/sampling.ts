import type { SampleAnswer, SampleContent, SampleMessage, SampleParams } from '../core/asking.js';

/** Since when a message may hold several blocks. Source: MCP 2025-11-25, changelog. */
const MANY_BLOCKS = '2025-11-25';

/** What a client is asked to sample, as its revision has it. */
export function paramsOfSample(asked: SampleParams, version: string): Readonly<Record<string, unknown>> {
  const { messages } = asked;
  const list: readonly SampleMessage[] =
    typeof messages === 'string' ? [{ role: 'user', content: { type: 'text', text: messages } }] : messages;
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), messages: version < MANY_BLOCKS ? list.flatMap(oneBlockEach) : list };
}

function oneBlockEach({ role, content }: SampleMessage): SampleMessage[] {
  return isList(content) ? content.map((block) => ({ role, content: block })) : [{ role, content }];
}

/** A model's answer as it is kept; `undefined` when it is none. */
export function readSample(raw: unknown): SampleAnswer | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { content, model, role, stopReason } = raw as Partial<Record<keyof SampleAnswer, unknown>>;
  if (role !== 'user' && role !== 'assistant') return undefined;
  if (typeof model !== 'string') return undefined;
  if (!(Array.isArray(content) ? content.every(isBlock) : isBlock(content))) return undefined;
  return {
    role,
    content: content as SampleAnswer['content'],
    model,
    ...(typeof stopReason === 'string' ? { stopReason } : {}),
  };
}

function isBlock(value: unknown): value is SampleContent {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

function isList(content: SampleMessage['content']): content is readonly SampleContent[] {
  return Array.isArray(content);
}
