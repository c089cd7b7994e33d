import { type ParseErrorCode, visit } from 'jsonc-parser';
import type { ArrayNode, JsonNode, LiteralNode, ObjectNode } from './jsonNode.ts';
import { parseWellFormed } from './parseWellFormed.ts';

export type JsonSyntaxErrorReason = 'syntax-error' | 'trailing-comma' | 'too-deep' | 'empty';

export interface JsonSyntaxError {
  readonly reason: JsonSyntaxErrorReason;
  readonly start: number;
  readonly end: number;
  /** What stands there; blank for what is missing. */
  readonly found: string;
}

export interface JsonDocument {
  readonly text: string;
  /** What the text holds, as far as it can be read. */
  readonly root: JsonNode | undefined;
  readonly syntaxErrors: readonly JsonSyntaxError[];
  /** The first fault that leaves something unread; a comma behind the last entry does not. */
  readonly error: JsonSyntaxError | undefined;
}

/** Deeper than this is no document of ours; the parser would run out of stack at some thousands. */
const maxDepth = 200;
/** A text that is no JSON at all would have a fault at each of its words. */
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
 * Reads JSON with comments, as far as it goes; never throws. A byte-order mark is a blank. Where a key stands twice,
 * both members are there: see {@link getMembersByKey}.
 */
export function parseJson(text: string): JsonDocument {
  const whole = parseWellFormed(text, maxDepth);
  return whole === undefined
    ? parseWithErrors(text)
    : { text, root: whole, syntaxErrors: [], error: undefined };
}

/** Reads what may have faults, and goes on behind them. */
export function parseWithErrors(text: string): JsonDocument {
  const builder = new JsonTreeBuilder(text);
  try {
    visit(text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text, builder.visitor);
  } catch (error) {
    if (!(error instanceof TooDeepError)) {
      throw error;
    }
    const { offset } = error;
    const fault = { reason: 'too-deep', start: offset, end: offset + 1, found: '' } as const;
    return { text, root: undefined, syntaxErrors: [fault], error: fault };
  }
  const { root, syntaxErrors, error } = builder;
  return { text, root, syntaxErrors, error };
}

/** Collects what the parser meets. A tree of our own, since one member more or less must cost nothing. */
class JsonTreeBuilder {
  root: JsonNode | undefined;
  error: JsonSyntaxError | undefined;
  readonly syntaxErrors: JsonSyntaxError[] = [];
  readonly #text: string;
  readonly #openContainers: (ObjectNode | ArrayNode)[] = [];
  /** Where the last token was a comma, its place. */
  #lastComma: number | undefined;
  /** Where the last fault ends, told or not. */
  #lastErrorEnd: number | undefined;
  /** Where the bracket ends that stands behind the last comma too many. */
  #trailingCommaEnd = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readonly visitor = {
    onObjectBegin: (offset: number): void =>
      this.#begin({ kind: 'object', start: offset, end: offset + 1, members: [] }),
    onArrayBegin: (offset: number): void =>
      this.#begin({ kind: 'array', start: offset, end: offset + 1, items: [] }),
    onObjectEnd: (offset: number, length: number): void => this.#end(offset + length),
    onArrayEnd: (offset: number, length: number): void => this.#end(offset + length),
    onObjectProperty: (key: string, offset: number, length: number): void => {
      const keyEnd = offset + length;
      const holder = this.#openContainers.at(-1);
      if (holder?.kind === 'object') {
        holder.members.push({ key, start: offset, keyEnd, end: keyEnd, value: undefined });
      }
      this.#lastComma = undefined;
    },
    onLiteralValue: (value: LiteralNode['value'], offset: number, length: number): void => {
      this.#add({ kind: 'literal', value, start: offset, end: offset + length });
      this.#lastComma = undefined;
    },
    onSeparator: (separator: string, offset: number): void => {
      const holder = this.#openContainers.at(-1);
      const member = holder?.kind === 'object' ? holder.members.at(-1) : undefined;
      this.#lastComma = separator === ',' ? offset : undefined;
      if (member !== undefined && separator === ':') {
        member.end = offset + 1;
      }
    },
    onError: (_code: ParseErrorCode, offset: number, length: number): void =>
      this.#handleError(offset, length),
  };

  #begin(node: ObjectNode | ArrayNode): void {
    if (this.#openContainers.length >= maxDepth) {
      throw new TooDeepError(node.start);
    }
    this.#add(node);
    this.#openContainers.push(node);
    this.#lastComma = undefined;
  }

  #end(end: number): void {
    const node = this.#openContainers.pop();
    if (node !== undefined) {
      node.end = end;
    }
    const holder = this.#openContainers.at(-1);
    const member = holder?.kind === 'object' ? holder.members.at(-1) : undefined;
    if (member !== undefined) {
      member.end = end;
    }
  }

  #add(node: JsonNode): void {
    const holder = this.#openContainers.at(-1);
    if (holder === undefined) {
      this.root ??= node;
    } else if (holder.kind === 'array') {
      holder.items.push(node);
    } else {
      const member = holder.members.at(-1);
      if (member !== undefined && member.value === undefined) {
        member.value = node;
        member.end = node.end;
      }
    }
  }

  #handleError(start: number, length: number): void {
    if (start < this.#trailingCommaEnd) {
      return;
    }
    const end = start + length;
    const found = this.#text.slice(start, start + Math.min(length, 40));
    const isNext = this.#isContinuation(start);
    if (
      !isNext &&
      this.#lastComma !== undefined &&
      found === getClosingBracket(this.#openContainers.at(-1))
    ) {
      this.#report({
        reason: 'trailing-comma',
        start: this.#lastComma,
        end: this.#lastComma + 1,
        found: ',',
      });
      this.#trailingCommaEnd = end;
      return;
    }
    this.#lastErrorEnd = Math.max(this.#lastErrorEnd ?? 0, end);
    if (!isNext) {
      const isEmpty = this.root === undefined && found === '';
      const fault = isEmpty
        ? ({ reason: 'empty', start: 0, end: 0, found } as const)
        : ({ reason: 'syntax-error', start, end, found } as const);
      this.error ??= fault;
      this.#report(fault);
    }
  }

  /** One message about one place is enough: what follows a fault with nothing between is part of it. */
  #isContinuation(start: number): boolean {
    const from = this.#lastErrorEnd;
    return from !== undefined && (start < from || this.#text.slice(from, start).trim() === '');
  }

  #report(fault: JsonSyntaxError): void {
    if (this.syntaxErrors.length < maxSyntaxErrors) {
      this.syntaxErrors.push(fault);
    }
  }
}

const getClosingBracket = (holder: ObjectNode | ArrayNode | undefined): string | undefined =>
  holder === undefined ? undefined : holder.kind === 'object' ? '}' : ']';
