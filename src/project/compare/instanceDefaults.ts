import { jsonEquals, toCanonicalText } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import type { ItemKey } from '../item.ts';

const emptyValues: ReadonlySet<string> = new Set(['null', 'false', '""', '[]', '{}']);

/**
 * What the sandbox sets in items that are created without it, in addition to empty values. Instances have these members
 * (platform-facts.md, 2.2 and 2.4), but their defaults aren't documented: any other value counts as set by others, so a
 * pull adds it to the file.
 */
const itemDefaults: Partial<Readonly<Record<ItemKey['kind'], JsonObject>>> = {
  datamodel: { relationType: 'direct', analyticalEngine: { queryAeMode: 'AE_ONLY' } },
  table: { type: 'base', buildBehavior: { type: 'sync' } },
};

/** What instances derive from the source of a column (platform-facts.md, 2.2). */
const derivedMembers: ReadonlySet<string> = new Set(['id', 'type', 'size', 'precision', 'scale']);

/**
 * Returns whether an instance sets a member of an item to a value by itself, if a request creates the item without it.
 * The ID of a table comes from its source (platform-facts.md, 2.2). Custom data is stored as it was sent (rest-api.md,
 * "Custom data object").
 */
export const isItemDefault = (key: ItemKey, member: string, value: JsonValue): boolean =>
  key.kind !== 'customData' && ((key.kind === 'table' && member === 'id') || isCleared(key, member, value));

/** Returns whether a member of an item has the value that it has without being set: null in a file stands for it. */
export const isCleared = ({ kind }: ItemKey, member: string, value: JsonValue): boolean =>
  isEmpty(value) ||
  (kind === 'viewpoint' && member === 'visibility'
    ? isUnshared(value)
    : jsonEquals(value, itemDefaults[kind]?.[member]));

/**
 * Returns whether a member of an item means the same in two values although they aren't equal: two visibilities of a
 * viewpoint where one leaves out empty lists.
 */
export const meansTheSame = (
  { kind }: ItemKey,
  member: string,
  { before, after }: { readonly before: JsonValue | undefined; readonly after: JsonValue },
): boolean =>
  kind === 'viewpoint' &&
  member === 'visibility' &&
  isJsonObject(before) &&
  isJsonObject(after) &&
  jsonEquals(omitEmptyLists(before), omitEmptyLists(after));

const omitEmptyLists = (visibility: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(visibility).filter(([name, value]) => name === 'enabled' || !isEmpty(value)),
  );

/**
 * Returns the visibility that a file wants for a viewpoint, with the current state of publication if the file doesn't
 * state one: like every member that isn't in a file, it stays as it is. A visibility is replaced as a whole, so a
 * request has to contain it (rest-api.md, "PUT /infusion/viewpoints").
 */
export const keepPublication = (
  { kind }: ItemKey,
  name: string,
  { before, after }: { readonly before: JsonValue | undefined; readonly after: JsonValue },
): JsonValue => {
  const enabled = getMember(before, 'enabled');
  return kind === 'viewpoint' &&
    name === 'visibility' &&
    isJsonObject(after) &&
    (after['enabled'] ?? undefined) === undefined &&
    enabled !== undefined
    ? { ...after, enabled }
    : after;
};

/**
 * Returns the current value of a member that a file states. A server may keep the two states of publication of a
 * viewpoint apart, and which one it follows isn't documented (rest-api.md, "Viewpoint publication"): if the file states
 * only `enabled`, without a visibility, the value is that of the visibility if only that one differs.
 */
export function getCurrentValue(
  { kind }: ItemKey,
  name: string,
  { wanted, current }: { readonly wanted: JsonObject; readonly current: JsonObject },
): JsonValue | undefined {
  const value = getMember(current, name);
  return kind === 'viewpoint' &&
    name === 'enabled' &&
    !isJsonObject(wanted['visibility']) &&
    value === wanted[name]
    ? (getMember(current['visibility'], name) ?? value)
    : value;
}

/**
 * Returns whether a visibility shares a viewpoint with no one, as instances set it in new viewpoints. Its `enabled`
 * repeats that of the viewpoint (rest-api.md, "Viewpoint publication").
 */
const isUnshared = (visibility: JsonValue): boolean =>
  isJsonObject(visibility) &&
  Object.entries(visibility).every(([name, value]) => name === 'enabled' || isEmpty(value));

/**
 * Returns whether a member of a column has the value that it has without being set. Columns have `indexed` and `import`
 * (platform-facts.md, 2.2); that the first is true by default is what the sandbox does, and the second what the
 * vendor's contract says (platform-facts.md, "ColumnInput").
 */
export const isClearedInColumn = (member: string, value: JsonValue): boolean =>
  trueByDefault.has(member) ? value === true || value === null : isEmpty(value);

/** Returns what a request sets a member of a column to if the file has null. */
export const getClearedColumnValue = (member: string): JsonValue => (trueByDefault.has(member) ? true : null);

const trueByDefault: ReadonlySet<string> = new Set(['indexed', 'import']);

/**
 * The members that no request can remove from an item, because they always have a value, or because they decide who has
 * access.
 */
const lastingMembers: Partial<Readonly<Record<ItemKey['kind'], ReadonlySet<string>>>> = {
  table: new Set(['id', 'type']),
  // How sharing ends isn't documented (rest-api.md, "Viewpoint API").
  viewpoint: new Set(['enabled', 'visibility', 'details']),
};

/** Returns whether null in a file can remove a member of an item. */
export const isRemovable = ({ kind }: ItemKey, member: string): boolean =>
  lastingMembers[kind]?.has(member) !== true;

/**
 * Returns whether null in a file can remove a member of a column: not what comes from its source, or makes it custom.
 */
export const isRemovableInColumn = (member: string): boolean =>
  !derivedMembers.has(member) && member !== 'isCustom';

/**
 * Returns the members that only the instance has in a column, except for those that were set by the instance itself.
 */
export const listAddedMembers = (
  current: JsonObject,
  wanted: JsonObject,
): readonly (readonly [name: string, value: JsonValue])[] =>
  Object.entries(current).filter(
    ([name, value]) =>
      !(Object.hasOwn(wanted, name) || derivedMembers.has(name) || isClearedInColumn(name, value)),
  );

const isEmpty = (value: JsonValue): boolean => emptyValues.has(toCanonicalText(value));
