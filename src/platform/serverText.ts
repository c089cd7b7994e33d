/**
 * Text of a server as it may stand in a message, a label or a status bar: the editor would take `[x](command:y)` for
 * a link and `$(x)` for an icon, and control characters would break the line.
 */
export function toPlainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\]\(/g, '] (')
    .replace(/\$\(/g, '$ (');
}

/**
 * Text of a server as it may stand in Markdown: read as it is, whatever it holds. Every sign is a character reference,
 * since the editor makes links also of bare addresses and of `<command:…>`, which its own escaping leaves alone.
 */
export const escapeMarkdownText = (text: string): string =>
  text
    .replaceAll(/[ \t]/g, '\u00a0')
    .replaceAll(/[!-/:-@[-`{-~\u00a0]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll(/\r\n?|\n/g, '\n\n');
