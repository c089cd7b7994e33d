export type TextEncoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

/**
 * Decodes a file written by an editor or a spreadsheet program: UTF-16 if it has a byte order mark, UTF-8 if it is
 * valid, otherwise Windows-1252. Windows-1252 is a guess, so callers that show the text also show the encoding.
 */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly encoding: TextEncoding } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) {
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' };
  }
  if (first === 0xfe && second === 0xff) {
    return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'UTF-16' };
  }
  const text = decodeUtf8(bytes);
  return text === undefined
    ? { text: decodeWindows1252(bytes), encoding: 'Windows-1252' }
    : { text, encoding: 'UTF-8' };
}

/** Shared, since creating a decoder for each file is slower. Without the option `stream`, it keeps no state. */
const strictDecoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes UTF-8 without its byte order mark. Returns `undefined` if the bytes are not valid UTF-8, instead of inserting
 * replacement characters.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) {
      return undefined;
    }
    throw error;
  }
}

/** The character that replaces bytes that cannot be decoded. */
export const replacementCharacter = '\u{fffd}';

/**
 * The Windows-1252 characters 0x80 to 0x9f, which some versions of Node decode as ISO 8859-1 instead. Unassigned bytes
 * have a space here.
 */
const windows1252Characters = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

const decodeWindows1252 = (bytes: Uint8Array): string =>
  new TextDecoder('windows-1252').decode(bytes).replaceAll(/[\u{80}-\u{9f}]/gu, (character) => {
    const mappedCharacter = windows1252Characters[character.charCodeAt(0) - 0x80];
    return mappedCharacter === undefined || mappedCharacter === ' ' ? replacementCharacter : mappedCharacter;
  });
