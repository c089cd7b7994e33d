import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { JsonValue } from '../base/json.ts';

/** Why a text is no JSON; `offset` is where the first trouble is. */
export interface JsonTextError {
  /** A code of jsonc-parser such as `CommaExpected`, or `TooDeep`. */
  readonly code: string;
  readonly offset: number;
}

/** A JSON text as it was read: comments and trailing commas are allowed (`jsonc`; design.md, section 2). */
export interface JsonText {
  readonly text: string;
  /** `undefined` where the text holds no value: it is empty, or has comments alone. */
  readonly root: Node | undefined;
  readonly value: JsonValue | undefined;
  readonly error: JsonTextError | undefined;
}

const parseOptions = { disallowComments: false, allowTrailingComma: true, allowEmptyContent: true };

/** Reads any text, and never throws: what is no JSON says where it ceases to be. */
export function readJsonText(text: string): JsonText {
  const errors: ParseError[] = [];
  try {
    // A byte-order mark is no whitespace to the parser; a blank in its place leaves every offset as it is.
    const readable = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
    const root = parseTree(readable, errors, parseOptions);
    const [first] = errors;
    const error =
      first === undefined ? undefined : { code: printParseErrorCode(first.error), offset: first.offset };
    return { text, root, value: root === undefined ? undefined : valueOf(root), error };
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
    // The parser calls itself for each level; this text has more of them than the stack holds.
    return { text, root: undefined, value: undefined, error: { code: 'TooDeep', offset: 0 } };
  }
}

/** The value of a node; the last of several properties of one name counts, as in `JSON.parse`. */
function valueOf(node: Node): JsonValue {
  if (node.type === 'array') {
    return (node.children ?? []).map(valueOf);
  }
  // Not by assignment: `__proto__` is a name like any other.
  return node.type === 'object'
    ? Object.fromEntries(propertiesOf(node).map(({ name, value }) => [name, valueOf(value)]))
    : (node.value as JsonValue);
}

/** A property of an object, as it stands in the text. */
export interface PropertyNode {
  readonly node: Node;
  readonly name: string;
  readonly value: Node;
}

/** The complete properties of an object in their order; half-typed ones have no value yet and are left out. */
export function propertiesOf(object: Node): readonly PropertyNode[] {
  return (object.children ?? []).flatMap((node) => {
    const [name, value] = node.children ?? [];
    return name === undefined || value === undefined ? [] : [{ node, name: String(name.value), value }];
  });
}
