import { matchLines, splitMergeLines } from './mergeLines.ts';

/**
 * Returns a common base for a merge editor if the real one is unknown: the text of `ours`, with a comment before each
 * place where the sides differ. Since neither side has the comment, each place is a conflict, and nothing is lost if
 * the text is saved without resolving it.
 * @param comment a line that the language of the text ignores
 */
export function createConflictBase(ours: string, theirs: string, comment: string): string {
  const [ourLines, theirLines] = [splitMergeLines(ours), splitMergeLines(theirs)];
  const lines: string[] = [];
  let [ourStart, theirStart] = [0, 0];
  const addLinesUpTo = (ourEnd: number, theirEnd: number): void => {
    if (ourEnd > ourStart || theirEnd > theirStart) {
      lines.push(comment, ...ourLines.slice(ourStart, ourEnd));
    }
  };
  // If there are too many equal lines to compare, the whole texts are one conflict.
  for (const [ourLine, theirLine] of (matchLines(ourLines, theirLines) ?? []).entries()) {
    if (theirLine !== undefined) {
      addLinesUpTo(ourLine, theirLine);
      lines.push(ourLines[ourLine] ?? '');
      [ourStart, theirStart] = [ourLine + 1, theirLine + 1];
    }
  }
  addLinesUpTo(ourLines.length, theirLines.length);
  return lines.join(ours.includes('\r\n') ? '\r\n' : '\n');
}
