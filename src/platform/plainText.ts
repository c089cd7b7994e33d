/**
 * Text of a server as it may stand in a message, a label or a status bar: the editor would take `[x](command:y)` for
 * a link and `$(x)` for an icon, and control characters would break the line.
 */
export function plainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\]\(/g, '] (')
    .replace(/\$\(/g, '$ (');
}
