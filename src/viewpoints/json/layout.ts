/** How a JSON text is laid out: what stands between its values. */

export const isBlank = (text: string): boolean => text.trim() === '';

export const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

export function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

/** The blanks that the line of a place begins with. */
export function indentOf(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** What one level is indented by: what the first indented line is. */
export function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

/** After the blanks of a line behind a place. */
export function spaceAfter(text: string, offset: number): number {
  let at = offset;
  while (text[at] === ' ' || text[at] === '\t') {
    at += 1;
  }
  return at;
}

/** Before the blanks of a line in front of a place. */
export function spaceBefore(text: string, offset: number): number {
  let at = offset;
  while (text[at - 1] === ' ' || text[at - 1] === '\t') {
    at -= 1;
  }
  return at;
}

/** The end of a comment that begins at a place; the place itself where none does. */
function endOfComment(text: string, offset: number): number {
  if (text.startsWith('//', offset)) {
    const end = text.slice(offset).search(/[\r\n]/);
    return end === -1 ? text.length : offset + end;
  }
  if (text.startsWith('/*', offset)) {
    const end = text.indexOf('*/', offset + 2);
    return end === -1 ? text.length : end + 2;
  }
  return offset;
}

/** The comma behind a value, blanks and comments between them aside. */
export function commaAfter(text: string, offset: number): number | undefined {
  let at = offset;
  for (;;) {
    const before = at;
    while (at < text.length && /\s/.test(text[at] ?? '')) {
      at += 1;
    }
    at = endOfComment(text, at);
    if (at === before) {
      return text[at] === ',' ? at : undefined;
    }
  }
}

/** After the comments that stand in the rest of a line; the place itself where something else does. */
export function endOfRemark(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    const comment = spaceAfter(text, at);
    const end = endOfComment(text, comment);
    if (end === comment) {
      const isLineEnd = comment >= text.length || text[comment] === '\n' || text[comment] === '\r';
      return isLineEnd ? at : offset;
    }
    if (text.slice(comment, end).includes('\n')) {
      return offset;
    }
    at = end;
  }
}
