import { toCanonicalText } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { compareTexts, sortByText } from '../../base/sortByText.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { settingsMembers } from '../instance/cleanDocument.ts';
import { normalizeRules } from '../instance/convertRules.ts';
import type { ItemKey } from '../item.ts';

/**
 * Normalizes the content of an item, so that contents with the same meaning are equal, whether a person or a pull wrote
 * them: the order of rules, of their parties and values, of the columns of a relation, and of the parties of a
 * viewpoint has no meaning, and null stands for an absent member (platform-facts.md, 2.2).
 */
export function normalizeContent({ kind }: ItemKey, content: JsonValue): JsonValue {
  switch (kind) {
    case 'rules':
    case 'cubeSetRules':
      return sortLists(normalizeRules(content), ['shares', 'members']);
    case 'viewpoint':
      return isJsonObject(content) && isJsonObject(content['visibility'])
        ? {
            ...content,
            visibility: sortMembers(
              // Both members state whether the viewpoint is published. The one of the visibility is used when the
              // viewpoint is created, and how an existing one is published isn't documented (rest-api.md, "Viewpoint
              // publication"), so both get the same value.
              content['enabled'] === undefined
                ? content['visibility']
                : { ...content['visibility'], enabled: content['enabled'] },
              ['groups', 'users'],
            ),
          }
        : content;
    case 'relation':
      return sortMembers(removeNulls(content), ['columns']);
    case 'datamodel':
      return sortMembers(removeNulls(content), ['relationsTables']);
    case 'dataset':
    case 'table':
      return removeNulls(content);
    case 'tableExpression':
    case 'columnExpression':
    case 'customData':
      return content;
  }
}

const sortByCanonicalText = (values: readonly JsonValue[]): readonly JsonValue[] =>
  sortByText(values, (value) => toCanonicalText(value));

/** Sorts a list of objects, and the lists that are their members. */
const sortLists = (list: JsonValue, members: readonly string[]): JsonValue =>
  isJsonArray(list) ? sortByCanonicalText(list.map((item) => sortMembers(item, members))) : list;

/** Sorts the lists that are members of an object. */
const sortMembers = (value: JsonValue, members: readonly string[]): JsonValue =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          members.includes(name) && isJsonArray(member) ? sortByCanonicalText(member) : member,
        ]),
      )
    : value;

/** Removes the members that are null, except in settings of a connector, where null can have a meaning. */
function removeNulls(value: JsonValue): JsonValue {
  if (!hasNulls(value)) {
    // Most contents have no nulls, and copying each would take longer than everything else.
    return value;
  }
  if (isJsonArray(value)) {
    return value.map(removeNulls);
  }
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, member]): readonly (readonly [string, JsonValue])[] =>
          member === null ? [] : [[name, settingsMembers.has(name) ? member : removeNulls(member)]],
        ),
      )
    : value;
}

const hasNulls = (value: JsonValue): boolean =>
  value === null ||
  (isJsonArray(value) ? value.some(hasNulls) : isJsonObject(value) && Object.values(value).some(hasNulls));

/** Returns the columns of a table by name, in their order. */
export function getColumnsByName(table: JsonValue | undefined): ReadonlyMap<string, JsonObject> {
  const columns = isJsonObject(table) ? table['columns'] : undefined;
  return new Map(
    isJsonArray(columns)
      ? columns.filter(isJsonObject).flatMap((column) => {
          const { name } = column;
          return typeof name === 'string' ? [[name, column] as const] : [];
        })
      : [],
  );
}

/** Sorts the column names of a relation in the same way as in its key. */
export const sortColumnNames = <Column extends { readonly table: string; readonly column: string }>(
  columns: readonly Column[],
): readonly Column[] =>
  columns.toSorted((a, b) => compareTexts(a.table, b.table) || compareTexts(a.column, b.column));
