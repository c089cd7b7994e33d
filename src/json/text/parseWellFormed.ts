import type { ArrayNode, JsonMember, JsonNode, LiteralNode, ObjectNode } from './jsonNode.ts';

/**
 * Parses JSON with comments if it has no errors; `undefined` otherwise, so that an error-tolerant parser can report
 * them. Nearly all documents have no errors, and this parser takes a third of the time of the error-tolerant one.
 */
export function parseWellFormed(text: string, maxDepth: number): JsonNode | undefined {
  return new WellFormedParser(text, maxDepth).parse();
}

const [quote, slash, star, backslash, comma, colon] = [34, 47, 42, 92, 44, 58] as const;
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93] as const;
const [tab, lineFeed, carriageReturn, blank] = [9, 10, 13, 32] as const;

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literalWords = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

class WellFormedParser {
  readonly #text: string;
  readonly #deepest: number;
  readonly #digits = new RegExp(numberPattern);
  #at: number;
  #depth = 0;
  #lastKey = '';
  /** The key that last followed each key; only keys without escapes. */
  readonly #keyAfter = new Map<string, string>();

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#deepest = maxDepth;
    // A byte-order mark counts as whitespace.
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  parse(): JsonNode | undefined {
    const root = this.#parseValue();
    return this.#next() === undefined ? root : undefined;
  }

  /** Skips whitespace and comments; returns the character code of the next token, or `undefined` at the end. */
  #next(): number | undefined {
    const text = this.#text;
    for (;;) {
      let at = this.#at;
      let code = text.charCodeAt(at);
      while (code === blank || code === lineFeed || code === carriageReturn || code === tab) {
        at += 1;
        code = text.charCodeAt(at);
      }
      this.#at = at;
      if (code !== slash || !this.#skipComment()) {
        return at < text.length ? code : undefined;
      }
    }
  }

  #skipComment(): boolean {
    const second = this.#text.charCodeAt(this.#at + 1);
    if (second === slash) {
      while (this.#at < this.#text.length && !this.#isLineEnd()) {
        this.#at += 1;
      }
      return true;
    }
    const end = second === star ? this.#text.indexOf('*/', this.#at + 2) : -1;
    this.#at = end === -1 ? this.#at : end + 2;
    return end !== -1;
  }

  #isLineEnd(): boolean {
    const code = this.#text.charCodeAt(this.#at);
    return code === lineFeed || code === carriageReturn;
  }

  #parseValue(): JsonNode | undefined {
    const code = this.#next();
    if (code === quote) {
      const start = this.#at;
      const value = this.#parseString();
      return value === undefined ? undefined : { kind: 'literal', value, start, end: this.#at };
    }
    if (code !== openBrace && code !== openBracket) {
      return this.#parseWord() ?? this.#parseNumber();
    }
    this.#depth += 1;
    const isTooDeep = this.#depth > this.#deepest;
    const node = isTooDeep ? undefined : code === openBrace ? this.#parseObject() : this.#parseArray();
    this.#depth -= 1;
    return node;
  }

  #parseObject(): ObjectNode | undefined {
    const members: JsonMember[] = [];
    const node: ObjectNode = { kind: 'object', start: this.#at, end: 0, members };
    this.#at += 1;
    let isDone = this.#consume(closeBrace);
    while (!isDone) {
      const member = this.#parseMember();
      const next = member === undefined ? undefined : this.#next();
      if (member === undefined || (next !== comma && next !== closeBrace)) {
        return undefined;
      }
      members.push(member);
      this.#at += 1;
      isDone = next === closeBrace;
    }
    node.end = this.#at;
    return node;
  }

  #parseMember(): JsonMember | undefined {
    if (this.#next() !== quote) {
      return undefined;
    }
    const start = this.#at;
    const key = this.#parseKey();
    const keyEnd = this.#at;
    if (key === undefined || !this.#consume(colon)) {
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
    const start = this.#at + 1;
    const usual = this.#keyAfter.get(this.#lastKey);
    if (usual !== undefined && this.#text.startsWith(usual, start)) {
      const end = start + usual.length;
      if (this.#text.charCodeAt(end) === quote) {
        this.#at = end + 1;
        this.#lastKey = usual;
        return usual;
      }
    }
    const key = this.#parseString();
    if (key !== undefined && key.length === this.#at - 1 - start) {
      this.#keyAfter.set(this.#lastKey, key);
      this.#lastKey = key;
    }
    return key;
  }

  #parseArray(): ArrayNode | undefined {
    const items: JsonNode[] = [];
    const node: ArrayNode = { kind: 'array', start: this.#at, end: 0, items };
    this.#at += 1;
    let isDone = this.#consume(closeBracket);
    while (!isDone) {
      const item = this.#parseValue();
      const next = item === undefined ? undefined : this.#next();
      if (item === undefined || (next !== comma && next !== closeBracket)) {
        return undefined;
      }
      items.push(item);
      this.#at += 1;
      isDone = next === closeBracket;
    }
    node.end = this.#at;
    return node;
  }

  #consume(code: number): boolean {
    const isThere = this.#next() === code;
    this.#at += isThere ? 1 : 0;
    return isThere;
  }

  /** Parses a string; `undefined` if it does not end on its line or contains an invalid character. */
  #parseString(): string | undefined {
    const text = this.#text;
    const start = this.#at;
    let isPlain = true;
    let at = start + 1;
    for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
      // Written as a negation because the code is NaN past the end of the text.
      if (!(code >= blank)) {
        return undefined;
      }
      isPlain &&= code !== backslash;
      at += code === backslash ? 2 : 1;
    }
    this.#at = at + 1;
    return isPlain ? text.slice(start + 1, at) : unescapeString(text.slice(start, at + 1));
  }

  #parseWord(): LiteralNode | undefined {
    const found = literalWords.find(([word]) => this.#text.startsWith(word, this.#at));
    return found === undefined ? undefined : this.#createLiteral(found[1], found[0].length);
  }

  #parseNumber(): LiteralNode | undefined {
    this.#digits.lastIndex = this.#at;
    const [digits] = this.#digits.exec(this.#text) ?? [];
    return digits === undefined ? undefined : this.#createLiteral(Number(digits), digits.length);
  }

  #createLiteral(value: LiteralNode['value'], length: number): LiteralNode {
    const start = this.#at;
    this.#at += length;
    return { kind: 'literal', value, start, end: this.#at };
  }
}

/** Unescapes a string literal; `undefined` if an escape is invalid. */
function unescapeString(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}
