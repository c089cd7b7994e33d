import { jsonEquals, toCanonicalText } from '../../base/canonicalJson.ts';
import { compareSequences } from '../../base/compareSequences.ts';
import { type JsonObject, type JsonValue, getMember, isJsonObject, stringify } from '../../base/json.ts';
import { escapePointerToken } from '../../base/jsonPointer.ts';
import { omitMembers } from '../../changes/model/jsonMembers.ts';
import { listAddedMembers } from '../../project/compare/instanceDefaults.ts';
import { renamedFromMember } from '../../project/item.ts';

/** A value of an item that differs. */
export interface ValueDifference {
  /** A JSON pointer without the first slash, such as `columns/Segment/type`. */
  readonly path: string;
  /** `undefined` if there is none. */
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** Longer values are truncated in text output; JSON output contains them in full. */
const maxValueLength = 100;

/**
 * Returns the innermost values that differ. A value that only one side has is one difference. Long lists are compared
 * by their entries, short ones as a whole.
 * @param options.showsAdditions whether properties that only `before` has in a column are differences, except for those
 *   that an instance sets itself. By default, they aren't, because an apply of the file keeps them. In all other
 *   objects, properties that only one side has always are differences
 */
export function findValueDifferences(
  { path, before, after }: ValueDifference,
  { showsAdditions = false }: { readonly showsAdditions?: boolean } = {},
): readonly ValueDifference[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const isColumn = /^columns\/[^/]*$/.test(path);
    const added = showsAdditions ? listAddedMembers(before, after).map(([name]) => name) : [];
    return findMemberDifferences({
      path,
      before,
      after: isColumn ? { ...omitMembers(before, ...added), ...omitFormerName(after) } : after,
    });
  }
  return isList(before) && isList(after) && [before, after].some(isLong)
    ? findEntryDifferences({ path, before, after })
    : [{ path, before, after }];
}

type ValuePair<Value> = { readonly path: string; readonly before: Value; readonly after: Value };

/** Omits the former name of a renamed column: the difference between the names shows the rename already. */
const omitFormerName = (column: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(column).filter(([name]) => name !== renamedFromMember));

const findMemberDifferences = ({ path, before, after }: ValuePair<JsonObject>): readonly ValueDifference[] =>
  [...new Set([...Object.keys(after), ...Object.keys(before)])].flatMap((name) => {
    const [oldValue, newValue] = [getMember(before, name), getMember(after, name)];
    return jsonEquals(oldValue, newValue)
      ? []
      : findValueDifferences({ path: joinPath(path, name), before: oldValue, after: newValue });
  });

type JsonList = readonly JsonValue[];

function findEntryDifferences(lists: ValuePair<JsonList>): readonly ValueDifference[] {
  const named = indexEntriesByName(lists);
  return named === undefined ? findListDifferences(lists) : findNamedDifferences(named);
}

/**
 * Returns the entries of two lists by their names or titles; `undefined` if these aren't unique. A column of a
 * viewpoint whose title has changed is the same entry, under its new title.
 */
function indexEntriesByName({
  path,
  before,
  after,
}: ValuePair<JsonList>): ValuePair<ReadonlyMap<string, JsonValue>> | undefined {
  const [named] = ['name', 'title'].flatMap((member) => {
    const [oldEntries, newEntries] = [before, after].map(
      (list) =>
        new Map(
          list.flatMap((entry) => {
            const name = isJsonObject(entry) ? getMember(entry, member) : undefined;
            return typeof name === 'string' ? [[name, entry] as const] : [];
          }),
        ),
    );
    return oldEntries?.size === before.length && newEntries?.size === after.length
      ? [
          {
            path,
            before: member === 'title' ? matchRenamedEntries(oldEntries, newEntries) : oldEntries,
            after: newEntries,
          },
        ]
      : [];
  });
  return named;
}

type Entries = ReadonlyMap<string, JsonValue>;

/** Returns the old entries, each under the title of the new entry that shows the same column in the same way. */
function matchRenamedEntries(before: Entries, after: Entries): Entries {
  const toKey = (entry: JsonValue): string =>
    toCanonicalText(['table', 'column', 'dim', 'level', 'agg'].map((name) => getMember(entry, name) ?? null));
  const groupUnpaired = (entries: Entries, others: Entries) =>
    Map.groupBy(
      [...entries].filter(
        ([title, entry]) => !others.has(title) && typeof getMember(entry, 'column') === 'string',
      ),
      ([, entry]) => toKey(entry),
    );
  const added = groupUnpaired(after, before);
  const newTitles = new Map(
    [...groupUnpaired(before, after)].flatMap(([key, [oldEntry, ...otherOld]]) => {
      const [newEntry, ...otherNew] = added.get(key) ?? [];
      // If several entries show the same column, it's unknown which of them became which.
      return oldEntry === undefined || newEntry === undefined || otherOld.length + otherNew.length > 0
        ? []
        : [[oldEntry[0], newEntry[0]] as const];
    }),
  );
  return new Map([...before].map(([title, entry]) => [newTitles.get(title) ?? title, entry]));
}

function findNamedDifferences({
  path,
  before,
  after,
}: ValuePair<ReadonlyMap<string, JsonValue>>): readonly ValueDifference[] {
  const oldOrder = [...before.keys()].filter((name) => after.has(name));
  const newOrder = [...after.keys()].filter((name) => before.has(name));
  return [
    ...findMemberDifferences({ path, before: Object.fromEntries(before), after: Object.fromEntries(after) }),
    ...(jsonEquals(oldOrder, newOrder)
      ? []
      : [{ path: `${path} (order)`, before: oldOrder, after: newOrder }]),
  ];
}

/** Compares lists whose entries have no names. The path of a changed entry contains its index in the new list. */
function findListDifferences({ path, before, after }: ValuePair<JsonList>): readonly ValueDifference[] {
  const differences: ValueDifference[] = [];
  let removed: number[] = [];
  let added: number[] = [];
  const addDifferences = (): void => {
    // Removed and added entries at the same position count as changed entries.
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      const [oldIndex, newIndex] = [removed[index], added[index]];
      differences.push(
        ...findValueDifferences({
          path: joinPath(path, String(newIndex ?? oldIndex)),
          before: oldIndex === undefined ? undefined : before[oldIndex],
          after: newIndex === undefined ? undefined : after[newIndex],
        }),
      );
    }
    [removed, added] = [[], []];
  };
  const steps = compareSequences(
    before.map((entry) => toCanonicalText(entry)),
    after.map((entry) => toCanonicalText(entry)),
  );
  for (const { kind, beforeIndex, afterIndex } of steps) {
    if (kind === 'same') {
      addDifferences();
    } else if (kind === 'removed') {
      removed.push(beforeIndex);
    } else {
      added.push(afterIndex);
    }
  }
  addDifferences();
  return differences;
}

const isList = (value: JsonValue | undefined): value is JsonList => Array.isArray(value);

const joinPath = (path: string, name: string): string =>
  path === '' ? escapePointerToken(name) : `${path}/${escapePointerToken(name)}`;

const isLong = (list: JsonList): boolean => formatValue(list).length > maxValueLength;

/** Formats a value as JSON; `none` if there is no value. */
const formatValue = (value: JsonValue | undefined): string =>
  value === undefined ? 'none' : stringify(value);

/** Formats the values of both sides, truncated to the part that differs. */
export const formatBothValues = ({
  before,
  after,
}: Omit<ValueDifference, 'path'>): readonly [string, string] =>
  truncateToDifference(formatValue(before), formatValue(after));

/** The number of equal characters that are shown before a difference. */
const contextLength = 20;

/** Truncates two texts to the part that differs; short texts are unchanged. */
export function truncateToDifference(
  before: string,
  after: string,
  maxLength = maxValueLength,
): readonly [string, string] {
  if (Math.max(before.length, after.length) <= maxLength) {
    return [before, after];
  }
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) {
    start += 1;
  }
  const shownFrom = Math.max(0, start - contextLength);
  return [truncateText(before, maxLength, shownFrom), truncateText(after, maxLength, shownFrom)];
}

/** Truncates a text, with an ellipsis at each end that is omitted. */
export const truncateText = (text: string, maxLength: number, start = 0): string =>
  `${start > 0 ? '…' : ''}${text.slice(start, start + maxLength)}${text.length > start + maxLength ? '…' : ''}`;
