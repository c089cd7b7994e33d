import type { JsonPath, JsonValue } from '../../base/json.ts';

/** A node of the syntax tree: a value with its range in the text. */
export type JsonNode = ObjectNode | ArrayNode | LiteralNode;

interface JsonRange {
  readonly start: number;
  end: number;
}

export interface ObjectNode extends JsonRange {
  readonly kind: 'object';
  readonly members: JsonMember[];
}

export interface ArrayNode extends JsonRange {
  readonly kind: 'array';
  readonly items: JsonNode[];
}

export type Container = ObjectNode | ArrayNode;

export interface LiteralNode extends JsonRange {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null;
}

/** A property (`"key": value`); `value` is `undefined` if it is missing in the text. */
export interface JsonMember extends JsonRange {
  readonly key: string;
  readonly keyEnd: number;
  value: JsonNode | undefined;
}

/** Returns the members of an object or the items of an array. */
export const getEntries = (container: Container): readonly (JsonMember | JsonNode)[] =>
  container.kind === 'object' ? container.members : container.items;

/** Returns the members of an object by key. If a key is repeated, its last member counts, as with `JSON.parse`. */
export function getMembersByKey(node: ObjectNode): ReadonlyMap<string, JsonMember> {
  const members = new Map<string, JsonMember>();
  for (const member of node.members) {
    members.set(member.key, member);
  }
  return members;
}

/** Returns the value of a string literal; `undefined` for any other node. */
export function getLiteralText(node: JsonNode | undefined): string | undefined {
  return node?.kind === 'literal' && typeof node.value === 'string' ? node.value : undefined;
}

export const isNullOrMissing = (node: JsonNode | undefined): boolean =>
  node === undefined || (node.kind === 'literal' && node.value === null);

/** Converts a node to a plain value. If a key is repeated, its last member counts. */
export function toJsonValue(node: JsonNode): JsonValue {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'array':
      return node.items.map(toJsonValue);
    case 'object':
      // Assigning the properties would fail for the valid key `__proto__`.
      return Object.fromEntries(
        node.members.map(({ key, value }) => [key, value === undefined ? null : toJsonValue(value)]),
      );
  }
}

/** Finds the node at a path and, if its parent is an object, its member. */
export function findNodeAtPath(
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
