import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import type { ArrayNode, JsonNode, LiteralNode, ObjectNode } from './jsonNode.ts';
import { parseWellFormed } from './parseWellFormed.ts';

export type JsonSyntaxErrorReason = 'syntax-error' | 'trailing-comma' | 'too-deep' | 'empty';

export interface JsonSyntaxError {
  readonly reason: JsonSyntaxErrorReason;
  readonly start: number;
  readonly end: number;
  /** The unexpected text; empty if something is missing instead. */
  readonly unexpectedText: string;
  /** The offset at which a comma is missing: the end of the value before it. */
  readonly missingCommaAt?: number;
}

export interface JsonDocument {
  readonly text: string;
  /** The syntax tree, as far as the text can be parsed. */
  readonly root: JsonNode | undefined;
  readonly syntaxErrors: readonly JsonSyntaxError[];
  /** The first error other than a trailing comma. */
  readonly error: JsonSyntaxError | undefined;
}

/** No real document is nested deeper. The parser would overflow the stack at a few thousand levels. */
const maxDepth = 200;
/** Limits the errors for a text that is not JSON at all, which has one at each word. */
const maxSyntaxErrors = 100;

class TooDeepError extends Error {
  override readonly name = 'TooDeepError';
  readonly offset: number;

  constructor(offset: number) {
    super('Nested too deep');
    this.offset = offset;
  }
}

/**
 * Parses JSON with comments as far as possible; never throws. A byte-order mark counts as whitespace. If a key is
 * repeated, both members are present: see {@link getMembersByKey}.
 */
export function parseJsonTree(text: string): JsonDocument {
  const wellFormedRoot = parseWellFormed(text, maxDepth);
  return wellFormedRoot === undefined
    ? parseWithErrors(text)
    : { text, root: wellFormedRoot, syntaxErrors: [], error: undefined };
}

/** Parses text that may have errors, and recovers from them. */
export function parseWithErrors(text: string): JsonDocument {
  const builder = new JsonTreeBuilder(text);
  try {
    visit(text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text, builder.visitor);
  } catch (error) {
    if (!(error instanceof TooDeepError)) {
      throw error;
    }
    const { offset } = error;
    const syntaxError = { reason: 'too-deep', start: offset, end: offset + 1, unexpectedText: '' } as const;
    return { text, root: undefined, syntaxErrors: [syntaxError], error: syntaxError };
  }
  const { root, syntaxErrors, error } = builder;
  return { text, root, syntaxErrors, error };
}

/** Builds the tree from the parser's events. */
class JsonTreeBuilder {
  root: JsonNode | undefined;
  error: JsonSyntaxError | undefined;
  readonly syntaxErrors: JsonSyntaxError[] = [];
  readonly #text: string;
  readonly #openContainers: (ObjectNode | ArrayNode)[] = [];
  /** The offset of the last token if it is a comma. */
  #lastCommaOffset: number | undefined;
  /** The end of the last value in a container. */
  #lastValueEnd = 0;
  /** The end of the last error, reported or not. */
  #lastErrorEnd: number | undefined;
  /** The end of the closing bracket after the last trailing comma: errors up to there are consequences of the comma. */
  #trailingCommaEnd = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readonly visitor = {
    onObjectBegin: (offset: number): void =>
      this.#beginContainer({ kind: 'object', start: offset, end: offset + 1, members: [] }),
    onArrayBegin: (offset: number): void =>
      this.#beginContainer({ kind: 'array', start: offset, end: offset + 1, items: [] }),
    onObjectEnd: (offset: number, length: number): void => this.#endContainer(offset + length),
    onArrayEnd: (offset: number, length: number): void => this.#endContainer(offset + length),
    onObjectProperty: (key: string, offset: number, length: number): void => {
      const keyEnd = offset + length;
      const container = this.#openContainers.at(-1);
      if (container?.kind === 'object') {
        container.members.push({ key, start: offset, keyEnd, end: keyEnd, value: undefined });
      }
      this.#lastCommaOffset = undefined;
    },
    onLiteralValue: (value: LiteralNode['value'], offset: number, length: number): void => {
      this.#addNode({ kind: 'literal', value, start: offset, end: offset + length });
      this.#lastValueEnd = offset + length;
      this.#lastCommaOffset = undefined;
    },
    onSeparator: (separator: string, offset: number): void => {
      const container = this.#openContainers.at(-1);
      const member = container?.kind === 'object' ? container.members.at(-1) : undefined;
      this.#lastCommaOffset = separator === ',' ? offset : undefined;
      if (member !== undefined && separator === ':') {
        member.end = offset + 1;
      }
    },
    onError: (code: ParseErrorCode, offset: number, length: number): void =>
      this.#handleError(code, offset, length),
  };

  #beginContainer(node: ObjectNode | ArrayNode): void {
    if (this.#openContainers.length >= maxDepth) {
      throw new TooDeepError(node.start);
    }
    this.#addNode(node);
    this.#openContainers.push(node);
    this.#lastCommaOffset = undefined;
  }

  #endContainer(end: number): void {
    this.#lastValueEnd = end;
    const node = this.#openContainers.pop();
    if (node !== undefined) {
      node.end = end;
    }
    const container = this.#openContainers.at(-1);
    const member = container?.kind === 'object' ? container.members.at(-1) : undefined;
    if (member !== undefined) {
      member.end = end;
    }
  }

  #addNode(node: JsonNode): void {
    const container = this.#openContainers.at(-1);
    if (container === undefined) {
      this.root ??= node;
    } else if (container.kind === 'array') {
      container.items.push(node);
    } else {
      const member = container.members.at(-1);
      if (member !== undefined && member.value === undefined) {
        member.value = node;
        member.end = node.end;
      }
    }
  }

  #handleError(code: ParseErrorCode, start: number, length: number): void {
    if (start < this.#trailingCommaEnd) {
      return;
    }
    const end = start + length;
    const unexpectedText = this.#text.slice(start, start + Math.min(length, 40));
    const isContinuation = this.#isContinuation(start);
    if (
      !isContinuation &&
      this.#lastCommaOffset !== undefined &&
      unexpectedText === getClosingBracket(this.#openContainers.at(-1))
    ) {
      this.#report({
        reason: 'trailing-comma',
        start: this.#lastCommaOffset,
        end: this.#lastCommaOffset + 1,
        unexpectedText: ',',
      });
      this.#trailingCommaEnd = end;
      return;
    }
    this.#lastErrorEnd = Math.max(this.#lastErrorEnd ?? 0, end);
    if (!isContinuation) {
      const isEmpty = this.root === undefined && unexpectedText === '';
      const syntaxError = isEmpty
        ? ({ reason: 'empty', start: 0, end: 0, unexpectedText } as const)
        : ({
            reason: 'syntax-error',
            start,
            end,
            unexpectedText,
            ...(printParseErrorCode(code) === 'CommaExpected' ? { missingCommaAt: this.#lastValueEnd } : {}),
          } as const);
      this.error ??= syntaxError;
      this.#report(syntaxError);
    }
  }

  /** True if an error directly follows another one and is only a consequence of it. */
  #isContinuation(start: number): boolean {
    const lastErrorEnd = this.#lastErrorEnd;
    return (
      lastErrorEnd !== undefined &&
      (start < lastErrorEnd || this.#text.slice(lastErrorEnd, start).trim() === '')
    );
  }

  #report(syntaxError: JsonSyntaxError): void {
    if (this.syntaxErrors.length < maxSyntaxErrors) {
      this.syntaxErrors.push(syntaxError);
    }
  }
}

const getClosingBracket = (container: ObjectNode | ArrayNode | undefined): string | undefined =>
  container === undefined ? undefined : container.kind === 'object' ? '}' : ']';
