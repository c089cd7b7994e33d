/**
 * Server text made safe for a message, a label or the status bar: the editor would render `[x](command:y)` as a link
 * and `$(x)` as an icon, and control characters would break the line.
 */
export function toPlainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\]\(/g, '] (')
    .replace(/\$\(/g, '$ (');
}

/**
 * Server text made safe for Markdown: it is shown literally, whatever it contains. Every symbol becomes a character
 * reference, since the editor also makes links of bare addresses and of `<command:…>`, which its own escaping does not
 * cover.
 */
export const escapeMarkdownText = (text: string): string =>
  text
    .replaceAll(/[ \t]/g, '\u00a0')
    .replaceAll(/[!-/:-@[-`{-~\u00a0]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/\r\n?|\n/g, '\n\n');
