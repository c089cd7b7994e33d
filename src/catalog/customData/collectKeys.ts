import { isJsonObject, isRawNumber, type JsonValue, stringify } from '../../base/json.ts';

/** The type of a value, as far as filters distinguish types. */
export type ValueKind = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object';

/** A key found in objects. Keys of nested objects are joined by dots, as in filters. */
export interface ObjectKey {
  readonly path: string;
  /** Number of objects that have the key. */
  readonly count: number;
  readonly kinds: readonly ValueKind[];
  /** Some of its values as JSON, most frequent first; long ones are omitted. */
  readonly values: readonly string[];
}

const maxDepth = 4;
const maxValueLength = 60;
const maxValues = 20;
/** Maximum number of distinct values counted per key: an ID has a different value in every object. */
const maxCountedValues = 500;

interface Tally {
  count: number;
  readonly kinds: Set<ValueKind>;
  readonly values: Map<string, number>;
}

/** The keys of objects and their values, most frequent first. */
export function collectKeys(objects: readonly JsonValue[]): readonly ObjectKey[] {
  const tallies = new Map<string, Tally>();
  for (const object of objects) {
    tallyKeys(object, '', 0, tallies);
  }
  return [...tallies]
    .map(([path, { count: objectCount, kinds, values }]) => ({
      path,
      count: objectCount,
      kinds: [...kinds],
      values: [...values]
        .sort(([, a], [, b]) => b - a)
        .slice(0, maxValues)
        .map(([value]) => value),
    }))
    .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
}

function tallyKeys(value: JsonValue, parentPath: string, depth: number, tallies: Map<string, Tally>): void {
  if (!isJsonObject(value) || depth > maxDepth) {
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const path = parentPath === '' ? name : `${parentPath}.${name}`;
    const tally = tallies.get(path) ?? { count: 0, kinds: new Set(), values: new Map() };
    tallies.set(path, tally);
    tally.count += 1;
    tally.kinds.add(getValueKind(member));
    const text = isJsonObject(member) || Array.isArray(member) ? '' : stringify(member);
    if (
      text !== '' &&
      text.length <= maxValueLength &&
      (tally.values.has(text) || tally.values.size < maxCountedValues)
    ) {
      tally.values.set(text, (tally.values.get(text) ?? 0) + 1);
    }
    tallyKeys(member, path, depth + 1, tallies);
  }
}

export function getValueKind(value: JsonValue): ValueKind {
  if (value === null) {
    return 'null';
  }
  if (isRawNumber(value)) {
    return 'number';
  }
  if (Array.isArray(value)) {
    return 'list';
  }
  if (typeof value === 'string') {
    return 'text';
  }
  if (typeof value === 'number') {
    return 'number';
  }
  return typeof value === 'boolean' ? 'boolean' : 'object';
}
