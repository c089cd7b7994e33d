export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Returns the text after edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, newText } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + newText;
    at = end;
  }
  return result + text.slice(at);
}
