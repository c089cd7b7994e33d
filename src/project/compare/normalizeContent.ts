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
      return sortListOfObjects(normalizeRules(content), ['shares', 'members']);
    case 'viewpoint':
      return normalizeViewpoint(omitNullMembers(content));
    case 'relation':
      return removeNullsAndSort(content, 'columns');
    case 'datamodel':
      return removeNullsAndSort(content, 'relationsTables');
    case 'dataset':
    case 'table':
      return removeNulls(content);
    case 'tableExpression':
    case 'columnExpression':
    case 'customData':
      return content;
  }
}

/**
 * Normalizes the content of a file like {@link normalizeContent}, but keeps null as the value of a member of an item or
 * column: in a file, it means that the instance shouldn't have the member, whereas an absent member isn't managed.
 */
export function normalizeWanted(key: ItemKey, content: JsonValue): JsonValue {
  const normalized = normalizeContent(key, content);
  if (!isJsonObject(normalized) || !isJsonObject(content)) {
    return normalized;
  }
  const { columns } = content;
  const withNulls = addNulls(normalized, content);
  return key.kind === 'table' && isJsonArray(columns) && isJsonArray(withNulls['columns'])
    ? {
        ...withNulls,
        columns: withNulls['columns'].map((column, index) => {
          const original = columns[index];
          return isJsonObject(column) && isJsonObject(original) ? addNulls(column, original) : column;
        }),
      }
    : withNulls;
}

/**
 * Adds the members that are null in the original object to the normalized one, unless normalizing has given them a
 * value, such as `enabled`.
 */
const addNulls = (normalized: JsonObject, original: JsonObject): JsonObject => {
  const nulls = Object.entries(original).filter(
    ([name, value]) => value === null && !Object.hasOwn(normalized, name),
  );
  return nulls.length === 0 ? normalized : { ...normalized, ...Object.fromEntries(nulls) };
};

/**
 * Sorts the parties of a viewpoint, and sets both members that state whether it's published if only one does. The one
 * of the visibility is used when the viewpoint is created, and how an existing one is published isn't documented
 * (rest-api.md, "Viewpoint publication"). Two members that contradict each other stay as they are: which one a server
 * follows isn't documented either, and a file with both is refused.
 */
function normalizeViewpoint(content: JsonValue): JsonValue {
  if (!isJsonObject(content) || !isJsonObject(content['visibility'])) {
    return content;
  }
  const { enabled: stateInVisibility, ...others } = content['visibility'];
  const visibility = sortMemberLists(others, ['groups', 'users']);
  const enabled = content['enabled'] ?? stateInVisibility ?? undefined;
  return enabled === undefined
    ? { ...content, visibility }
    : { ...content, enabled, visibility: { ...visibility, enabled: stateInVisibility ?? enabled } };
}

/** Removes the members of an item that are null. Nulls inside other members are kept. */
const omitNullMembers = (content: JsonValue): JsonValue =>
  isJsonObject(content) && Object.values(content).includes(null)
    ? Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null))
    : content;

const sortByCanonicalText = (values: readonly JsonValue[]): readonly JsonValue[] =>
  sortByText(values, (value) => toCanonicalText(value));

/** Sorts a list of objects, and the named members of each that are lists. */
const sortListOfObjects = (list: JsonValue, names: readonly string[]): JsonValue =>
  isJsonArray(list)
    ? sortByCanonicalText(list.map((item) => (isJsonObject(item) ? sortMemberLists(item, names) : item)))
    : list;

/** Sorts the named members of an object that are lists. */
const sortMemberLists = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([name, member]) => [
      name,
      names.includes(name) && isJsonArray(member) ? sortByCanonicalText(member) : member,
    ]),
  );

function removeNullsAndSort(content: JsonValue, listName: string): JsonValue {
  const value = removeNulls(content);
  return isJsonObject(value) ? sortMemberLists(value, [listName]) : value;
}

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
export const sortRelationColumns = <Column extends { readonly table: string; readonly column: string }>(
  columns: readonly Column[],
): readonly Column[] =>
  columns.toSorted((a, b) => compareTexts(a.table, b.table) || compareTexts(a.column, b.column));
