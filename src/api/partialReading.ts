import type * as z from 'zod';
import { type JsonValue, isJsonObject, isRawNumber } from '../base/json.ts';
import type { Unreadable } from '../contract/readable.ts';

/**
 * Lists within a datamodel of which one item is left out where it cannot be read (spec, "Datamodel API"). All else is
 * whole or nothing: a rule without one of its parties, or a table without one of its columns, would mean another thing.
 */
const embeddedLists: ReadonlySet<string | number> = new Set(['datasets', 'tables', 'relations']);

/** Where those lists are: a dataset has its tables in `schema` (platform-facts 2.2). */
const ways: ReadonlySet<string> = new Set(['datasets', 'tables', 'relations', 'schema']);

/** How often an item is looked at again without what was wrong in it; a schema tells all of it the first time. */
const mostLooks = 5;

type Path = readonly (string | number)[];

interface Fault {
  readonly path: Path;
  readonly expected: string;
}

/** What could be read of one item. */
interface ReadItem<T> {
  /** Absent where nothing of it could be. */
  readonly read?: { readonly data: T };
  readonly unreadable: readonly Unreadable[];
}

/**
 * Reads one item by its schema, without those items in it that cannot be read.
 * @param path where it lies in the answer
 */
export function readItem<T>(schema: z.ZodType<T>, item: JsonValue, path: Path): ReadItem<T> {
  const removed = new Map<string, Unreadable>();
  for (let look = 0; look < mostLooks; look += 1) {
    const result = isRawNumber(item) ? undefined : schema.safeParse(without(item, removed, []));
    if (result?.success === true) {
      const unreadable = [...removed.values()].map((each) => ({ ...each, path: [...path, ...each.path] }));
      return { read: { data: result.data }, unreadable };
    }
    // A number that is kept as its source text is an object to a schema.
    const faults = result?.error.issues.map(faultOf) ?? [{ path: [], expected: 'object' }];
    const outer = faults.find((fault) => itemEnd(fault.path) === undefined);
    if (outer !== undefined) {
      return { unreadable: [{ path, at: outer.path, expected: outer.expected, item }] };
    }
    // All of them are by the places of this look, so that nothing is removed before the last is known.
    const found = faults.map((fault) => ({ ...fault, path: originalPath(fault.path, removed) }));
    for (const fault of found.toSorted((a, b) => (itemEnd(a.path) ?? 0) - (itemEnd(b.path) ?? 0))) {
      remove(item, removed, fault);
    }
  }
  return { unreadable: [{ path, at: [], expected: undefined, item }] };
}

/** What is wrong, and where. Of several forms the last is the one that tells: quick looks come before it. */
function faultOf(issue: z.core.$ZodIssue): Fault {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  const inner = issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0] : undefined;
  if (inner === undefined) {
    return { path, expected: expectation(issue) };
  }
  const fault = faultOf(inner);
  return { path: [...path, ...fault.path], expected: fault.expected };
}

/** What the schema wanted, without a word of what came. */
function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    return issue.expected;
  }
  return issue.code === 'invalid_value' ? issue.values.map(String).join(' | ') : issue.code;
}

/** Where the path of the innermost item that can be left out ends; nothing where there is none. */
function itemEnd(path: Path): number | undefined {
  const at = path.findLastIndex(
    (key, index) => typeof key === 'number' && embeddedLists.has(path[index - 1] ?? ''),
  );
  return at === -1 ? undefined : at + 1;
}

function remove(whole: JsonValue, removed: Map<string, Unreadable>, { path, expected }: Fault): void {
  const end = itemEnd(path);
  const itemPath = path.slice(0, end);
  const isWithin = path.some((_, index) => removed.has(JSON.stringify(path.slice(0, index + 1))));
  if (!isWithin) {
    removed.set(JSON.stringify(itemPath), {
      path: itemPath,
      at: path.slice(end),
      expected,
      item: valueAt(whole, itemPath),
    });
  }
}

/** The same path before anything was removed. */
function originalPath(path: Path, removed: ReadonlyMap<string, unknown>): Path {
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

/** The value without the items of those paths; itself where there are none. */
function without(value: JsonValue, removed: ReadonlyMap<string, unknown>, path: Path): JsonValue {
  if (removed.size === 0) {
    return value;
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item, index) => {
      const at = [...path, index];
      return removed.has(JSON.stringify(at)) ? [] : [without(item, removed, at)];
    });
  }
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, member]) => [
          key,
          ways.has(key) ? without(member, removed, [...path, key]) : member,
        ]),
      )
    : value;
}

function valueAt(value: JsonValue, path: Path): JsonValue {
  let at: JsonValue = value;
  for (const key of path) {
    const inner: unknown = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
    at = (inner ?? null) as JsonValue;
  }
  return at;
}
