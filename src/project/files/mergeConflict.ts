import { type Message, createMessage } from '../../base/localize.ts';

/** Matches the lines that Git writes around the sides of a merge conflict. */
const conflictMarkers = /^<{7} [^\n]*\n(?:[^\n]*\n)*?={7}\r?\n(?:[^\n]*\n)*?>{7} /m;

/** Returns the offset of a merge conflict that version control has left in a text; `undefined` if it has none. */
export const findMergeConflict = (text: string): number | undefined => conflictMarkers.exec(text)?.index;

export const createMergeConflictMessage = (): Message =>
  createMessage('The file has a merge conflict. Resolve it first.');
