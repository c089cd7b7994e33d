import { unescapePointer } from '../../base/jsonPointer.ts';
import type { AppliedProject, FormerItem } from '../../changes/model/operation.ts';
import { type PartHashes, appendToken, hashParts } from '../compare/parts.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, formatItemKey, getOwnerKeys, parseItemKey } from '../item.ts';
import { type Lock, type LockEntry, readLockEntry } from '../pull/lock.ts';

type FormerItems = NonNullable<AppliedProject['formerItems']>;

/** An instance after an apply was undone. */
export interface UndoneState {
  readonly pulled: Pick<ConvertedInstance, 'items' | 'identities'>;
  readonly isUncomparable: (key: ItemKey) => boolean;
  /** What the items were before the apply. */
  readonly formerItems: FormerItems;
  /** What the same project has applied since. */
  readonly laterItems: FormerItems;
}

/** The change of an entry by an apply that was undone. */
interface EntryChange {
  readonly text: string;
  readonly entry: LockEntry;
  readonly lastSeen: LockEntry | undefined;
  readonly current: PartHashes;
  readonly former: FormerItem;
}

const noParts: PartHashes = new Map();
const columnPrefix = '/columns/';

/**
 * Restores what a lock said before an apply about the parts that the instance has again as before the apply. So what
 * the apply wrote counts as a change of the project again, and what the undo wrote doesn't count as a change by others.
 *
 * A part gets its former hash only if the lock has it as the project has applied it, and if its name and ID are the
 * same as before, in the lock and on the instance. What the apply has added is removed if the instance no longer has
 * it. Everything else keeps its entry: what the apply has renamed or deleted, SQL that only follows a rename, what
 * others have changed since, and what another checkout has never seen. So nothing counts as seen that this lock hasn't
 * seen. `findReplacedItems` returns the items whose files a pull replaces for that reason.
 */
export function restoreFormerLock(lock: Lock, state: UndoneState): Lock {
  if (lock.instance === undefined) {
    return lock;
  }
  const restorer = new EntryRestorer(lock, state);
  const entries = new Map(lock.entries);
  for (const former of state.formerItems) {
    const entry = restorer.restore(former);
    if (entry === undefined) {
      entries.delete(former.key);
    } else {
      entries.set(former.key, entry);
    }
  }
  return { ...lock, entries };
}

class EntryRestorer {
  readonly #lock: Lock;
  readonly #state: UndoneState;
  readonly #current: ReadonlyMap<string, ConvertedInstance['items'][number]>;
  readonly #identities: ReadonlyMap<string, ConvertedInstance['identities'][number]>;
  /** The IDs of the items and columns of the instance. */
  readonly #currentIds: ReadonlySet<string>;
  /** What the project has applied, by the texts of the keys in the project. */
  readonly #applied: ReadonlyMap<string, FormerItems>;
  /** The texts of the keys that the apply has given to other items. */
  readonly #newKeys: ReadonlySet<string | undefined>;

  constructor(lock: Lock, state: UndoneState) {
    const { pulled, formerItems, laterItems } = state;
    this.#lock = lock;
    this.#state = state;
    this.#current = new Map(pulled.items.map((item) => [formatItemKey(item.key), item]));
    this.#identities = new Map(pulled.identities.map((identity) => [formatItemKey(identity.key), identity]));
    this.#currentIds = new Set(
      pulled.identities.flatMap(({ oid, columns = {} }) => [oid, ...Object.values(columns)]),
    );
    this.#applied = Map.groupBy([...formerItems, ...laterItems], ({ key, newKey = key }) => newKey);
    this.#newKeys = new Set(formerItems.map(({ newKey }) => newKey));
  }

  /**
   * Returns the entry of an item, with the former hashes of the parts that are as before the apply; `undefined` if the
   * entry is to be removed.
   */
  restore(former: FormerItem): LockEntry | undefined {
    const { key: text, newKey, followsRename = false, appliedParts, parts } = former;
    const key = parseItemKey(text);
    const entry = this.#lock.entries.get(text);
    if (
      key === undefined ||
      entry === undefined ||
      newKey !== undefined ||
      followsRename ||
      this.#newKeys.has(text) ||
      this.#state.isUncomparable(key) ||
      appliedParts === undefined ||
      entry.isOfReplaced === true
    ) {
      return entry;
    }
    const lastSeen = former.lastSeen === undefined ? undefined : readLockEntry(text, former.lastSeen);
    const item = this.#current.get(text);
    if (item === undefined || parts === undefined) {
      const isGoneAgain = item === undefined && parts === undefined && lastSeen === undefined;
      return isGoneAgain && !this.#currentIds.has(entry.oid ?? '') ? undefined : entry;
    }
    const current = hashParts(item.content);
    const change: EntryChange = { text, entry, lastSeen, current, former };
    if (lastSeen === undefined) {
      // It was never pulled: another checkout that has pulled it since keeps what it has seen.
      const changed = [...entry.parts].filter(([pointer, hash]) => current.get(pointer) !== hash);
      const isRestored = ([pointer]: readonly [string, string]): boolean =>
        current.get(pointer) === parts[pointer] && this.#isAppliedPart(change, pointer);
      return changed.length > 0 && changed.every(isRestored) ? undefined : entry;
    }
    return this.#haveSameIds(key, lastSeen) ? this.#restoreParts(change, lastSeen) : entry;
  }

  /** Returns whether an item, and what it belongs to, have the IDs on the instance that they have in the lock. */
  #haveSameIds(key: ItemKey, lastSeen: LockEntry): boolean {
    const text = formatItemKey(key);
    const table: ItemKey | undefined =
      key.kind === 'rules' || key.kind === 'columnExpression'
        ? { kind: 'table', datamodel: key.datamodel, table: key.table }
        : undefined;
    return (
      lastSeen.oid === this.#lock.entries.get(text)?.oid &&
      [key, ...getOwnerKeys(key), ...(table === undefined ? [] : [table])].every((other) => {
        const otherText = formatItemKey(other);
        return this.#lock.entries.get(otherText)?.oid === this.#identities.get(otherText)?.oid;
      }) &&
      (table === undefined || !('column' in key) || this.#hasSameColumn(formatItemKey(table), key.column))
    );
  }

  #hasSameColumn(table: string, name: string): boolean {
    return (
      getColumnId(this.#lock.entries.get(table), name) === getColumnId(this.#identities.get(table), name)
    );
  }

  #restoreParts(change: EntryChange, lastSeen: LockEntry): LockEntry {
    const { entry } = change;
    const restored = new Set([...entry.parts.keys()].filter((pointer) => this.#isRestored(change, pointer)));
    if (restored.size === 0) {
      return entry;
    }
    const choose = (parts: PartHashes = noParts, former: PartHashes = noParts): PartHashes =>
      new Map(
        [...parts].flatMap(([pointer, hash]) => {
          const chosen = restored.has(pointer) ? former.get(pointer) : hash;
          return chosen === undefined ? [] : [[pointer, chosen] as const];
        }),
      );
    const parts = choose(entry.parts, lastSeen.parts);
    // Restored pointers are added with an empty hash, so that `choose` also finds former `unpulledParts` that the entry
    // lacks.
    const unpulledParts = choose(
      new Map([...(entry.unpulledParts ?? []), ...[...restored].map((pointer) => [pointer, ''] as const)]),
      lastSeen.unpulledParts,
    );
    const removed = new Set([...restored].filter((pointer) => !lastSeen.parts.has(pointer)));
    const isAsLastSeen =
      parts.size === lastSeen.parts.size &&
      [...parts].every(([pointer, hash]) => lastSeen.parts.get(pointer) === hash);
    return {
      ...entry,
      ...(entry.columns === undefined
        ? {}
        : {
            columns: Object.fromEntries(
              Object.entries(entry.columns).filter(([name]) => !removed.has(appendToken('/columns', name))),
            ),
          }),
      parts,
      appliedFile: isAsLastSeen ? lastSeen.appliedFile : undefined,
      unpulledParts: unpulledParts.size === 0 ? undefined : unpulledParts,
    };
  }

  /**
   * Returns whether a part that the lock has is as it was before the apply, and was last seen as the apply wrote it.
   */
  #isRestored(change: EntryChange, pointer: string): boolean {
    const { text, entry, lastSeen, current, former } = change;
    const hash = entry.parts.get(pointer);
    if (
      current.get(pointer) !== former.parts?.[pointer] ||
      hash === current.get(pointer) ||
      hash === lastSeen?.parts.get(pointer)
    ) {
      return false;
    }
    const isColumn = parseItemKey(text)?.kind === 'table' && pointer.startsWith(columnPrefix);
    const name = unescapePointer(pointer.slice(columnPrefix.length));
    const oid = isColumn ? getColumnId(entry, name) : undefined;
    if (!current.has(pointer)) {
      return (
        former.appliedParts?.[pointer] !== undefined &&
        lastSeen?.parts.has(pointer) !== true &&
        !(isColumn && (oid === undefined || this.#currentIds.has(oid)))
      );
    }
    // A column that no pull had seen before has no former ID that could differ.
    const formerOid = lastSeen?.parts.has(pointer) === true ? getColumnId(lastSeen, name) : oid;
    return (
      this.#isAppliedPart(change, pointer) &&
      (!isColumn || (oid !== undefined && oid === formerOid && this.#hasSameColumn(text, name)))
    );
  }

  /** Returns whether a lock has a part as the project has applied it. */
  #isAppliedPart({ text, entry }: EntryChange, pointer: string): boolean {
    const hash = entry.parts.get(pointer);
    return (this.#applied.get(text) ?? []).some(
      ({ appliedParts, appliedFile }) =>
        appliedParts?.[pointer] !== undefined &&
        (appliedParts[pointer] === hash || (appliedFile !== undefined && appliedFile === entry.appliedFile)),
    );
  }
}

/** Returns the ID of a column of a table; `undefined` if it's unknown. */
export const getColumnId = (item: Pick<LockEntry, 'columns'> | undefined, name: string): string | undefined =>
  new Map(Object.entries(item?.columns ?? {})).get(name);
