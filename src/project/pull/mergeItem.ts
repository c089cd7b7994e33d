import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import type { DerivedCheck } from '../compare/compareContents.ts';
import {
  type PartContainer,
  type PartHashes,
  addPartHashes,
  appendToken,
  getContainer,
  isNullMember,
} from '../compare/parts.ts';
import type { ItemKey } from '../item.ts';

/** The three versions of an item. */
export interface ItemVersions {
  readonly key: Pick<ItemKey, 'kind'>;
  /** The item of the project; `undefined` if it has none. */
  readonly ours: JsonValue | undefined;
  /**
   * The hashes of the base, from which the project and the instance have changed: what was last seen on the instance.
   * Empty if it didn't have the item, `undefined` if the lock doesn't have the item.
   */
  readonly base: PartHashes | undefined;
  /** The item of the instance; `undefined` if it has none. */
  readonly theirs: JsonValue | undefined;
  /** The side that wins where both have changed the same part. If absent, these parts are conflicts. */
  readonly winner?: ConflictSide | undefined;
  /**
   * Returns whether the instance has derived a part. Nobody has changed such a part, so the instance's version is used.
   */
  readonly isDerived?: DerivedCheck | undefined;
  /**
   * Returns whether the project or the instance may lack a part. If there is no base, such a part is no conflict, but
   * taken from the side that has it.
   */
  readonly mayBeAbsent?: ((pointer: string) => boolean) | undefined;
}

/** The sides of a conflict: the files of the project, and the instance. */
export const conflictSides = ['ours', 'theirs'] as const;
export type ConflictSide = (typeof conflictSides)[number];

/** The merged item (`undefined` if it is deleted), or the JSON pointers of the parts that both sides changed. */
export type MergedItem =
  | { readonly merged: JsonValue | undefined }
  | { readonly conflicts: readonly string[] };

/**
 * Merges the changes of the project and those of the instance. A part that both sides changed differently is a
 * conflict. If there is no base, every difference is a conflict, except for parts that may be absent. Unchanged
 * parts are taken from `ours`.
 */
export function mergeItem({ ours, base, theirs, ...options }: ItemVersions): MergedItem {
  const merger = new ItemMerger(base, options);
  const merged = merger.merge('', 0, ours, theirs);
  return merger.conflicts.length > 0 ? { conflicts: merger.conflicts } : { merged };
}

/** Returns whether a value equals the base: what the lock has of the item. `undefined` stands for no item. */
export const equalsBase = (
  key: Pick<ItemKey, 'kind'>,
  value: JsonValue | undefined,
  base: PartHashes,
): boolean => new ItemMerger(base, { key }).equalsBase('', 0, value, { ignoresNulls: true });

/**
 * Returns whether a part of an item equals the part of the base at its pointer; `undefined` stands for no part.
 * @param isEntry whether the part is an entry of a list
 */
export const partEqualsBase = (
  key: Pick<ItemKey, 'kind'>,
  {
    pointer,
    depth,
    isEntry,
  }: { readonly pointer: string; readonly depth: number; readonly isEntry: boolean },
  value: JsonValue | undefined,
  base: PartHashes,
): boolean =>
  new ItemMerger(base, { key }).equalsBase(pointer, depth, value, { isEntry, ignoresNulls: true });

class ItemMerger {
  readonly #base: PartHashes | undefined;
  /**
   * Whether an item may lack a member that is null in the base. Earlier versions have pulled such members of
   * viewpoints, where null stands for an absent member. In custom data, null is a value, and pulls never contained null
   * in other items.
   */
  readonly #mayLackNulls: boolean;
  readonly #winner: ConflictSide | undefined;
  readonly #isDerived: DerivedCheck | undefined;
  readonly #mayBeAbsent: ItemVersions['mayBeAbsent'];
  readonly conflicts: string[] = [];

  constructor(
    base: PartHashes | undefined,
    { key, winner, isDerived, mayBeAbsent }: Omit<ItemVersions, 'ours' | 'base' | 'theirs'>,
  ) {
    this.#base = base;
    this.#mayLackNulls = key.kind === 'viewpoint';
    this.#winner = winner;
    this.#isDerived = isDerived;
    this.#mayBeAbsent = base === undefined ? mayBeAbsent : undefined;
  }

  merge(
    pointer: string,
    depth: number,
    ours: JsonValue | undefined,
    theirs: JsonValue | undefined,
    isEntry = false,
  ): JsonValue | undefined {
    if (jsonEquals(ours, theirs)) {
      return ours;
    }
    const ourContainer = getContainer(ours, depth);
    const theirContainer = getContainer(theirs, depth);
    if (ourContainer?.kind === 'object' && theirContainer?.kind === 'object') {
      return Object.fromEntries(this.#mergeMembers(pointer, depth, ourContainer, theirContainer));
    }
    if (ourContainer?.kind === 'list' && theirContainer?.kind === 'list') {
      return this.#mergeList(pointer, depth, ourContainer, theirContainer);
    }
    const side = this.#chooseSide(pointer, depth, { ours, theirs, isEntry });
    if (side !== undefined) {
      return side === 'ours' ? ours : theirs;
    }
    if (this.#mayBeAbsent?.(pointer) === true && isJsonObject(ours) && isJsonObject(theirs)) {
      return this.#mergeOptionalMembers(pointer, ours, theirs);
    }
    this.#addConflict(pointer);
    return this.#winner === 'theirs' ? theirs : ours;
  }

  /**
   * Returns the side whose version of a part is used; `undefined` for a conflict. There is no conflict if one side
   * still has the version of the base, if the instance has derived the part, or if only one side has a part that may be
   * absent.
   */
  #chooseSide(
    pointer: string,
    depth: number,
    {
      ours,
      theirs,
      isEntry,
    }: {
      readonly ours: JsonValue | undefined;
      readonly theirs: JsonValue | undefined;
      readonly isEntry: boolean;
    },
  ): ConflictSide | undefined {
    if (this.equalsBase(pointer, depth, ours, { isEntry })) {
      return 'theirs';
    }
    const isDerived = this.#isDerived?.(pointer, ours, theirs) === true;
    // A derived part that the project lacks is not a change of the project.
    const isChangedInProject = ours !== undefined || !isDerived;
    if (isChangedInProject && this.equalsBase(pointer, depth, theirs, { isEntry, ignoresNulls: true })) {
      return 'ours';
    }
    if (isDerived) {
      return 'theirs';
    }
    if (this.#mayBeAbsent?.(pointer) !== true || (ours !== undefined && theirs !== undefined)) {
      return undefined;
    }
    return ours === undefined ? 'theirs' : 'ours';
  }

  /** Merges two objects, each of which may lack members of the other one. A member with two values is a conflict. */
  #mergeOptionalMembers(pointer: string, ours: JsonObject, theirs: JsonObject): JsonObject {
    if (
      Object.keys(ours).some((name) => Object.hasOwn(theirs, name) && !jsonEquals(ours[name], theirs[name]))
    ) {
      this.#addConflict(pointer);
    }
    return { ...ours, ...theirs, ...(this.#winner === 'theirs' ? {} : ours) };
  }

  #addConflict(pointer: string): void {
    if (this.#winner === undefined) {
      this.conflicts.push(pointer);
    }
  }

  /**
   * Returns whether the part at a pointer equals that of the base; `undefined` stands for no part.
   * @param options.ignoresNulls whether a member of a viewpoint that was null may be absent
   */
  equalsBase(
    pointer: string,
    depth: number,
    value: JsonValue | undefined,
    { isEntry = false, ignoresNulls = false } = {},
  ): boolean {
    if (this.#base === undefined) {
      return false;
    }
    const hashes = new Map<string, string>();
    if (value !== undefined) {
      addPartHashes(value, pointer, depth, hashes, isEntry);
    }
    const allParts = [...this.#getBaseParts(pointer)];
    const baseParts = new Map(
      ignoresNulls && this.#mayLackNulls
        ? allParts.filter((part) => hashes.has(part[0]) || !isNullMember(part))
        : allParts,
    );
    const basePointers = [...baseParts.keys()];
    return (
      hashes.size === baseParts.size &&
      [...hashes].every(([part, hash], index) => basePointers[index] === part && baseParts.get(part) === hash)
    );
  }

  #getBaseParts(pointer: string): PartHashes {
    return new Map(
      [...(this.#base ?? [])].filter(([part]) => part === pointer || part.startsWith(`${pointer}/`)),
    );
  }

  #mergeMembers(
    pointer: string,
    depth: number,
    ours: PartContainer,
    theirs: PartContainer,
  ): Map<string, JsonValue> {
    const merged = new Map<string, JsonValue>();
    for (const name of new Set([...ours.members.keys(), ...theirs.members.keys()])) {
      const member = this.merge(
        appendToken(pointer, name),
        depth + 1,
        ours.members.get(name),
        theirs.members.get(name),
        ours.kind === 'list',
      );
      if (member !== undefined) {
        merged.set(name, member);
      }
    }
    return merged;
  }

  #mergeList(
    pointer: string,
    depth: number,
    ours: PartContainer,
    theirs: PartContainer,
  ): readonly JsonValue[] {
    const merged = this.#mergeMembers(pointer, depth, ours, theirs);
    const order = this.#mergeOrder(pointer, [...ours.members.keys()], [...theirs.members.keys()]);
    return order.flatMap((name) => merged.get(name) ?? []);
  }

  /**
   * Merges the order of entries: that of the side that changed it. Entries that only the other side has are inserted
   * after the entry that precedes them there.
   */
  #mergeOrder(pointer: string, ours: readonly string[], theirs: readonly string[]): readonly string[] {
    const baseParts = this.#getBaseParts(pointer);
    const [ourSet, theirSet] = [new Set(ours), new Set(theirs)];
    const isCommon = (name: string): boolean =>
      ourSet.has(name) &&
      theirSet.has(name) &&
      (this.#base === undefined || baseParts.has(appendToken(pointer, name)));
    const ourOrder = ours.filter(isCommon);
    const theirOrder = theirs.filter(isCommon);
    const pointers = new Set(ourOrder.map((name) => appendToken(pointer, name)));
    const baseOrder = [...baseParts.keys()].filter((part) => pointers.has(part));
    const isBaseOrder = (names: readonly string[]): boolean =>
      areEqual(
        names.map((name) => appendToken(pointer, name)),
        baseOrder,
      );
    if (areEqual(ourOrder, theirOrder) || isBaseOrder(ourOrder)) {
      return insertNames(theirs, ours);
    }
    if (isBaseOrder(theirOrder)) {
      return insertNames(ours, theirs);
    }
    if (ourOrder.every((name) => this.#mayBeAbsent?.(appendToken(pointer, name)) === true)) {
      // The order of such entries has no meaning.
      return insertNames(ours, theirs);
    }
    this.#addConflict(pointer);
    return this.#winner === 'theirs' ? insertNames(theirs, ours) : insertNames(ours, theirs);
  }
}

const areEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/** Inserts the names that only `source` has into `target`, each after its predecessor in `source`. */
function insertNames(target: readonly string[], source: readonly string[]): readonly string[] {
  const result = [...target];
  const known = new Set(target);
  source.forEach((name, index) => {
    if (!known.has(name)) {
      const predecessor = source[index - 1];
      result.splice(predecessor === undefined ? 0 : result.indexOf(predecessor) + 1, 0, name);
      known.add(name);
    }
  });
  return result;
}
