/**
 * Makes server text safe for a message, a label or the status bar: the editor would render `[x](command:y)` as a link
 * and `$(x)` as an icon, and control characters would break the line.
 */
export function toPlainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\]\(/g, '] (')
    .replace(/\$\(/g, '$ (');
}

/**
 * Makes server text safe for Markdown, so that it is shown literally. Every symbol is replaced by a character
 * reference: the editor also renders bare URLs and `<command:…>` as links, which its own escaping does not prevent.
 */
export const escapeMarkdownText = (text: string): string =>
  text
    .replaceAll(/[ \t]/g, '\u00a0')
    .replaceAll(/[!-/:-@[-`{-~\u00a0]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/\r\n?|\n/g, '\n\n');
