/** A replacement of the text between two offsets. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** An insertion comes before a replacement that begins at its offset. */
const compareEdits = (a: TextEdit, b: TextEdit): number => a.start - b.start || a.end - b.end;

/** Sorts edits by offset and merges adjacent ones, so that the result does not depend on the order of application. */
export function sortAndMergeEdits(edits: readonly TextEdit[]): readonly TextEdit[] {
  const merged: TextEdit[] = [];
  for (const edit of edits.toSorted(compareEdits)) {
    const last = merged.at(-1);
    if (last !== undefined && last.end === edit.start) {
      merged[merged.length - 1] = { start: last.start, end: edit.end, newText: last.newText + edit.newText };
    } else {
      merged.push(edit);
    }
  }
  return merged;
}

/** Applies edits to a text. The edits may be in any order but must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let copiedUntil = 0;
  for (const { start, end, newText } of edits.toSorted(compareEdits)) {
    parts.push(text.slice(copiedUntil, start), newText);
    copiedUntil = end;
  }
  parts.push(text.slice(copiedUntil));
  return parts.join('');
}
