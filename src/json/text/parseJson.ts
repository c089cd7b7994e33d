import { type ParseErrorCode, visit } from 'jsonc-parser';
import type { ArrayNode, JsonNode, LiteralNode, ObjectNode } from './jsonNode.ts';
import { readWhole } from './readWhole.ts';

export type SyntaxReason = 'syntax-error' | 'trailing-comma' | 'too-deep' | 'empty';

export interface SyntaxFault {
  readonly reason: SyntaxReason;
  readonly start: number;
  readonly end: number;
  /** What stands there; blank for what is missing. */
  readonly found: string;
}

export interface JsonDocument {
  readonly text: string;
  /** What the text holds, as far as it can be read. */
  readonly root: JsonNode | undefined;
  readonly faults: readonly SyntaxFault[];
  /** The first fault that leaves something unread; a comma behind the last entry does not. */
  readonly error: SyntaxFault | undefined;
}

/** Deeper than this is no document of ours; the parser would run out of stack at some thousands. */
const deepest = 200;
/** A text that is no JSON at all would have a fault at each of its words. */
const mostFaults = 100;

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
 * both members are there: see {@link lastMembers}.
 */
export function parseJson(text: string): JsonDocument {
  const whole = readWhole(text, deepest);
  return whole === undefined ? parseFaulty(text) : { text, root: whole, faults: [], error: undefined };
}

/** Reads what may have faults, and goes on behind them. */
export function parseFaulty(text: string): JsonDocument {
  const builder = new TreeBuilder(text);
  try {
    visit(text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text, builder.visitor);
  } catch (error) {
    if (!(error instanceof TooDeepError)) {
      throw error;
    }
    const { offset } = error;
    const fault = { reason: 'too-deep', start: offset, end: offset + 1, found: '' } as const;
    return { text, root: undefined, faults: [fault], error: fault };
  }
  const { root, faults, error } = builder;
  return { text, root, faults, error };
}

/** Collects what the parser meets. A tree of our own, since one member more or less must cost nothing. */
class TreeBuilder {
  root: JsonNode | undefined;
  error: SyntaxFault | undefined;
  readonly faults: SyntaxFault[] = [];
  readonly #text: string;
  readonly #open: (ObjectNode | ArrayNode)[] = [];
  /** Where the last token was a comma, its place. */
  #comma: number | undefined;
  /** Where the last fault ends, told or not. */
  #faultEnd: number | undefined;
  /** Where the bracket ends that stands behind the last comma too many. */
  #commaEnd = 0;

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
      const holder = this.#open.at(-1);
      if (holder?.kind === 'object') {
        holder.members.push({ key, start: offset, keyEnd, end: keyEnd, value: undefined });
      }
      this.#comma = undefined;
    },
    onLiteralValue: (value: LiteralNode['value'], offset: number, length: number): void => {
      this.#add({ kind: 'literal', value, start: offset, end: offset + length });
      this.#comma = undefined;
    },
    onSeparator: (separator: string, offset: number): void => {
      const holder = this.#open.at(-1);
      const member = holder?.kind === 'object' ? holder.members.at(-1) : undefined;
      this.#comma = separator === ',' ? offset : undefined;
      if (member !== undefined && separator === ':') {
        member.end = offset + 1;
      }
    },
    onError: (_code: ParseErrorCode, offset: number, length: number): void => this.#fault(offset, length),
  };

  #begin(node: ObjectNode | ArrayNode): void {
    if (this.#open.length >= deepest) {
      throw new TooDeepError(node.start);
    }
    this.#add(node);
    this.#open.push(node);
    this.#comma = undefined;
  }

  #end(end: number): void {
    const node = this.#open.pop();
    if (node !== undefined) {
      node.end = end;
    }
    const holder = this.#open.at(-1);
    const member = holder?.kind === 'object' ? holder.members.at(-1) : undefined;
    if (member !== undefined) {
      member.end = end;
    }
  }

  #add(node: JsonNode): void {
    const holder = this.#open.at(-1);
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

  #fault(start: number, length: number): void {
    if (start < this.#commaEnd) {
      return;
    }
    const end = start + length;
    const found = this.#text.slice(start, start + Math.min(length, 40));
    const isNext = this.#isNext(start);
    if (!isNext && this.#comma !== undefined && found === closing(this.#open.at(-1))) {
      this.#tell({ reason: 'trailing-comma', start: this.#comma, end: this.#comma + 1, found: ',' });
      this.#commaEnd = end;
      return;
    }
    this.#faultEnd = Math.max(this.#faultEnd ?? 0, end);
    if (!isNext) {
      const isEmpty = this.root === undefined && found === '';
      const fault = isEmpty
        ? ({ reason: 'empty', start: 0, end: 0, found } as const)
        : ({ reason: 'syntax-error', start, end, found } as const);
      this.error ??= fault;
      this.#tell(fault);
    }
  }

  /** One message about one place is enough: what follows a fault with nothing between is part of it. */
  #isNext(start: number): boolean {
    const from = this.#faultEnd;
    return from !== undefined && (start < from || this.#text.slice(from, start).trim() === '');
  }

  #tell(fault: SyntaxFault): void {
    if (this.faults.length < mostFaults) {
      this.faults.push(fault);
    }
  }
}

const closing = (holder: ObjectNode | ArrayNode | undefined): string | undefined =>
  holder === undefined ? undefined : holder.kind === 'object' ? '}' : ']';
