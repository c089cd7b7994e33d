/**
 * A name as one part of a path, for people to read: a slash would start another part, a dot alone is a way up, an
 * address cannot hold half a character, and marks of direction would show the name as another one.
 */
export function toPathSegment(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .replaceAll('/', '∕')
    .replaceAll('\\', '⧵')
    .trim();
  return /^\.*$/.test(plain) ? `_${plain}` : plain;
}
