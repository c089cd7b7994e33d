import type * as z from 'zod';
import { type JsonValue, isJsonObject, isRawNumber, mapMembers } from '../base/json.ts';
import type { UnreadableItem } from '../contract/partialResult.ts';
import { getPlainCheck } from '../contract/plainCheck.ts';

/**
 * Lists within a datamodel from which a single unreadable item is omitted (rest-api.md, "Datamodel API"). Everything
 * else is read completely or not at all: a rule without one of its parties, or a table without one of its columns,
 * would have a different meaning.
 */
const embeddedLists: ReadonlySet<string | number> = new Set(['datasets', 'tables', 'relations']);

/**
 * The keys on the path to an item in those lists: their own, and `schema`, in which a dataset has its tables
 * (platform-facts.md, 2.2).
 */
const keysOnItemPath: ReadonlySet<string> = new Set(['datasets', 'tables', 'relations', 'schema']);

/**
 * Maximum number of attempts to parse an item without its faulty parts; a schema normally reports all of them the first
 * time.
 */
const maxAttempts = 5;

/** An item in which more embedded items than this are faulty is considered something other than what was requested. */
const maxFaultyItems = 500;

/** Maximum number of unreadable items to list; further ones are only counted. */
const maxListedItems = 1000;

type Path = readonly (string | number)[];

interface Fault {
  readonly path: Path;
  readonly expected: string | undefined;
}

/** The readable part of an item. */
interface PartialItem<T> {
  /** Absent if nothing of it could be read. */
  readonly parsed?: { readonly data: T };
  readonly unreadable: readonly UnreadableItem[];
}

/** The readable part of a list. */
interface PartialItems<T> {
  readonly parsedItems: readonly T[];
  readonly unreadable: readonly UnreadableItem[];
  /** Number of further unreadable items. */
  readonly omittedCount: number;
}

/**
 * Reads the items of a list by their schema. Once `maxListedItems` are listed as unreadable, a further item is only
 * counted if a fast check shows that nothing of it can be read.
 * @param path the position of the list in the response
 */
export function parseItems<T>(
  schema: z.ZodType<T>,
  items: readonly JsonValue[],
  path: Path,
): PartialItems<T> {
  const parsedItems: T[] = [];
  const unreadable: UnreadableItem[] = [];
  let omittedCount = 0;
  for (const [index, item] of items.entries()) {
    if (unreadable.length >= maxListedItems && !mayBeReadable(schema, item)) {
      omittedCount += 1;
      continue;
    }
    const result = readItem(schema, item, [...path, index]);
    if (result.parsed !== undefined) {
      parsedItems.push(result.parsed.data);
    }
    for (const unreadableItem of result.unreadable) {
      if (unreadable.length < maxListedItems) {
        unreadable.push(unreadableItem);
      } else {
        omittedCount += 1;
      }
    }
  }
  return { parsedItems, unreadable, omittedCount };
}

/** False for an item of which nothing can be read. This check is ten times as fast as finding the item's faults. */
function mayBeReadable(schema: z.ZodType, item: JsonValue): boolean {
  if (!isJsonObject(item)) {
    return false;
  }
  if (Object.keys(item).some((key) => keysOnItemPath.has(key))) {
    return true;
  }
  const result = catchStackOverflow(() => schema._zod.run({ value: item, issues: [] }, { async: false }));
  return result !== undefined && !(result instanceof Promise) && result.issues.length === 0;
}

/**
 * Reads one item by its schema, without the unreadable items in it.
 * @param path its position in the response
 */
export function readItem<T>(schema: z.ZodType<T>, item: JsonValue, path: Path): PartialItem<T> {
  const removed = new Map<string, UnreadableItem>();
  const createUnreadable = (fault: Partial<Fault>): PartialItem<T> => ({
    unreadable: [{ path, faultPath: fault.path ?? [], expected: fault.expected, item }],
  });
  if (getPlainCheck(schema)(item)) {
    // The schema would return the same.
    return { parsed: { data: item as T }, unreadable: [] };
  }
  // A number that is kept as its source text is an object to a schema.
  if (isRawNumber(item)) {
    return createUnreadable({ expected: 'object' });
  }
  const [fatalFault] = isLarge(item) ? findFatalFaults(getFaults(tryParse(schema, truncateLists(item)))) : [];
  if (fatalFault !== undefined) {
    return createUnreadable(fatalFault);
  }
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const result = tryParse(schema, omitPaths(item, removed, []));
    if (result?.success === true) {
      const unreadable = [...removed.values()].map((removedItem) => ({
        ...removedItem,
        path: [...path, ...removedItem.path],
      }));
      return { parsed: { data: result.data }, unreadable };
    }
    const faults = getFaults(result);
    const [fault] = findFatalFaults(faults);
    if (fault !== undefined) {
      return createUnreadable(fault);
    }
    // All paths refer to this attempt: translate every one before removing anything.
    const originalFaults = faults.map((attemptFault) => ({
      ...attemptFault,
      path: getOriginalPath(attemptFault.path, removed),
    }));
    for (const originalFault of originalFaults.toSorted(
      (a, b) => (getItemPathLength(a.path) ?? 0) - (getItemPathLength(b.path) ?? 0),
    )) {
      markRemoved(item, removed, originalFault);
    }
  }
  return createUnreadable({});
}

type ParseResult<T> = z.ZodSafeParseResult<T> | undefined;

/** Parses an item; returns `undefined` if it has more faults than the schema can report. */
const tryParse = <T>(schema: z.ZodType<T>, item: JsonValue): ParseResult<T> =>
  catchStackOverflow(() => schema.safeParse(item));

/**
 * Runs a callback; returns `undefined` if the stack overflows. A schema passes the faults of a list as arguments of one
 * call, and a hundred thousand of them overflow the stack.
 */
function catchStackOverflow<T>(callback: () => T): T | undefined {
  try {
    return callback();
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function getFaults(result: ParseResult<unknown>): readonly Fault[] {
  if (result === undefined) {
    return [{ path: [], expected: undefined }];
  }
  return result.error?.issues.map(toFault) ?? [];
}

/** The faults that make the item unreadable, because of their position or number. */
function findFatalFaults(faults: readonly Fault[]): readonly Fault[] {
  const faultsOutsideItems = faults.filter((fault) => getItemPathLength(fault.path) === undefined);
  const countFaultyItems = (): number =>
    new Set(faults.map(({ path }) => JSON.stringify(path.slice(0, getItemPathLength(path))))).size;
  return faultsOutsideItems.length === 0 &&
    faults.length > maxFaultyItems &&
    countFaultyItems() > maxFaultyItems
    ? faults
    : faultsOutsideItems;
}

/** True if the lists of an item are so large that finding all faults could take long. */
function isLarge(item: JsonValue): boolean {
  const pendingValues: unknown[] = [item];
  let count = 0;
  for (
    let value = pendingValues.pop();
    value !== undefined && count <= maxFaultyItems;
    value = pendingValues.pop()
  ) {
    count += Array.isArray(value) ? value.length : 0;
    for (const inner of count > maxFaultyItems ? [] : Object.values(Object(value))) {
      if (typeof inner === 'object' && inner !== null) {
        pendingValues.push(inner);
      }
    }
  }
  return count > maxFaultyItems;
}

const isObjectOrArray = (value: JsonValue): boolean => typeof value === 'object' && value !== null;

/** A large item with only the first entries of its lists: if those are wrong, the others do not matter. */
function truncateLists(item: JsonValue): JsonValue {
  let remainingCount = 2 * maxFaultyItems;
  const truncate = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) {
      const truncatedList: JsonValue[] = [];
      for (const inner of value as readonly JsonValue[]) {
        if (remainingCount === 0) {
          break;
        }
        remainingCount -= 1;
        truncatedList.push(truncate(inner));
      }
      return truncatedList;
    }
    // Most objects are columns, which contain no lists.
    return isJsonObject(value) && Object.values(value).some(isObjectOrArray)
      ? mapMembers(value, (inner) => truncate(inner))
      : value;
  };
  return catchStackOverflow(() => truncate(item)) ?? null;
}

/**
 * The position and kind of a fault. Of the alternatives of a union, the last one is the most informative: the others
 * are only fast checks.
 */
function toFault(issue: z.core.$ZodIssue): Fault {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  const inner = issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0] : undefined;
  if (inner === undefined) {
    return { path, expected: describeExpected(issue) };
  }
  const fault = toFault(inner);
  return { path: [...path, ...fault.path], expected: fault.expected };
}

/** The type that the schema expected, without any part of the actual value. */
function describeExpected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    return issue.expected;
  }
  return issue.code === 'invalid_value' ? issue.values.map(String).join(' | ') : issue.code;
}

/** The length of the path to the innermost item that can be omitted; `undefined` if there is none. */
function getItemPathLength(path: Path): number | undefined {
  const itemIndex = path.findLastIndex(
    (key, index) => typeof key === 'number' && embeddedLists.has(path[index - 1] ?? ''),
  );
  return itemIndex === -1 ? undefined : itemIndex + 1;
}

function markRemoved(item: JsonValue, removed: Map<string, UnreadableItem>, { path, expected }: Fault): void {
  const end = getItemPathLength(path);
  const itemPath = path.slice(0, end);
  const isInsideRemoved = path.some((_, index) => removed.has(JSON.stringify(path.slice(0, index + 1))));
  if (!isInsideRemoved) {
    removed.set(JSON.stringify(itemPath), {
      path: itemPath,
      faultPath: path.slice(end),
      expected,
      item: getValueAt(item, itemPath),
    });
  }
}

/** Converts a path in the item without its removed parts to the path in the original item. */
function getOriginalPath(path: Path, removed: ReadonlyMap<string, unknown>): Path {
  if (removed.size === 0) {
    return path;
  }
  const original: (string | number)[] = [];
  for (const key of path) {
    let [index, remaining] = [-1, typeof key === 'number' ? key : -1];
    while (remaining >= 0) {
      index += 1;
      remaining -= removed.has(JSON.stringify([...original, index])) ? 0 : 1;
    }
    original.push(typeof key === 'number' ? index : key);
  }
  return original;
}

/** The value without the removed items; the same value if nothing was removed. */
function omitPaths(value: JsonValue, removed: ReadonlyMap<string, unknown>, path: Path): JsonValue {
  if (removed.size === 0) {
    return value;
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item, index) => {
      const itemPath = [...path, index];
      return removed.has(JSON.stringify(itemPath)) ? [] : [omitPaths(item, removed, itemPath)];
    });
  }
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, member]) => [
          key,
          keysOnItemPath.has(key) ? omitPaths(member, removed, [...path, key]) : member,
        ]),
      )
    : value;
}

function getValueAt(value: JsonValue, path: Path): JsonValue {
  let current: JsonValue = value;
  for (const key of path) {
    const inner: unknown =
      typeof current === 'object' && current !== null ? Reflect.get(current, key) : undefined;
    current = (inner ?? null) as JsonValue;
  }
  return current;
}
