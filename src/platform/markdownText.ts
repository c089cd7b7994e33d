/**
 * Text of a server as it may stand in Markdown: read as it is, whatever it holds. Every sign is a character reference,
 * since the editor makes links also of bare addresses and of `<command:…>`, which its own escaping leaves alone.
 */
export const markdownText = (text: string): string =>
  text
    .replaceAll(/[ \t]/g, '\u00a0')
    .replaceAll(/[!-/:-@[-`{-~\u00a0]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll(/\r\n?|\n/g, '\n\n');
