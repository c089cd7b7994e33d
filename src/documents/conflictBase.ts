import { matchLines, splitLines } from './mergeLines.ts';

/**
 * Returns a common base for a merge editor if the real one is unknown: the text of `ours`, with a comment before each
 * place where the sides differ. Both sides change the line of the comment, so each place is a conflict, and a text that
 * is saved without resolving it has lost nothing.
 * @param comment a line that the language of the text ignores
 */
export function createConflictBase(ours: string, theirs: string, comment: string): string {
  const [ourLines, theirLines] = [splitLines(ours), splitLines(theirs)];
  const lines: string[] = [];
  let [ourStart, theirStart] = [0, 0];
  const addLinesUpTo = (ourEnd: number, theirEnd: number): void => {
    if (ourEnd > ourStart || theirEnd > theirStart) {
      lines.push(comment, ...ourLines.slice(ourStart, ourEnd));
    }
  };
  // Texts with too many equal lines are one place.
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
