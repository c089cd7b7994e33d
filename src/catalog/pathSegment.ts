/**
 * A name as one segment of a human-readable path: a slash would start another segment, a lone dot would be a relative
 * path, a URI cannot hold half a surrogate pair, and direction marks would disguise the name.
 */
export function toPathSegment(name: string): string {
  const cleanedName = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .replaceAll('/', '∕')
    .replaceAll('\\', '⧵')
    .trim();
  return /^\.*$/.test(cleanedName) ? `_${cleanedName}` : cleanedName;
}
