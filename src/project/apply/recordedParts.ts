import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { isGeneratedColumn } from '../compare/compareContents.ts';
import { isItemDefault, listAddedMembers } from '../compare/instanceDefaults.ts';
import { normalizeWanted } from '../compare/normalizeContent.ts';
import { type PartHashes, appendToken, getPart, getRootMemberName, hashParts } from '../compare/parts.ts';
import type { ItemKey } from '../item.ts';
import type { LockEntry } from '../pull/lock.ts';
import { getOrderedContent } from '../pull/unchangedFiles.ts';

/** An item that both the project and the instance have after an apply. */
export interface AppliedItem {
  readonly key: ItemKey;
  readonly wanted: JsonValue;
  readonly current: JsonValue;
  /** Its entry in the lock; `undefined` if it was never pulled. */
  readonly lockEntry: LockEntry | undefined;
  /** The pointers of what differs. */
  readonly differingPointers: ReadonlySet<string>;
  /** Whether the apply has created it. */
  readonly isCreated: boolean;
  /** Whether a rollback has created it again. */
  readonly isRestored: boolean;
  /**
   * The pointers of what the instance may have and the file doesn't, without these counting as added by others
   * (`ItemChange.expectedAdditions`).
   */
  readonly expectedAdditions: ReadonlySet<string>;
  /** The pointers of what others have changed since the apply wrote it. */
  readonly changedParts: ReadonlySet<string>;
}

/** Returns what a lock records of an item after an apply. */
export const recordParts = (item: AppliedItem): Pick<LockEntry, 'parts' | 'unpulledParts'> =>
  new PartRecorder(item).record();

/** Returns the pointer of what is compared as a whole: a column of a table, or a member of an item. */
const getComparedPointer = (pointer: string): string =>
  pointer.startsWith('/columns/') ? pointer : (/^\/[^/]*/.exec(pointer)?.[0] ?? '');

/** Returns whether a part is the connection of a dataset. */
export const isConnection = ({ kind }: ItemKey, pointer: string): boolean =>
  kind === 'dataset' && getComparedPointer(pointer) === '/connection';

/** Sets `enabled` in both of its places in a viewpoint, as a request that publishes it does. */
const withPublication = (item: AppliedItem): AppliedItem => ({
  ...item,
  wanted: normalizeWanted(item.key, item.wanted),
});

class PartRecorder {
  readonly #item: AppliedItem;
  readonly #wantedParts: PartHashes;
  readonly #seenParts: PartHashes;

  constructor(item: AppliedItem) {
    this.#item = item.key.kind === 'viewpoint' ? withPublication(item) : item;
    this.#wantedParts = hashParts(getOrderedContent({ key: item.key, content: item.wanted }));
    this.#seenParts = hashParts(item.current);
  }

  record(): Pick<LockEntry, 'parts' | 'unpulledParts'> {
    const parts = this.#recordParts();
    // What is compared as a whole has no members that others could add.
    const unpulledParts = [...this.#seenParts].filter(
      ([pointer, hash]) =>
        pointer !== '' && parts.get(pointer) !== hash && this.#mayBeOfInstance(pointer, hash),
    );
    return { parts, unpulledParts: unpulledParts.length === 0 ? undefined : new Map(unpulledParts) };
  }

  /**
   * Returns the hashes of the parts that are the same in the project and on the instance, and the last seen hashes of
   * all other parts, including parts that only the project has because others have deleted them on the instance.
   */
  #recordParts(): PartHashes {
    const { lockEntry } = this.#item;
    const parts = [...this.#seenParts].flatMap(([pointer, hash]) => {
      const recordedHash = this.#getRecordedHash(pointer, hash);
      return recordedHash === undefined ? [] : [[pointer, recordedHash] as const];
    });
    let previous: string | undefined;
    for (const part of lockEntry?.parts ?? []) {
      const [pointer] = part;
      if (!this.#seenParts.has(pointer) && this.#wantedParts.has(pointer) && this.#differs(pointer)) {
        // Keeps its position, because the order of columns is compared, too.
        parts.splice(parts.findIndex(([other]) => other === previous) + 1, 0, part);
      }
      previous = pointer;
    }
    return new Map(parts);
  }

  #getRecordedHash(pointer: string, hash: string): string | undefined {
    const { lockEntry } = this.#item;
    if (!this.#differs(pointer)) {
      if (hash === this.#wantedParts.get(pointer)) {
        return hash;
      }
      const added = this.#listAdded(pointer);
      if (added !== undefined) {
        const isSeen =
          added.length === 0 ||
          lockEntry?.parts.get(pointer) === hash ||
          this.#isSeenAddition(pointer, added);
        // What others have added to a column is left out, and the column is recorded as in the file: so a pull adds
        // only that.
        return isSeen ? hash : this.#wantedParts.get(pointer);
      }
      if (this.#isSetByInstance(pointer) || this.#isPublication(pointer)) {
        return hash;
      }
    }
    return lockEntry?.parts.get(pointer);
  }

  #differs(pointer: string): boolean {
    const { differingPointers } = this.#item;
    return differingPointers.has('') || differingPointers.has(getComparedPointer(pointer));
  }

  /**
   * If a part is a column that both the project and the instance have, returns the pointers of the members that only
   * the instance has; `undefined` for any other part.
   */
  #listAdded(pointer: string): readonly string[] | undefined {
    const [value, wantedValue] = this.#getValues(pointer);
    return this.#isColumn(pointer) && isJsonObject(value) && isJsonObject(wantedValue)
      ? listAddedMembers(value, wantedValue).map(([name]) => appendToken(pointer, name))
      : undefined;
  }

  #isColumn(pointer: string): boolean {
    return this.#item.key.kind === 'table' && pointer.startsWith('/columns/');
  }

  #getValues(pointer: string): readonly (JsonValue | undefined)[] {
    return [this.#item.current, this.#item.wanted].map((content) => getPart(content, pointer));
  }

  /** Returns whether a pull has seen what the instance has in addition to the file in a column. */
  #isSeenAddition(pointer: string, added: readonly string[]): boolean {
    const { lockEntry, expectedAdditions } = this.#item;
    return (
      lockEntry?.parts.has(pointer) === true &&
      lockEntry.unpulledParts?.has(pointer) !== true &&
      added.every((member) => expectedAdditions.has(member))
    );
  }

  /**
   * Returns whether a part that only the instance has, or of which the instance has more than the project, was set by
   * the instance itself. Anything else was added by others, who would lose it if it counted as seen.
   */
  #isSetByInstance(pointer: string): boolean {
    const { key, current, isCreated } = this.#item;
    const member = getComparedPointer(pointer);
    const [value, wantedValue] = this.#getValues(member);
    if (this.#isColumn(pointer)) {
      return isCreated && wantedValue === undefined && isGeneratedColumn(current, value);
    }
    return (
      wantedValue !== undefined ||
      (isCreated && value !== undefined && isItemDefault(key, getRootMemberName(member), value))
    );
  }

  /** Returns whether a part is the publication of a viewpoint in its visibility, as the file states it elsewhere. */
  #isPublication(pointer: string): boolean {
    const { key, wanted } = this.#item;
    const [enabled] = this.#getValues(pointer);
    return (
      key.kind === 'viewpoint' &&
      pointer === '/visibility/enabled' &&
      enabled !== undefined &&
      enabled === getPart(wanted, '/enabled')
    );
  }

  /**
   * Returns whether the instance may have set a part by itself that isn't recorded: because the apply or a rollback has
   * created the item, because the item was never pulled, or because the lock has the part as set by the instance
   * already. A part that others have changed since the apply doesn't count.
   */
  #mayBeOfInstance(pointer: string, hash: string): boolean {
    const { lockEntry, isCreated, isRestored, expectedAdditions, changedParts } = this.#item;
    if (changedParts.has(getComparedPointer(pointer))) {
      return false;
    }
    if (
      lockEntry === undefined ||
      isCreated ||
      isRestored ||
      lockEntry.unpulledParts?.get(pointer) === hash
    ) {
      return true;
    }
    const added = this.#listAdded(pointer) ?? [];
    return (
      added.length > 0 &&
      (expectedAdditions.has(pointer) || added.every((member) => expectedAdditions.has(member)))
    );
  }
}
