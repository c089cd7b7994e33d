import { jsonEquals, toCanonicalText } from '../../base/canonicalJson.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
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
 * The ID of a table comes from its source (platform-facts.md, 2.2).
 */
export const isItemDefault = ({ kind }: ItemKey, member: string, value: JsonValue): boolean =>
  isEmpty(value) || (kind === 'table' && member === 'id') || jsonEquals(value, itemDefaults[kind]?.[member]);

/**
 * Returns the members that only the instance has in a column, except for those that were set by the instance itself.
 * Columns have `indexed` (platform-facts.md, 2.2); that it's true by default is what the sandbox does.
 */
export const listAddedMembers = (
  seen: JsonObject,
  wanted: JsonObject,
): readonly (readonly [name: string, value: JsonValue])[] =>
  Object.entries(seen).filter(
    ([name, value]) =>
      !(
        Object.hasOwn(wanted, name) ||
        derivedMembers.has(name) ||
        isEmpty(value) ||
        (name === 'indexed' && value === true)
      ),
  );

const isEmpty = (value: JsonValue): boolean => emptyValues.has(toCanonicalText(value));
