/** What a tool's or prompt's exposed name may look like. Source: MCP 2025-11-25, "Tool names". */
export const NAME_PATTERN = /^[A-Za-z0-9_.-]{1,128}$/;

/** What a prefix may look like. */
export const PREFIX_PATTERN = /^[A-Za-z0-9_.-]{0,64}$/;

/** `countAssets` → `count_assets`, `parseHTTPBody` → `parse_http_body`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
