import type { AppliedProject, FormerItem } from '../../changes/model/operation.ts';
import { type PartHashes, appendToken, hashParts } from '../compare/parts.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import type { ItemIdentity } from '../instance/conversionResult.ts';
import { type ItemKey, type ProjectItem, formatItemKey, parseItemKey, renamedFromMember } from '../item.ts';
import { type Lock, type LockEntry, readLockEntry } from '../pull/lock.ts';
import { renameLockEntries } from '../pull/renamedEntries.ts';
import { getFormerKey } from '../pull/renames.ts';
import { getOrderedContent } from '../pull/unchangedFiles.ts';

type FormerItems = NonNullable<AppliedProject['formerItems']>;

/** A project and its instance after an apply was undone. */
export interface UndoneState {
  readonly project: { readonly items: readonly ProjectItem[] };
  readonly pulled: Pick<ConvertedInstance, 'items' | 'identities'>;
  readonly isUnknown: (key: ItemKey) => boolean;
  /** What the items were before the apply. */
  readonly formerItems: FormerItems;
  /** What the same project has applied since. */
  readonly laterItems: FormerItems;
}

/**
 * Returns a lock with what it said before an apply about everything that is again as it was then: so what the apply has
 * written counts as a change of the project again, and not what its undo has written as a change by others.
 *
 * Anything else keeps its entry: what the undo has not restored, what others have changed since, and what the lock
 * doesn't have as the project has applied it, because it is that of another checkout, or was deleted. Names go back only
 * if the files say what they were (`renamedFrom`): otherwise, the next plan would create the items again.
 */
export function restoreFormerLock(lock: Lock, state: UndoneState): Lock {
  if (lock.instance === undefined) {
    return lock;
  }
  const renamedLock = restoreNames(lock, state);
  const restorer = new EntryRestorer(renamedLock, state);
  state.formerItems.forEach((item) => restorer.restore(item));
  return { ...renamedLock, entries: restorer.entries };
}

/** Returns a lock with the former names of what the undo has renamed back, and of everything that refers to it. */
function restoreNames(lock: Lock, { project, pulled, formerItems }: UndoneState): Lock {
  const formerByKey = new Map(formerItems.map((item) => [item.key, item]));
  const wanted = new Map(project.items.map((item) => [formatItemKey(item.key), item]));
  const seenByOid = new Map(
    [...lock.entries].flatMap(([text, entry]) => {
      const key = parseItemKey(text);
      return key === undefined || entry.oid === undefined
        ? []
        : [[getIdentifier(key.kind, entry.oid), { text, entry }] as const];
    }),
  );
  const columns = new Map<string, Readonly<Record<string, string>>>();
  const identities = pulled.identities.flatMap((identity): readonly ItemIdentity[] => {
    const text = formatItemKey(identity.key);
    const seen = seenByOid.get(getIdentifier(identity.key.kind, identity.oid));
    const former = formerByKey.get(text);
    const file = wanted.get(seen?.text ?? '');
    const isNameKept = seen?.text === text;
    const formerKey = file && getFormerKey(file.key, file.content);
    const isNameRestored =
      former?.newKey === seen?.text && formerKey !== undefined && formatItemKey(formerKey) === text;
    if (seen === undefined || !(isNameKept || isNameRestored)) {
      return [];
    }
    const restoredColumns = restoreColumnNames(identity.columns ?? {}, seen.entry, { file, former });
    if (restoredColumns !== undefined) {
      columns.set(text, restoredColumns);
    }
    return [restoredColumns === undefined ? identity : { ...identity, columns: restoredColumns }];
  });
  const renamed = renameLockEntries(lock, { project: pulled, pulled: { items: pulled.items, identities } });
  return renamed === lock
    ? lock
    : {
        ...renamed,
        entries: new Map(
          [...renamed.entries].map(([text, entry]) => {
            const names = columns.get(text);
            return [text, names === undefined ? entry : { ...entry, columns: names }];
          }),
        ),
      };
}

/**
 * Returns the IDs of the columns of a table by the names that the lock has, or by the former names if the undo has
 * renamed them back.
 */
function restoreColumnNames(
  current: Readonly<Record<string, string>>,
  { columns: lastSeen }: LockEntry,
  { file, former }: { readonly file: ProjectItem | undefined; readonly former: FormerItem | undefined },
): Readonly<Record<string, string>> | undefined {
  if (lastSeen === undefined) {
    return undefined;
  }
  const wanted = getColumnsByName(file?.content);
  const seenNames = new Map(Object.entries(lastSeen).map(([name, oid]) => [oid, name]));
  return Object.fromEntries(
    Object.entries(current).map(([name, oid]) => {
      const seenName = seenNames.get(oid) ?? name;
      const isRestored =
        wanted.get(seenName)?.[renamedFromMember] === name &&
        Object.hasOwn(former?.parts ?? {}, appendToken('/columns', name));
      return [isRestored ? name : seenName, oid];
    }),
  );
}

/** Restores the entries of a lock one by one. */
class EntryRestorer {
  readonly entries: Map<string, LockEntry>;
  readonly #state: UndoneState;
  readonly #current: ReadonlyMap<string, PartHashes>;
  readonly #files: ReadonlyMap<string, PartHashes>;
  readonly #identities: ReadonlyMap<string, ItemIdentity>;
  /** The IDs on the instance, and those in the lock. */
  readonly #currentIds: ReadonlySet<string>;
  readonly #lockIds: ReadonlySet<string | undefined>;
  /** What the project has applied, by the texts of the keys in the project. */
  readonly #applied: ReadonlyMap<string, readonly PartHashes[]>;
  /** The texts of the keys of items that have other names on the instance than in the lock. */
  readonly #renamed: ReadonlySet<string>;

  constructor(lock: Lock, state: UndoneState) {
    const { project, pulled, formerItems, laterItems } = state;
    const texts = new Set(formerItems.flatMap(({ key, newKey = key }) => [key, newKey]));
    const isChanged = ({ key }: ProjectItem): boolean => texts.has(formatItemKey(key));
    this.entries = new Map(lock.entries);
    this.#state = state;
    this.#current = new Map(
      pulled.items.filter(isChanged).map(({ key, content }) => [formatItemKey(key), hashParts(content)]),
    );
    this.#files = new Map(
      project.items
        .filter(isChanged)
        .map((item) => [formatItemKey(item.key), hashParts(getOrderedContent(item))]),
    );
    this.#identities = new Map(pulled.identities.map((identity) => [formatItemKey(identity.key), identity]));
    this.#currentIds = new Set(pulled.identities.map(({ oid }) => oid));
    this.#lockIds = new Set([...lock.entries.values()].map(({ oid }) => oid));
    this.#applied = new Map(
      [
        ...Map.groupBy(
          [...formerItems, ...laterItems].filter(({ appliedParts }) => appliedParts !== undefined),
          ({ key, newKey = key }) => newKey,
        ),
      ].map(([text, items]) => [text, items.map(({ appliedParts = {} }) => toParts(appliedParts))]),
    );
    this.#renamed = new Set(
      formerItems.flatMap(({ key, newKey }) =>
        newKey !== undefined && lock.entries.has(newKey) ? [key, newKey] : [],
      ),
    );
  }

  /** Restores the entry of an item, as far as the item is as it was before the apply. */
  restore(former: FormerItem): void {
    const { key: text, newKey = text, appliedParts } = former;
    const key = parseItemKey(text);
    if (key === undefined || this.#state.isUnknown(key) || this.#renamed.has(text)) {
      return;
    }
    const lastSeen = former.lastSeen === undefined ? undefined : readLockEntry(text, former.lastSeen);
    const entry = this.entries.get(text);
    const current = this.#current.get(text);
    if (current === undefined || former.parts === undefined) {
      const isGoneAgain = current === undefined && former.parts === undefined;
      // If the instance has it under another name, others have renamed it.
      const isGone = isGoneAgain && !(entry?.oid !== undefined && this.#currentIds.has(entry.oid));
      if (isGone && entry !== undefined && this.#isApplied(newKey, entry)) {
        this.#set(text, lastSeen);
      }
      return;
    }
    if (entry !== undefined) {
      this.#set(
        text,
        this.#restoreParts(entry, { text, newKey, lastSeen, current, former: toParts(former.parts) }),
      );
      return;
    }
    const isDeletedHere = appliedParts === undefined && !this.#files.has(newKey);
    const isSeenElsewhere = lastSeen?.oid !== undefined && this.#lockIds.has(lastSeen.oid);
    if (isDeletedHere && lastSeen !== undefined && !isSeenElsewhere) {
      this.#set(text, lastSeen);
    }
  }

  #set(text: string, entry: LockEntry | undefined): void {
    if (entry === undefined) {
      this.entries.delete(text);
    } else {
      this.entries.set(text, entry);
    }
  }

  /** Returns an entry with what was last seen before of the parts that are as they were. */
  #restoreParts(
    entry: LockEntry,
    {
      text,
      newKey,
      lastSeen,
      current,
      former,
    }: {
      readonly text: string;
      readonly newKey: string;
      readonly lastSeen: LockEntry | undefined;
      readonly current: PartHashes;
      readonly former: PartHashes;
    },
  ): LockEntry | undefined {
    // In the order of the item, because the order is compared, too.
    const pointers = [
      ...new Set([...current.keys(), ...(lastSeen?.parts.keys() ?? []), ...entry.parts.keys()]),
    ];
    const isAsBefore = (pointer: string): boolean => current.get(pointer) === former.get(pointer);
    if (lastSeen === undefined && pointers.every(isAsBefore) && this.#isApplied(newKey, entry)) {
      // It was never pulled.
      return undefined;
    }
    const restored = new Set(
      pointers.filter(
        (pointer) =>
          isAsBefore(pointer) &&
          // Otherwise, it has been seen as it is.
          entry.parts.get(pointer) !== current.get(pointer) &&
          entry.parts.get(pointer) !== lastSeen?.parts.get(pointer) &&
          this.#isAppliedPart(newKey, pointer, entry.parts.get(pointer)),
      ),
    );
    if (restored.size === 0) {
      return entry;
    }
    const choose = (name: 'parts' | 'unpulledParts'): PartHashes =>
      new Map(
        pointers.flatMap((pointer) => {
          const hash = (restored.has(pointer) ? lastSeen : entry)?.[name]?.get(pointer);
          return hash === undefined ? [] : [[pointer, hash] as const];
        }),
      );
    const parts = choose('parts');
    const columns = entry.columns && this.#restoreColumns(text, entry.columns, restored);
    const isRestored = pointers.every((pointer) => parts.get(pointer) === lastSeen?.parts.get(pointer));
    const unpulledParts = choose('unpulledParts');
    return {
      ...(isRestored && lastSeen !== undefined
        ? lastSeen
        : {
            ...entry,
            parts,
            appliedFile: undefined,
            unpulledParts: unpulledParts.size === 0 ? undefined : unpulledParts,
          }),
      ...(columns === undefined ? {} : { columns }),
    };
  }

  /** Returns the IDs of the columns of a table, of which some are as they were. */
  #restoreColumns(
    text: string,
    columns: Readonly<Record<string, string>>,
    restored: ReadonlySet<string>,
  ): Readonly<Record<string, string>> {
    const isRestored = ([name]: readonly [string, string]): boolean =>
      restored.has(appendToken('/columns', name));
    return Object.fromEntries([
      ...Object.entries(columns).filter((column) => !isRestored(column)),
      ...Object.entries(this.#identities.get(text)?.columns ?? {}).filter(isRestored),
    ]);
  }

  /** Returns whether a lock has a part as the project has applied it, or whether its file still has what was applied. */
  #isAppliedPart(newKey: string, pointer: string, hash: string | undefined): boolean {
    const inFile = this.#files.get(newKey)?.get(pointer);
    return (this.#applied.get(newKey) ?? []).some(
      (parts) =>
        parts.get(pointer) === hash ||
        (inFile !== undefined && parts.get(pointer) === inFile) ||
        // A renamed column has its former name again, but is otherwise as it was applied.
        (pointer.startsWith('/columns/') && hash !== undefined && [...parts.values()].includes(hash)),
    );
  }

  /** Returns whether a lock has an item as the project has applied it; the instance may have more of it. */
  #isApplied(newKey: string, { parts }: LockEntry): boolean {
    return (this.#applied.get(newKey) ?? []).some((applied) => {
      const shared = [...parts.keys()].filter((pointer) => applied.has(pointer));
      return (
        shared.length > 0 &&
        shared.every((pointer) => this.#isAppliedPart(newKey, pointer, parts.get(pointer)))
      );
    });
  }
}

const toParts = (hashes: Readonly<Record<string, string>>): PartHashes => new Map(Object.entries(hashes));

const getIdentifier = (kind: ItemKey['kind'], oid: string): string => `${kind} ${oid}`;
