import type * as z from 'zod';
import { type JsonValue, isJsonObject, isRawNumber } from '../base/json.ts';
import type { UnreadableItem } from '../contract/partialResult.ts';

/**
 * Lists within a datamodel from which a single unreadable item is omitted (rest-api.md, "Datamodel API"). Everything
 * else is read completely or not at all: a rule without one of its parties, or a table without one of its columns,
 * would have a different meaning.
 */
const embeddedLists: ReadonlySet<string | number> = new Set(['datasets', 'tables', 'relations']);

/** The keys of those lists: a dataset has its tables in `schema` (platform-facts.md, 2.2). */
const containerKeys: ReadonlySet<string> = new Set(['datasets', 'tables', 'relations', 'schema']);

/**
 * Maximum number of attempts to parse an item without its faulty parts; a schema normally reports all of them the first
 * time.
 */
const maxAttempts = 5;

/** An item with more faults than this is considered something other than what was requested. */
const maxFaults = 500;

/** Maximum number of unreadable items to list; further ones are only counted. */
const maxListedItems = 1000;

type Path = readonly (string | number)[];

interface Fault {
  readonly path: Path;
  readonly expected: string | undefined;
}

/** The readable part of an item. */
interface ReadItem<T> {
  /** Absent if nothing of it could be read. */
  readonly read?: { readonly data: T };
  readonly unreadable: readonly UnreadableItem[];
}

/** The readable part of a list. */
interface ReadItems<T> {
  readonly read: readonly T[];
  readonly unreadable: readonly UnreadableItem[];
  /** Number of further unreadable items. */
  readonly omittedCount: number;
}

/**
 * Reads the items of a list by their schema. Faulty items cost no more than correct ones.
 * @param path the position of the list in the response
 */
export function readItems<T>(schema: z.ZodType<T>, items: readonly JsonValue[], path: Path): ReadItems<T> {
  const read: T[] = [];
  const unreadable: UnreadableItem[] = [];
  let untold = 0;
  for (const [index, item] of items.entries()) {
    if (unreadable.length >= maxListedItems && !mayBeReadable(schema, item)) {
      untold += 1;
      continue;
    }
    const found = readItem(schema, item, [...path, index]);
    if (found.read !== undefined) {
      read.push(found.read.data);
    }
    for (const each of found.unreadable) {
      if (unreadable.length < maxListedItems) {
        unreadable.push(each);
      } else {
        untold += 1;
      }
    }
  }
  return { read, unreadable, omittedCount: untold };
}

/** False for an item that cannot be read even in part. Ten times as fast as finding its faults. */
function mayBeReadable(schema: z.ZodType, item: JsonValue): boolean {
  if (!isJsonObject(item)) {
    return false;
  }
  if (Object.keys(item).some((key) => containerKeys.has(key))) {
    return true;
  }
  const result = withinStack(() => schema._zod.run({ value: item, issues: [] }, { async: false }));
  return result !== undefined && !(result instanceof Promise) && result.issues.length === 0;
}

/**
 * Reads one item by its schema, without the unreadable items in it.
 * @param path its position in the response
 */
export function readItem<T>(schema: z.ZodType<T>, item: JsonValue, path: Path): ReadItem<T> {
  const removed = new Map<string, UnreadableItem>();
  const unread = (fault: Partial<Fault>): ReadItem<T> => ({
    unreadable: [{ path, at: fault.path ?? [], expected: fault.expected, item }],
  });
  // A number that is kept as its source text is an object to a schema.
  if (isRawNumber(item)) {
    return unread({ expected: 'object' });
  }
  const [outer] = isLarge(item) ? getOuterFaults(getFaults(tryParse(schema, truncateLists(item)))) : [];
  if (outer !== undefined) {
    return unread(outer);
  }
  for (let looks = 0; looks < maxAttempts; looks += 1) {
    const result = tryParse(schema, omitPaths(item, removed, []));
    if (result?.success === true) {
      const unreadable = [...removed.values()].map((each) => ({ ...each, path: [...path, ...each.path] }));
      return { read: { data: result.data }, unreadable };
    }
    const faults = getFaults(result);
    const [fault] = getOuterFaults(faults);
    if (fault !== undefined) {
      return unread(fault);
    }
    // All paths refer to this attempt: translate every one before removing anything.
    const found = faults.map((each) => ({ ...each, path: getOriginalPath(each.path, removed) }));
    for (const each of found.toSorted(
      (a, b) => (getItemPathEnd(a.path) ?? 0) - (getItemPathEnd(b.path) ?? 0),
    )) {
      remove(item, removed, each);
    }
  }
  return unread({});
}

type ParseResult<T> = z.ZodSafeParseResult<T> | undefined;

/** Parses an item; returns `undefined` if it has more faults than the schema can report. */
const tryParse = <T>(schema: z.ZodType<T>, item: JsonValue): ParseResult<T> =>
  withinStack(() => schema.safeParse(item));

/**
 * Runs a callback; returns `undefined` if the stack overflows. A schema passes the faults of a list as arguments of one
 * call, and a hundred thousand of them overflow the stack.
 */
function withinStack<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function getFaults(looked: ParseResult<unknown>): readonly Fault[] {
  if (looked === undefined) {
    return [{ path: [], expected: undefined }];
  }
  return looked.error?.issues.map(toFault) ?? [];
}

/** The faults that make the item unreadable, because of their position or number. */
function getOuterFaults(faults: readonly Fault[]): readonly Fault[] {
  const isOuter = faults.filter((fault) => getItemPathEnd(fault.path) === undefined);
  const parts = (): number =>
    new Set(faults.map(({ path }) => JSON.stringify(path.slice(0, getItemPathEnd(path))))).size;
  return isOuter.length === 0 && faults.length > maxFaults && parts() > maxFaults ? faults : isOuter;
}

/** True if the lists of an item are so large that finding all faults could take long. */
function isLarge(item: JsonValue): boolean {
  const open: unknown[] = [item];
  let count = 0;
  for (let value = open.pop(); value !== undefined && count <= maxFaults; value = open.pop()) {
    count += Array.isArray(value) ? value.length : 0;
    for (const inner of count > maxFaults ? [] : Object.values(Object(value))) {
      if (typeof inner === 'object' && inner !== null) {
        open.push(inner);
      }
    }
  }
  return count > maxFaults;
}

/** A large item with only the first entries of its lists: if those are wrong, the others do not matter. */
function truncateLists(item: JsonValue): JsonValue {
  let left = 2 * maxFaults;
  const cut = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) {
      const kept: JsonValue[] = [];
      for (const inner of value as readonly JsonValue[]) {
        if (left === 0) {
          break;
        }
        left -= 1;
        kept.push(cut(inner));
      }
      return kept;
    }
    return isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner)]))
      : value;
  };
  return withinStack(() => cut(item)) ?? null;
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
function getItemPathEnd(path: Path): number | undefined {
  const at = path.findLastIndex(
    (key, index) => typeof key === 'number' && embeddedLists.has(path[index - 1] ?? ''),
  );
  return at === -1 ? undefined : at + 1;
}

function remove(whole: JsonValue, removed: Map<string, UnreadableItem>, { path, expected }: Fault): void {
  const end = getItemPathEnd(path);
  const itemPath = path.slice(0, end);
  const isWithin = path.some((_, index) => removed.has(JSON.stringify(path.slice(0, index + 1))));
  if (!isWithin) {
    removed.set(JSON.stringify(itemPath), {
      path: itemPath,
      at: path.slice(end),
      expected,
      item: getValueAt(whole, itemPath),
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
    let [index, left] = [-1, typeof key === 'number' ? key : -1];
    while (left >= 0) {
      index += 1;
      left -= removed.has(JSON.stringify([...original, index])) ? 0 : 1;
    }
    original.push(typeof key === 'number' ? index : key);
  }
  return original;
}

/** The value without the items at those paths; the same value if there are none. */
function omitPaths(value: JsonValue, removed: ReadonlyMap<string, unknown>, path: Path): JsonValue {
  if (removed.size === 0) {
    return value;
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item, index) => {
      const at = [...path, index];
      return removed.has(JSON.stringify(at)) ? [] : [omitPaths(item, removed, at)];
    });
  }
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, member]) => [
          key,
          containerKeys.has(key) ? omitPaths(member, removed, [...path, key]) : member,
        ]),
      )
    : value;
}

function getValueAt(value: JsonValue, path: Path): JsonValue {
  let at: JsonValue = value;
  for (const key of path) {
    const inner: unknown = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
    at = (inner ?? null) as JsonValue;
  }
  return at;
}
