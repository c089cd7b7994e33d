/** Escapes a token of a JSON pointer. */
export const escapePointerToken = (name: string): string =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;

/** Unescapes a token of a JSON pointer, or a whole pointer that is only shown to people. */
export const unescapePointer = (text: string): string => text.replaceAll('~1', '/').replaceAll('~0', '~');
