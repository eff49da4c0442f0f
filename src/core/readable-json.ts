/** What ends, hides or turns round a line somewhere, though JSON text may hold it as it is. */
const UNREADABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** JSON text that says the same, with nothing in it that a reader of lines could take for something else. */
export function readableJson(json: string): string {
  // Nearly all lines are plain ASCII, and then there is nothing to look for.
  return /[^ -~]/.test(json) ? json.replace(UNREADABLE, escapeUnits) : json;
}

function escapeUnits(char: string): string {
  let escaped = '';
  for (let i = 0; i < char.length; i++) escaped += `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return escaped;
}
