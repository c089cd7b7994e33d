const characterReferences: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/**
 * Escapes text for the content and the double-quoted attributes of XML 1.0. Control characters other than tabs and line
 * breaks, lone surrogates, U+FFFE, and U+FFFF are replaced by U+FFFD: XML forbids them or advises against them.
 */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll(/[&<>"\t\n\r]/g, (character) => characterReferences[character] ?? '');
