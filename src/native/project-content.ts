import type { Wire } from '../core/content.js';

/** What the revision in question can carry: its place in the order, and the places where kinds of content came in. */
export interface ContentLimits {
  readonly at: number;
  readonly STREAMABLE: number;
  readonly STRUCTURED: number;
  readonly ICONS: number;
}

/**
 * One block of content as an older revision can say it. Clients refuse kinds of blocks that they do not know, so a link
 * becomes the text of it before 2025-06-18, and sound becomes a note before 2025-03-26.
 */
export function projectContent(block: Wire, { at, STREAMABLE, STRUCTURED, ICONS }: ContentLimits): Wire {
  const type = block['type'];
  if (at < STREAMABLE && type === 'audio') {
    const bytes = Math.floor((String(block['data']).length * 3) / 4);
    return plain(
      {
        type: 'text',
        text: `[${String(block['mimeType'])}, about ${bytes} bytes: this client's protocol version carries no sound]`,
      },
      block,
    );
  }
  if (type === 'resource_link') {
    if (at < STRUCTURED) return plain({ type: 'text', text: linkText(block) }, block);
    if (at < ICONS && 'icons' in block) return omit(block, 'icons');
    return block;
  }
  if (at >= STRUCTURED) return block;
  const projected = '_meta' in block ? omit(block, '_meta') : block;
  const resource = projected['resource'] as Wire | undefined;
  const bare =
    resource !== undefined && '_meta' in resource ? { ...projected, resource: omit(resource, '_meta') } : projected;
  return 'annotations' in bare ? plain(omit(bare, 'annotations'), block) : bare;
}

function linkText(block: Wire): string {
  const { uri, name, title, description } = block as {
    uri: string;
    name: string;
    title?: string;
    description?: string;
  };
  return `${title ?? name}: ${uri}${description === undefined ? '' : ` (${description})`}`;
}

/** The annotations of `source`, without what came later, on `target`. */
function plain(target: Wire, source: Wire): Wire {
  const annotations = source['annotations'] as Wire | undefined;
  return annotations === undefined ? target : { ...target, annotations: omit(annotations, 'lastModified') };
}

function omit(wire: Wire, key: string): Wire {
  return Object.fromEntries(Object.entries(wire).filter(([name]) => name !== key));
}
