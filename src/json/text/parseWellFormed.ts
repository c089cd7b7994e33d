import type { ArrayNode, JsonMember, JsonNode, LiteralNode, ObjectNode } from './jsonNode.ts';

/**
 * Parses JSON with comments if it has no errors; `undefined` otherwise, so that an error-tolerant parser can report
 * them. Nearly all documents have no errors, and this parser takes a third of the time of the error-tolerant one.
 */
export function parseWellFormed(text: string, maxDepth: number): JsonNode | undefined {
  return new WellFormedParser(text, maxDepth).parse();
}

const [quoteCode, slashCode, starCode, backslashCode, commaCode, colonCode] = [
  34, 47, 42, 92, 44, 58,
] as const;
const [openBraceCode, closeBraceCode, openBracketCode, closeBracketCode] = [123, 125, 91, 93] as const;
const [tabCode, lineFeedCode, carriageReturnCode, spaceCode] = [9, 10, 13, 32] as const;

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literalWords = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

class WellFormedParser {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #numberPattern = new RegExp(numberPattern);
  #offset: number;
  #depth = 0;
  #lastKey = '';
  /** The key that last followed each key; only keys without escapes. */
  readonly #nextKeys = new Map<string, string>();

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    // A byte-order mark counts as whitespace.
    this.#offset = text.startsWith('\uFEFF') ? 1 : 0;
  }

  parse(): JsonNode | undefined {
    const root = this.#parseValue();
    return this.#skipToNextToken() === undefined ? root : undefined;
  }

  /** Skips whitespace and comments; returns the character code of the next token, or `undefined` at the end. */
  #skipToNextToken(): number | undefined {
    const text = this.#text;
    for (;;) {
      let offset = this.#offset;
      let code = text.charCodeAt(offset);
      while (code === spaceCode || code === lineFeedCode || code === carriageReturnCode || code === tabCode) {
        offset += 1;
        code = text.charCodeAt(offset);
      }
      this.#offset = offset;
      if (code !== slashCode || !this.#skipComment()) {
        return offset < text.length ? code : undefined;
      }
    }
  }

  #skipComment(): boolean {
    const secondCode = this.#text.charCodeAt(this.#offset + 1);
    if (secondCode === slashCode) {
      while (this.#offset < this.#text.length && !this.#isLineEnd()) {
        this.#offset += 1;
      }
      return true;
    }
    const end = secondCode === starCode ? this.#text.indexOf('*/', this.#offset + 2) : -1;
    this.#offset = end === -1 ? this.#offset : end + 2;
    return end !== -1;
  }

  #isLineEnd(): boolean {
    const code = this.#text.charCodeAt(this.#offset);
    return code === lineFeedCode || code === carriageReturnCode;
  }

  #parseValue(): JsonNode | undefined {
    const code = this.#skipToNextToken();
    if (code === quoteCode) {
      const start = this.#offset;
      const value = this.#parseString();
      return value === undefined ? undefined : { kind: 'literal', value, start, end: this.#offset };
    }
    if (code !== openBraceCode && code !== openBracketCode) {
      return this.#parseWord() ?? this.#parseNumber();
    }
    this.#depth += 1;
    const isTooDeep = this.#depth > this.#maxDepth;
    const node = isTooDeep ? undefined : code === openBraceCode ? this.#parseObject() : this.#parseArray();
    this.#depth -= 1;
    return node;
  }

  #parseObject(): ObjectNode | undefined {
    const members: JsonMember[] = [];
    const node: ObjectNode = { kind: 'object', start: this.#offset, end: 0, members };
    this.#offset += 1;
    let isDone = this.#consume(closeBraceCode);
    while (!isDone) {
      const member = this.#parseMember();
      const nextCode = member === undefined ? undefined : this.#skipToNextToken();
      if (member === undefined || (nextCode !== commaCode && nextCode !== closeBraceCode)) {
        return undefined;
      }
      members.push(member);
      this.#offset += 1;
      isDone = nextCode === closeBraceCode;
    }
    node.end = this.#offset;
    return node;
  }

  #parseMember(): JsonMember | undefined {
    if (this.#skipToNextToken() !== quoteCode) {
      return undefined;
    }
    const start = this.#offset;
    const key = this.#parseKey();
    const keyEnd = this.#offset;
    if (key === undefined || !this.#consume(colonCode)) {
      return undefined;
    }
    const value = this.#parseValue();
    return value === undefined ? undefined : { key, start, keyEnd, end: value.end, value };
  }

  /**
   * Parses a key. Objects often repeat the same keys in the same order, so the key that followed the previous one last
   * time is tried first: reusing its string is faster than creating a new one.
   */
  #parseKey(): string | undefined {
    const start = this.#offset + 1;
    const predictedKey = this.#nextKeys.get(this.#lastKey);
    if (predictedKey !== undefined && this.#text.startsWith(predictedKey, start)) {
      const end = start + predictedKey.length;
      if (this.#text.charCodeAt(end) === quoteCode) {
        this.#offset = end + 1;
        this.#lastKey = predictedKey;
        return predictedKey;
      }
    }
    const key = this.#parseString();
    if (key !== undefined && key.length === this.#offset - 1 - start) {
      this.#nextKeys.set(this.#lastKey, key);
      this.#lastKey = key;
    }
    return key;
  }

  #parseArray(): ArrayNode | undefined {
    const items: JsonNode[] = [];
    const node: ArrayNode = { kind: 'array', start: this.#offset, end: 0, items };
    this.#offset += 1;
    let isDone = this.#consume(closeBracketCode);
    while (!isDone) {
      const item = this.#parseValue();
      const nextCode = item === undefined ? undefined : this.#skipToNextToken();
      if (item === undefined || (nextCode !== commaCode && nextCode !== closeBracketCode)) {
        return undefined;
      }
      items.push(item);
      this.#offset += 1;
      isDone = nextCode === closeBracketCode;
    }
    node.end = this.#offset;
    return node;
  }

  #consume(code: number): boolean {
    const isMatch = this.#skipToNextToken() === code;
    this.#offset += isMatch ? 1 : 0;
    return isMatch;
  }

  /** Parses a string; `undefined` if it does not end on its line or contains an invalid character. */
  #parseString(): string | undefined {
    const text = this.#text;
    const start = this.#offset;
    let isPlain = true;
    let offset = start + 1;
    for (let code = text.charCodeAt(offset); code !== quoteCode; code = text.charCodeAt(offset)) {
      // Written as a negation because the code is NaN past the end of the text.
      if (!(code >= spaceCode)) {
        return undefined;
      }
      isPlain &&= code !== backslashCode;
      offset += code === backslashCode ? 2 : 1;
    }
    this.#offset = offset + 1;
    return isPlain ? text.slice(start + 1, offset) : unescapeString(text.slice(start, offset + 1));
  }

  #parseWord(): LiteralNode | undefined {
    const literalWord = literalWords.find(([word]) => this.#text.startsWith(word, this.#offset));
    return literalWord === undefined ? undefined : this.#createLiteral(literalWord[1], literalWord[0].length);
  }

  #parseNumber(): LiteralNode | undefined {
    this.#numberPattern.lastIndex = this.#offset;
    const [digits] = this.#numberPattern.exec(this.#text) ?? [];
    return digits === undefined ? undefined : this.#createLiteral(Number(digits), digits.length);
  }

  #createLiteral(value: LiteralNode['value'], length: number): LiteralNode {
    const start = this.#offset;
    this.#offset += length;
    return { kind: 'literal', value, start, end: this.#offset };
  }
}

/** Unescapes a string literal; `undefined` if an escape is invalid. */
function unescapeString(source: string): string | undefined {
  try {
    return String(JSON.parse(source));
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}
