import { escapeMarker } from '../../base/escapeAndMarkValue.ts';

/**
 * The text form of a list of values, the same wherever values are typed: new rules, forms, previews, cells of the grid,
 * and cells of imported tables.
 *
 * - `North; South`: values are separated by semicolons or line breaks; whitespace around them and empty parts are
 *   ignored
 * - `"North; South"`, `" North"`, `""`: quotes for a value that contains a separator, starts or ends with whitespace,
 *   or is empty; a quote within them is doubled
 * - `\.` at the start of a value, for characters that can't be in quotes: in this value, `\;` `\|` `\\` are these
 *   characters, `\n` `\r` `\t` for line breaks and tabs; `\.` at its end adds no character, and only protects the
 *   whitespace before it
 *
 * Everywhere else a backslash is a backslash: `DOMAIN\nick` is a user name.
 *
 * A cell of the grid also has keywords, and `|` between rules (see `security/matrix/cellText.ts`). Values that would be
 * misread there are quoted everywhere, so that every formatted text can be copied from one place to the other.
 */

export const valueSeparators = ';\n\r';

/** Parses a list of values, without duplicates. */
export const parseValues = (text: string): readonly string[] => readValues(tokenize(text));

/** Reads the list of values in tokens, without duplicates. */
export const readValues = (tokens: readonly ValueToken[]): readonly string[] => [
  ...new Set(splitTokens(tokens, valueSeparators).map(joinTokens)),
];

/**
 * Returns the number of values that a text would have if commas separated values, too, besides semicolons, line breaks,
 * and `|`; `undefined` if commas make no difference. Commas do not separate values, because values such as
 * `Smith, John` contain them, but users may expect it.
 */
export function countValuesIfSplitAtCommas(text: string): number | undefined {
  const tokens = tokenize(text);
  const count = splitTokens(tokens, `${valueSeparators},|`).length;
  return count > splitTokens(tokens, `${valueSeparators}|`).length ? count : undefined;
}

/** A character, and whether it is literal because it was escaped or in quotes. `char` is empty for `\.` and `""`. */
export interface ValueToken {
  readonly char: string;
  readonly isLiteral: boolean;
  /** The offset in the text after the character; for all characters in quotes, the offset after the closing quote. */
  readonly end: number;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '.': '',
  '\\': '\\',
  ';': ';',
  '|': '|',
};

/**
 * Matches a value in quotes. They end on their line, so that an unclosed quote, as while typing, does not swallow the
 * values below it.
 */
const quotedPattern = /"((?:[^"\n\r]|"")*)"(?=[^\S\n\r]*(?:[;|\n\r]|$))/y;
const escapedCharPattern = /\\([nrt.\\;|])|[^]/y;
const charPattern = /[^]/y;

/** Matches what may stand between a separator and the start of a value. */
const beforeValuePattern = /^\s*(?:all but\s+)?$/i;

/** Splits a text into characters, without their escapes and quotes. */
export function tokenize(text: string): readonly ValueToken[] {
  const tokens: ValueToken[] = [];
  let partStart = 0;
  let hasEscapes = false;
  let index = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = index;
    return pattern.exec(text);
  };
  while (index < text.length) {
    const isValueStart =
      /["\\]/.test(text[index] ?? '') && beforeValuePattern.test(text.slice(partStart, index));
    const quoted = isValueStart ? match(quotedPattern) : null;
    hasEscapes ||= isValueStart && text.startsWith(escapeMarker, index);
    const [matched = '', content] = quoted ?? match(hasEscapes ? escapedCharPattern : charPattern) ?? [];
    index += matched.length;
    if (quoted !== null) {
      const literal = content?.replaceAll('""', '"') ?? '';
      // Without a token, the empty value would be left out as an empty part.
      for (const char of literal === '' ? [''] : literal) {
        tokens.push({ char, isLiteral: true, end: index });
      }
    } else if (content === undefined) {
      tokens.push({ char: matched, isLiteral: false, end: index });
      if (`${valueSeparators}|`.includes(matched)) {
        partStart = index;
        hasEscapes = false;
      }
    } else {
      tokens.push({ char: escapes[content] ?? content, isLiteral: true, end: index });
    }
  }
  return tokens;
}

/** Splits tokens at separators and trims whitespace that is not literal; empty parts are left out. */
export function splitTokens(
  tokens: readonly ValueToken[],
  separators: string,
): readonly (readonly ValueToken[])[] {
  const parts: ValueToken[][] = [[]];
  for (const token of tokens) {
    if (!token.isLiteral && separators.includes(token.char)) {
      parts.push([]);
    } else {
      parts.at(-1)?.push(token);
    }
  }
  return parts.map(trimTokens).filter(({ length }) => length > 0);
}

const isBlank = ({ char, isLiteral }: ValueToken): boolean => !isLiteral && char.trim() === '';

function trimTokens(tokens: readonly ValueToken[]): readonly ValueToken[] {
  const start = tokens.findIndex((token) => !isBlank(token));
  return start === -1 ? [] : tokens.slice(start, tokens.findLastIndex((token) => !isBlank(token)) + 1);
}

/** Joins the characters of tokens. */
export const joinTokens = (tokens: readonly ValueToken[]): string => tokens.map(({ char }) => char).join('');
