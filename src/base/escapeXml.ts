const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/**
 * Escapes text for XML 1.0, in attributes, too. Other control characters and lone surrogates, which XML does not allow or
 * advises against, are replaced by U+FFFD.
 */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll(/[&<>"\t\n\r]/g, (character) => references[character] ?? '');
