export const DOUBLE_QUOTE = 34;
export const SINGLE_QUOTE = 39;
export const ASTERISK = 42;
export const HYPHEN = 45;
export const DOT = 46;
export const SLASH = 47;
export const BRACKET_OPEN = 91;
export const BRACKET_CLOSE = 93;
export const BACKTICK = 96;

const SPACE = 1;
const WORD_START = 2;
const DIGIT = 4;

/** The class of each ASCII character; a typed array for fast access in the lexer. */
const CHARACTER_CLASSES: Readonly<Uint8Array> = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/\s/.test(char) || code < 0x20) {
    return SPACE;
  }
  if (/[A-Za-z_@#$]/.test(char)) {
    return WORD_START;
  }
  return /[0-9]/.test(char) ? DIGIT : 0;
});

/** True for ASCII whitespace and control characters, Unicode whitespace and the byte order mark. */
export function isSpace(code: number): boolean {
  if (code < 128) {
    return CHARACTER_CLASSES[code] === SPACE;
  }
  return (
    code === 0xa0 ||
    code === 0x85 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200b) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/**
 * True for a character that can start an unquoted name. Non-ASCII characters can, because names may be in any script.
 */
export function isWordStart(code: number): boolean {
  return code < 128 ? CHARACTER_CLASSES[code] === WORD_START : !isSpace(code);
}

export function isDigit(code: number): boolean {
  return code < 128 && CHARACTER_CLASSES[code] === DIGIT;
}

export function isWordPart(code: number): boolean {
  if (code < 128) {
    return ((CHARACTER_CLASSES[code] ?? 0) & (WORD_START | DIGIT)) !== 0;
  }
  return !isSpace(code);
}

export function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}

/** Returns the offset of the next line break, or the length of the text if there is none. */
export function findLineEnd(text: string, offset: number): number {
  for (let index = offset; index < text.length; index++) {
    if (isLineBreak(text.charCodeAt(index))) {
      return index;
    }
  }
  return text.length;
}

/** True if there is a line break between two offsets. */
export function hasLineBreak(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    if (isLineBreak(text.charCodeAt(index))) {
      return true;
    }
  }
  return false;
}
