import { type Message, createMessage } from '../../base/localize.ts';

/**
 * The lines that a merge leaves where it can't decide: those of version control, at the start of a line, and the one
 * with which *Resolve Conflicts* marks a place, which is a comment. `=======` is not a marker: it also underlines
 * headings in comments, and a merge never leaves it without the other lines.
 */
const markerLine = /^\uFEFF?(?:(?:<{7}|>{7}|\|{7})(?=\s|$)|(?:--|\/\/) <{7} )/m;

/** Every marker contains one of these texts. Finding them is much faster than matching lines. */
const markerTexts = ['<<<<<<<', '>>>>>>>', '|||||||'];

/** Starts the comment that marks a place in conflict. The text after it is in the user's language. */
export const conflictCommentStart = '<<<<<<< ';

/**
 * Returns the offset of the first marker of an unresolved merge conflict in the text of any file of a project;
 * `undefined` if there is none. It doesn't parse the text, because a file with a marker may not even be JSON.
 */
export function findConflictMarker(text: string): number | undefined {
  return markerTexts.some((marker) => text.includes(marker)) ? markerLine.exec(text)?.index : undefined;
}

/** Says what to do about a marker. */
export const createConflictMessage = (): Message =>
  createMessage('Unresolved merge conflict. Decide what to keep, and delete the markers.');
