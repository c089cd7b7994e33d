/** A token between JSON values: whitespace, a line break, a line comment, a block comment or a comma. */
export interface TriviaToken {
  readonly kind: 'blanks' | 'break' | 'line' | 'block' | 'comma';
  readonly start: number;
  readonly end: number;
}

const tokenPattern =
  /(?<blanks>[^\S\r\n]+)|(?<break>\r\n?|\n)|(?<line>\/\/[^\r\n]*)|(?<block>\/\*[^]*?(?:\*\/|$))|(?<comma>,)/y;
const tokenKinds = ['blanks', 'break', 'line', 'block', 'comma'] as const;

/** Yields whitespace, line breaks, comments and commas from an offset up to `limit` or the first other token. */
export function* scanTokens(text: string, startOffset: number, limit: number): Generator<TriviaToken> {
  const scanner = new RegExp(tokenPattern);
  scanner.lastIndex = startOffset;
  for (let match = scanner.exec(text); match !== null && match.index < limit; match = scanner.exec(text)) {
    const groups = match.groups ?? {};
    const kind = tokenKinds.find((name) => groups[name] !== undefined) ?? 'blanks';
    yield { kind, start: match.index, end: scanner.lastIndex };
  }
}
