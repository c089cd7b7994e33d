import { escapePointerToken, unescapePointer } from '../../base/jsonPointer.ts';
import { hash } from 'node:crypto';
import { toCanonicalText } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { getNamedEntries } from '../namedEntries.ts';

/**
 * The hashes of the parts of an item, by JSON pointer. The parts are the members of an object and, one level below, the
 * members of objects and the entries of lists whose entries have names, such as `/columns/Full Name`. A content that is
 * not an object is a single part. Members of objects are sorted; entries of lists are in their order.
 */
export type PartHashes = ReadonlyMap<string, string>;

/** A value that is divided into parts. */
export type PartContainer =
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, JsonValue> }
  | { readonly kind: 'list'; readonly members: ReadonlyMap<string, JsonObject> };

/** The number of hexadecimal digits of a hash. */
const hashLength = 16;

/** The number of levels of a value that are divided into parts. */
const maxDepth = 2;

/** Returns the hashes of all parts of an item. */
export function hashParts(content: JsonValue): PartHashes {
  const hashes = new Map<string, string>();
  addPartHashes(content, '', 0, hashes);
  return hashes;
}

/**
 * Adds the hashes of all parts of the value at a pointer to `hashes`.
 * @param depth the number of tokens in the pointer
 * @param isEntry whether the value is an entry of a list, which changes its hash
 */
export function addPartHashes(
  value: JsonValue,
  pointer: string,
  depth: number,
  hashes: Map<string, string>,
  isEntry = false,
): void {
  const container = getContainer(value, depth);
  if (container === undefined || container.members.size === 0) {
    hashes.set(pointer, hashValue(value, isEntry));
    return;
  }
  const isList = container.kind === 'list';
  for (const name of isList ? container.members.keys() : [...container.members.keys()].toSorted()) {
    addPartHashes(container.members.get(name) ?? null, appendToken(pointer, name), depth + 1, hashes, isList);
  }
}

/**
 * Returns a value as a container; `undefined` if it is a single part. A container without members is a single part,
 * too.
 */
export function getContainer(value: JsonValue | undefined, depth: number): PartContainer | undefined {
  if (value === undefined || depth >= maxDepth) {
    return undefined;
  }
  if (isJsonObject(value)) {
    return { kind: 'object', members: new Map(Object.entries(value)) };
  }
  const entries = depth > 0 && isJsonArray(value) ? getNamedEntries(value) : undefined;
  return entries === undefined ? undefined : { kind: 'list', members: entries };
}

/** Returns the pointer of a member of the value at a pointer. */
export const appendToken = (pointer: string, name: string): string =>
  `${pointer}/${escapePointerToken(name)}`;

/** Returns the name of the member of an item that a pointer with a single token refers to. */
export const getRootMemberName = (pointer: string): string => unescapePointer(pointer.slice(1));

/** Returns the part of an item at a pointer; `undefined` if it has none. */
export const getPart = (content: JsonValue | undefined, pointer: string): JsonValue | undefined =>
  pointer
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>(
      (value, token, depth) => getContainer(value, depth)?.members.get(unescapePointer(token)),
      content,
    );

/**
 * Hashes a value. An entry of a list and a member of an object have different hashes even if their values are equal.
 */
const hashValue = (value: JsonValue, isEntry: boolean): string =>
  hash('sha256', `${isEntry ? 'entry ' : ''}${toCanonicalText(value)}`).slice(0, hashLength);

const nullHash = hashValue(null, false);

/** Returns whether a part is a member of an item that was null. */
export const isNullMember = ([pointer, hash]: readonly [string, string]): boolean =>
  hash === nullHash && pointer.lastIndexOf('/') === 0;
