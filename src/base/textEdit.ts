/** Replaces the text between two offsets. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Sorts edits by offset and merges adjacent ones, so that their relative order does not matter. */
export function sortAndMergeEdits(edits: readonly TextEdit[]): readonly TextEdit[] {
  const merged: TextEdit[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && last.end === edit.start) {
      merged[merged.length - 1] = { start: last.start, end: edit.end, newText: last.newText + edit.newText };
    } else {
      merged.push(edit);
    }
  }
  return merged;
}

/** Returns the text after edits that do not overlap, in any order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, newText } of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(from, start), newText);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}
