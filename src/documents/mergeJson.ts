import { type JsonPath, type JsonObject, type JsonValue, isJsonObject, getMember } from '../base/json.ts';
import { type OmitPredicate, jsonEquals } from '../base/canonicalJson.ts';
import { isServerManagedField } from '../contract/serverManagedFields.ts';
import { mergeLines } from './mergeLines.ts';
import { type KeyedItems, indexItems } from './mergeKeys.ts';

/** A value that both sides changed differently. `undefined` means that a side removed it. */
export interface MergeConflict {
  /** The path in our version. */
  readonly path: JsonPath;
  readonly ours: JsonValue | undefined;
  readonly theirs: JsonValue | undefined;
}

/** The version whose value is taken where both sides changed it differently. */
export type MergeSide = 'base' | 'ours' | 'theirs';

export interface MergeResult {
  /** The changes of both sides; those of one version where they conflict. */
  readonly merged: JsonValue;
  readonly conflicts: readonly MergeConflict[];
}

type OptionalValue = JsonValue | undefined;
type Versions<T> = Readonly<Record<MergeSide, T>>;

/**
 * Merges two sides' changes of one document. Items of lists are identified by their key (`oid`, `_id`, `dim`, the party
 * of a share, or a text itself), never by their position; a list without keys is merged as one value. Multiline texts
 * are merged if the two sides changed different lines.
 * @param options `isServerManaged` returns whether the server manages a field; such fields are taken from `theirs`
 */
export function mergeJson(
  base: JsonValue,
  ours: JsonValue,
  theirs: JsonValue,
  {
    isServerManaged = isServerManagedField,
    preferred = 'ours',
  }: { readonly isServerManaged?: OmitPredicate; readonly preferred?: MergeSide } = {},
): MergeResult {
  const conflicts: MergeConflict[] = [];
  const merged = new Merger(conflicts, { isServerManaged, preferred }).mergeValue(base, ours, theirs, []);
  return { merged: merged ?? null, conflicts };
}

class Merger {
  readonly #conflicts: MergeConflict[];
  readonly #isServerManaged: OmitPredicate;
  readonly #preferred: MergeSide;

  constructor(
    conflicts: MergeConflict[],
    options: { readonly isServerManaged: OmitPredicate; readonly preferred: MergeSide },
  ) {
    this.#conflicts = conflicts;
    this.#isServerManaged = options.isServerManaged;
    this.#preferred = options.preferred;
  }

  mergeValue(base: OptionalValue, ours: OptionalValue, theirs: OptionalValue, path: JsonPath): OptionalValue {
    if (jsonEquals(ours, theirs) || jsonEquals(base, theirs)) {
      return ours;
    }
    if (jsonEquals(base, ours)) {
      return theirs;
    }
    if (isJsonObject(ours) && isJsonObject(theirs)) {
      return this.#mergeObject(isJsonObject(base) ? base : {}, ours, theirs, path);
    }
    if (Array.isArray(ours) && Array.isArray(theirs)) {
      const lists = indexItems([Array.isArray(base) ? (base as JsonValue[]) : [], ours, theirs]);
      if (lists !== undefined) {
        return this.#mergeList(lists, path);
      }
    }
    return isMultiline(base) && isMultiline(ours) && isMultiline(theirs)
      ? this.#mergeText({ base, ours, theirs }, path)
      : this.#addConflict({ base, ours, theirs }, path);
  }

  /** Lines that only one side changed are merged, even if others conflict. */
  #mergeText(texts: Versions<string>, path: JsonPath): OptionalValue {
    const { base, ours, theirs } = texts;
    const merged = mergeLines(base, ours, theirs);
    if (merged !== undefined) {
      return merged;
    }
    const preferred = this.#addConflict(texts, path);
    return mergeLines(base, ours, theirs, this.#preferred) ?? preferred;
  }

  #mergeObject(base: JsonObject, ours: JsonObject, theirs: JsonObject, path: JsonPath): JsonObject {
    const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    const members = [...names].map((name): readonly [string, OptionalValue] => {
      const versions = [base, ours, theirs].map((version) => getMember(version, name));
      const [baseMember, ourMember, theirMember] = versions;
      return this.#isServerManaged(name)
        ? [name, theirMember]
        : [name, this.mergeValue(baseMember, ourMember, theirMember, [...path, name])];
    });
    return Object.fromEntries(
      members.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
    );
  }

  #mergeList(
    [base, ours, theirs]: readonly [KeyedItems, KeyedItems, KeyedItems],
    path: JsonPath,
  ): JsonValue[] {
    const mergedItems = new Map<string, JsonValue>();
    const positions = new Map([...ours.keys()].map((key, index) => [key, index]));
    for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
      const itemPath = [...path, positions.get(key) ?? ours.size];
      const item = this.#mergeItem(base.get(key), ours.get(key), theirs.get(key), itemPath);
      if (item !== undefined) {
        mergedItems.set(key, item);
      }
    }
    const order = this.#mergeOrder([...base.keys()], [...ours.keys()], [...theirs.keys()], path);
    return order.flatMap((key) => mergedItems.get(key) ?? []);
  }

  /** Drops an item that one side removed, unless the other side has changed it. */
  #mergeItem(base: OptionalValue, ours: OptionalValue, theirs: OptionalValue, path: JsonPath): OptionalValue {
    return base !== undefined && (ours === undefined || theirs === undefined)
      ? this.#mergeRemovedItem(base, ours, theirs, path)
      : ours === undefined || theirs === undefined
        ? (ours ?? theirs)
        : this.mergeValue(base, ours, theirs, path);
  }

  #mergeRemovedItem(
    base: JsonValue,
    ours: OptionalValue,
    theirs: OptionalValue,
    path: JsonPath,
  ): OptionalValue {
    const remaining = ours ?? theirs;
    return remaining === undefined || jsonEquals(base, remaining, this.#isServerManaged)
      ? undefined
      : this.#addConflict({ base, ours, theirs }, path);
  }

  /**
   * Keeps the order of the side that changed it. Each item that only the other side has follows the item that precedes
   * it on that side. If both sides changed the order differently, that is a conflict.
   */
  #mergeOrder(base: string[], ours: string[], theirs: string[], path: JsonPath): readonly string[] {
    const commonKeys = new Set(base).intersection(new Set(ours)).intersection(new Set(theirs));
    const getCommonOrder = (keys: readonly string[]): string =>
      JSON.stringify(keys.filter((key) => commonKeys.has(key)));
    if (getCommonOrder(ours) === getCommonOrder(base)) {
      return insertKeys(theirs, ours);
    }
    if (getCommonOrder(theirs) !== getCommonOrder(base) && getCommonOrder(theirs) !== getCommonOrder(ours)) {
      this.#addConflict({ base, ours, theirs }, path);
      const preferred = { base, ours, theirs }[this.#preferred];
      return insertKeys(insertKeys(preferred, ours), theirs);
    }
    return insertKeys(ours, theirs);
  }

  #addConflict(versions: Versions<OptionalValue>, path: JsonPath): OptionalValue {
    const { ours, theirs } = versions;
    this.#conflicts.push({ path, ours, theirs });
    return versions[this.#preferred];
  }
}

/** Returns whether a value is a multiline text, such as SQL, which is merged line by line. */
const isMultiline = (value: OptionalValue): value is string =>
  typeof value === 'string' && value.includes('\n');

/** Returns the keys of `target` with those that only `source` has, each inserted after its predecessor in `source`. */
function insertKeys(target: readonly string[], source: readonly string[]): readonly string[] {
  const result = [...target];
  const insertedKeys = new Set(target);
  source.forEach((key, index) => {
    if (!insertedKeys.has(key)) {
      const predecessor = source[index - 1];
      result.splice(predecessor === undefined ? 0 : result.indexOf(predecessor) + 1, 0, key);
      insertedKeys.add(key);
    }
  });
  return result;
}
