import { type ParseErrorCode, visit } from 'jsonc-parser';

/** A value of a document with its place in the text. */
export type JsonNode = ObjectNode | ArrayNode | LiteralNode;

interface Placed {
  readonly start: number;
  end: number;
}

export interface ObjectNode extends Placed {
  readonly kind: 'object';
  readonly members: JsonMember[];
}

export interface ArrayNode extends Placed {
  readonly kind: 'array';
  readonly items: JsonNode[];
}

export interface LiteralNode extends Placed {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null;
}

/** `"key": value`; the value is missing where the text is not finished. */
export interface JsonMember extends Placed {
  readonly key: string;
  readonly keyEnd: number;
  value: JsonNode | undefined;
}

export type JsonPath = readonly (string | number)[];

export type SyntaxReason = 'syntax-error' | 'trailing-comma' | 'too-deep' | 'empty';

export interface SyntaxFault {
  readonly reason: SyntaxReason;
  readonly start: number;
  readonly end: number;
  /** What stands there; blank for what is missing. */
  readonly found: string;
}

export interface JsonDocument {
  /** What the text holds, as far as it can be read. */
  readonly root: JsonNode | undefined;
  readonly faults: readonly SyntaxFault[];
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
  const builder = new TreeBuilder(text);
  try {
    visit(text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text, builder.visitor);
  } catch (error) {
    if (!(error instanceof TooDeepError)) {
      throw error;
    }
    const { offset } = error;
    const fault = { reason: 'too-deep', start: offset, end: offset + 1, found: '' } as const;
    return { root: undefined, faults: [fault] };
  }
  return { root: builder.root, faults: builder.faults };
}

/** Collects what the parser meets. A tree of our own, since one member more or less must cost nothing. */
class TreeBuilder {
  root: JsonNode | undefined;
  readonly faults: SyntaxFault[] = [];
  readonly #text: string;
  readonly #open: (ObjectNode | ArrayNode)[] = [];
  /** Where the last token was a comma, its place. */
  #comma: number | undefined;
  /** Where the last fault ends, told or not. */
  #faultEnd: number | undefined;

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

  /** One message about one place is enough: what follows a fault with nothing between is part of it. */
  #fault(offset: number, length: number): void {
    const from = this.#faultEnd;
    const isNext = from !== undefined && (offset < from || this.#text.slice(from, offset).trim() === '');
    this.#faultEnd = Math.max(from ?? 0, offset + length);
    if (isNext || this.faults.length >= mostFaults) {
      return;
    }
    const found = this.#text.slice(offset, offset + Math.min(length, 40));
    if (this.#comma !== undefined && (found === '}' || found === ']')) {
      this.faults.push({ reason: 'trailing-comma', start: this.#comma, end: this.#comma + 1, found: ',' });
    } else if (this.#text.trim() === '') {
      this.faults.push({ reason: 'empty', start: 0, end: 0, found: '' });
    } else {
      this.faults.push({ reason: 'syntax-error', start: offset, end: offset + length, found });
    }
  }
}

/** The members of an object by key. Of a key that stands twice the last one counts, as for every JSON reader. */
export function lastMembers(node: ObjectNode): ReadonlyMap<string, JsonMember> {
  return new Map(node.members.map((member) => [member.key, member]));
}

/** The text of a literal; `undefined` for everything else. */
export function textOf(node: JsonNode | undefined): string | undefined {
  return node?.kind === 'literal' && typeof node.value === 'string' ? node.value : undefined;
}

export const isNull = (node: JsonNode | undefined): boolean =>
  node === undefined || (node.kind === 'literal' && node.value === null);

/** The plain value that a node stands for. */
export function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'array':
      return node.items.map(valueOf);
    case 'object':
      return Object.fromEntries(
        node.members.map(({ key, value }) => [key, value === undefined ? null : valueOf(value)]),
      );
  }
}

/** What is at a path: the value, and the member that holds it where it is in an object. */
export function nodeAt(
  root: JsonNode | undefined,
  path: JsonPath,
): { readonly node: JsonNode | undefined; readonly member: JsonMember | undefined } | undefined {
  let node = root;
  let member: JsonMember | undefined;
  for (const step of path) {
    member = undefined;
    if (node?.kind === 'object' && typeof step === 'string') {
      member = node.members.findLast(({ key }) => key === step);
      if (member === undefined) {
        return undefined;
      }
      node = member.value;
    } else if (node?.kind === 'array' && typeof step === 'number') {
      node = node.items[step];
    } else {
      return undefined;
    }
    if (node === undefined && member === undefined) {
      return undefined;
    }
  }
  return { node, member };
}
