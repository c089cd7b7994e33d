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

export interface MergeResult {
  /** The changes of both sides; ours where they conflict. */
  readonly merged: JsonValue;
  readonly conflicts: readonly MergeConflict[];
}

type Maybe = JsonValue | undefined;

/**
 * Merges two sides' changes of one document. Items of lists are identified by their key (`oid`, `_id`, `dim`, the party
 * of a share, or a text itself), never by their position; a list without keys is merged as one value. Multiline texts
 * are merged if the two sides changed different lines.
 * @param isServerManaged returns whether the server manages a field; such fields are taken from `theirs`
 */
export function mergeJson(
  base: JsonValue,
  ours: JsonValue,
  theirs: JsonValue,
  isServerManaged: OmitPredicate = isServerManagedField,
): MergeResult {
  const conflicts: MergeConflict[] = [];
  const merged = new Merger(conflicts, isServerManaged).value(base, ours, theirs, []);
  return { merged: merged ?? null, conflicts };
}

class Merger {
  readonly #conflicts: MergeConflict[];
  readonly #isServerManaged: OmitPredicate;

  constructor(conflicts: MergeConflict[], isServerManaged: OmitPredicate) {
    this.#conflicts = conflicts;
    this.#isServerManaged = isServerManaged;
  }

  value(base: Maybe, ours: Maybe, theirs: Maybe, path: JsonPath): Maybe {
    if (jsonEquals(ours, theirs) || jsonEquals(base, theirs)) {
      return ours;
    }
    if (jsonEquals(base, ours)) {
      return theirs;
    }
    if (isJsonObject(ours) && isJsonObject(theirs)) {
      return this.#object(isJsonObject(base) ? base : {}, ours, theirs, path);
    }
    if (Array.isArray(ours) && Array.isArray(theirs)) {
      const lists = indexItems([Array.isArray(base) ? (base as JsonValue[]) : [], ours, theirs]);
      if (lists !== undefined) {
        return this.#list(lists, path);
      }
    }
    const text =
      isMultiline(base) && isMultiline(ours) && isMultiline(theirs)
        ? mergeLines(base, ours, theirs)
        : undefined;
    return text ?? this.#conflict(ours, theirs, path);
  }

  #object(base: JsonObject, ours: JsonObject, theirs: JsonObject, path: JsonPath): JsonObject {
    const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    const members = [...names].map((name): readonly [string, Maybe] => {
      const sides = [base, ours, theirs].map((side) => getMember(side, name));
      const [before, mine, other] = sides;
      return this.#isServerManaged(name)
        ? [name, other]
        : [name, this.value(before, mine, other, [...path, name])];
    });
    return Object.fromEntries(
      members.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
    );
  }

  #list([base, ours, theirs]: readonly [KeyedItems, KeyedItems, KeyedItems], path: JsonPath): JsonValue[] {
    const kept = new Map<string, JsonValue>();
    const positions = new Map([...ours.keys()].map((key, index) => [key, index]));
    for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
      const at = [...path, positions.get(key) ?? ours.size];
      const item = this.#item(base.get(key), ours.get(key), theirs.get(key), at);
      if (item !== undefined) {
        kept.set(key, item);
      }
    }
    const order = this.#order([...base.keys()], [...ours.keys()], [...theirs.keys()], path);
    return order.flatMap((key) => kept.get(key) ?? []);
  }

  /** Drops an item that one side removed, unless the other side has changed it. */
  #item(base: Maybe, ours: Maybe, theirs: Maybe, path: JsonPath): Maybe {
    return base !== undefined && (ours === undefined || theirs === undefined)
      ? this.#taken(base, ours, theirs, path)
      : ours === undefined || theirs === undefined
        ? (ours ?? theirs)
        : this.value(base, ours, theirs, path);
  }

  #taken(base: JsonValue, ours: Maybe, theirs: Maybe, path: JsonPath): Maybe {
    const left = ours ?? theirs;
    return left === undefined || jsonEquals(base, left, this.#isServerManaged)
      ? undefined
      : this.#conflict(ours, theirs, path);
  }

  /** Keeps the order of the side that changed it. Items that the other side added follow their predecessor there. */
  #order(base: string[], ours: string[], theirs: string[], path: JsonPath): readonly string[] {
    const common = new Set(base).intersection(new Set(ours)).intersection(new Set(theirs));
    const shared = (keys: readonly string[]): string => JSON.stringify(keys.filter((key) => common.has(key)));
    if (shared(ours) === shared(base)) {
      return insertKeys(theirs, ours);
    }
    if (shared(theirs) !== shared(base) && shared(theirs) !== shared(ours)) {
      this.#conflict(ours, theirs, path);
    }
    return insertKeys(ours, theirs);
  }

  #conflict(ours: Maybe, theirs: Maybe, path: JsonPath): Maybe {
    this.#conflicts.push({ path, ours, theirs });
    return ours;
  }
}

/** Returns whether a value is a multiline text, such as SQL, which is merged line by line. */
const isMultiline = (value: Maybe): value is string => typeof value === 'string' && value.includes('\n');

/** Returns the keys of `target` with those that only `source` has, each inserted after its predecessor in `source`. */
function insertKeys(into: readonly string[], from: readonly string[]): readonly string[] {
  const result = [...into];
  const known = new Set(into);
  from.forEach((key, index) => {
    if (!known.has(key)) {
      const before = from[index - 1];
      result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, key);
      known.add(key);
    }
  });
  return result;
}
