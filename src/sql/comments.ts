import { lexBounded } from './syntax/parser.ts';

/**
 * Matches what is a comment in every dialect. Excludes optimizer hints, code for MySQL, and comments that contain the
 * start of another one, since only some dialects nest comments.
 */
const plainComment = /^(?:--(?=\s|$)|\/\*(?![!+])(?!.*\/\*).*\*\/$)/s;

/** Characters that quote, escape, or begin a comment in some dialects, but not in others. */
const ambiguousCharacters = /[\\$#]/;

/**
 * Returns SQL without its comments, and with one space in place of each run of spaces and comments, so that texts that
 * differ only in spaces and comments become equal. Returns the text unchanged if another dialect might read its
 * comments or quotes in another way: the SQL of a live datamodel is in the dialect of its source.
 */
export function omitComments(text: string): string {
  const { tokens, comments, hasUnclosed } = lexBounded(text);
  if (
    hasUnclosed ||
    // There is only the token for the end of the text, so nothing would be left.
    tokens.length === 1 ||
    ambiguousCharacters.test(text) ||
    !comments.every(({ start, end }) => plainComment.test(text.slice(start, end)))
  ) {
    return text;
  }
  let result = '';
  let previousEnd = 0;
  for (const { start, end } of tokens) {
    result += (start > previousEnd && result !== '' ? ' ' : '') + text.slice(start, end);
    previousEnd = end;
  }
  return result.trimEnd();
}
