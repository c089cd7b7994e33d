import { type JsonValue, isJsonObject } from '../../base/json.ts';
import type { Project } from '../files/project.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, formatItemKey, parseItemKey } from '../item.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { isGeneratedColumn } from '../compare/compareContents.ts';
import { isItemDefault, listAddedMembers } from '../compare/instanceDefaults.ts';
import { matchContents } from '../compare/matchContents.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import type { Lock, LockEntry } from '../pull/lock.ts';
import { renameLockEntries } from '../pull/renamedEntries.ts';
import { createReplacedRulesCheck } from '../pull/replacedDatamodels.ts';
import { hashFileContent, isUnchangedFile } from '../pull/unchangedFiles.ts';
import { type PartHashes, appendToken, getPart, getPartName, hashParts } from '../compare/parts.ts';
import { renewRestoredEntries } from './restoredEntries.ts';

/** The project and the instance after changes were applied, resumed, or rolled back. */
export interface AppliedState {
  readonly project: Pick<Project, 'items'>;
  readonly pulled: Pick<ConvertedInstance, 'items' | 'identities' | 'getPulledName'>;
  /** The comparison of the two. */
  readonly comparison: Pick<ProjectComparison, 'changes' | 'extras' | 'notes' | 'isUnknown'>;
  /** The texts of the keys of the items that the apply has created. */
  readonly createdKeys?: ReadonlySet<string> | undefined;
  /** The texts of the keys of the items that the apply has changed; `undefined` if that isn't known. */
  readonly changedKeys?: ReadonlySet<string> | undefined;
  /**
   * The texts of the keys of the rules that an abandoned apply has written in part and left as they are now: these count
   * as seen, as they were before the apply.
   */
  readonly leftKeys?: ReadonlySet<string> | undefined;
  /** The current IDs of what a rollback has restored, by the IDs that the items had. */
  readonly restoredIds?: ReadonlyMap<string, string> | undefined;
}

/**
 * Returns the lock after changes were applied, resumed, or rolled back: what is the same in the project and on the
 * instance is recorded as last seen, and what neither has is removed. Everything else keeps its entry, so the next pull
 * still fetches what others have changed. In items that the apply has created, what the instance sets by itself is
 * recorded, too: see {@link isSetOnCreation} and {@link isDefault}. Items that both have renamed are recorded under
 * their new names, and restored items with their new IDs.
 */
export function createAppliedLock(
  lock: Lock,
  { project, pulled, comparison, createdKeys, changedKeys, leftKeys, restoredIds }: AppliedState,
): Lock {
  const lastSeen = renewRestoredEntries(renameLockEntries(lock, { project, pulled }), {
    pulled,
    isUnknown: comparison.isUnknown,
    restoredIds: restoredIds ?? new Map(),
  });
  const wanted = new Map(project.items.map(({ key, content }) => [formatItemKey(key), content]));
  const current = new Map(pulled.items.map(({ key, content }) => [formatItemKey(key), content]));
  const identities = new Map(pulled.identities.map((identity) => [formatItemKey(identity.key), identity]));
  const differences = groupDifferences(comparison);
  const areRulesReplaced = createReplacedRulesCheck(lastSeen, pulled);
  const entries = new Map<string, LockEntry>();
  for (const [text, entry] of lastSeen.entries) {
    const key = parseItemKey(text);
    const isGone = !wanted.has(text) && !current.has(text) && key !== undefined && !comparison.isUnknown(key);
    // Rules that a datamodel of the same title had are not those of the one that has replaced it.
    const isReplaced =
      !current.has(text) && key !== undefined && (entry.isOfReplaced === true || areRulesReplaced(key));
    if (!isGone && !isReplaced) {
      entries.set(text, entry);
    }
  }
  for (const { key, content } of project.items) {
    const text = formatItemKey(key);
    const seen = current.get(text);
    if (seen === undefined || comparison.isUnknown(key)) {
      continue;
    }
    const base = entries.get(text);
    const seenParts = hashParts(seen);
    const parts = mergeParts(base?.parts, {
      seen: seenParts,
      wanted: content,
      isDefault: (pointer) =>
        isDefault({ key, seen, wanted: content }, pointer, createdKeys?.has(text) === true),
      differences: new Set(
        [...(differences.get(text) ?? [])].filter((pointer) =>
          createdKeys?.has(text) === true
            ? !isSetOnCreation(key, seen, pointer)
            : base !== undefined || !isConnection(key, pointer),
        ),
      ),
    });
    if (parts.size > 0) {
      const { oid, columns } = identities.get(text) ?? {};
      const isAsApplied =
        !isUnchangedFile({ key, content }, { parts }) &&
        matchContents({ key, content }, { key, content: seen }, pulled.getPulledName, parts) === 'applied';
      const isUntouched = base !== undefined && changedKeys?.has(text) === false;
      entries.set(text, {
        ...base,
        ...(oid === undefined ? {} : { oid }),
        ...(columns === undefined ? {} : { columns: mergeColumns(base?.columns, columns, content) }),
        parts,
        appliedFile: isAsApplied ? hashFileContent({ key, content }) : undefined,
        unpulledParts: isUntouched ? base.unpulledParts : findUnpulledParts(seenParts, parts),
        isOfReplaced: undefined,
      });
    }
  }
  for (const { key, content } of pulled.items) {
    const text = formatItemKey(key);
    if (leftKeys?.has(text) === true && !comparison.isUnknown(key)) {
      entries.set(text, {
        ...entries.get(text),
        parts: hashParts(content),
        appliedFile: undefined,
        unpulledParts: undefined,
        isOfReplaced: undefined,
      });
    }
  }
  return { ...lock, entries };
}

/** Returns what an instance has other than what is recorded; `undefined` if that is nothing. */
function findUnpulledParts(seen: PartHashes, recorded: PartHashes): PartHashes | undefined {
  // What is compared as a whole has no members that others could add.
  const parts = [...seen].filter(([pointer, hash]) => pointer !== '' && recorded.get(pointer) !== hash);
  return parts.length === 0 ? undefined : new Map(parts);
}

/**
 * Returns whether a created item has a part that differs from the project although nobody has changed it: the
 * connection is that of the environment, and the columns of a custom table are generated from its SQL (rest-api.md,
 * "Table"). Anything else that differs was changed by others since.
 */
const isSetOnCreation = (key: ItemKey, seen: JsonValue, pointer: string): boolean =>
  isConnection(key, pointer) ||
  (key.kind === 'table' && pointer.startsWith('/columns') && isGeneratedColumn(seen, getPart(seen, pointer)));

/**
 * Returns whether a part that only the instance has, or of which the instance has more than the project, was set by the
 * instance itself. Anything else was added by others, who would lose it if it counted as seen.
 */
function isDefault(
  { key, seen, wanted }: { readonly key: ItemKey; readonly seen: JsonValue; readonly wanted: JsonValue },
  pointer: string,
  isCreated: boolean,
): boolean {
  const member = getComparedPointer(pointer);
  const [value, wantedValue] = [getPart(seen, member), getPart(wanted, member)];
  if (isColumn(key, pointer)) {
    return wantedValue === undefined
      ? isCreated && isGeneratedColumn(seen, value)
      : isJsonObject(value) && isJsonObject(wantedValue) && listAddedMembers(value, wantedValue).length === 0;
  }
  return (
    wantedValue !== undefined ||
    (isCreated && value !== undefined && isItemDefault(key, getPartName(member), value))
  );
}

const isColumn = ({ kind }: ItemKey, pointer: string): boolean =>
  kind === 'table' && pointer.startsWith('/columns/');

/** Connections differ between environments, so a connection that no pull has seen counts as seen. */
const isConnection = ({ kind }: ItemKey, pointer: string): boolean =>
  kind === 'dataset' && getComparedPointer(pointer) === '/connection';

/** Returns the pointers of what differs, by the texts of the items' keys. */
function groupDifferences({
  changes,
  extras,
  notes,
}: Pick<ProjectComparison, 'changes' | 'extras' | 'notes'>): ReadonlyMap<string, ReadonlySet<string>> {
  const pointers = [
    ...changes.flatMap(({ key, parts }) => parts.map(({ pointer }) => ({ key, pointer }))),
    // Columns that only the instance has were added by others: an apply creates no columns but those of the project.
    ...extras.flatMap(({ key, column }) =>
      column === undefined ? [] : [{ key, pointer: appendToken('/columns', column) }],
    ),
    // What the instance derives from SQL isn't a difference, and what it sets by itself is found by `isDefault`.
    ...notes.filter(({ code }) => code !== 'derived-column' && code !== 'added'),
  ];
  return new Map(
    [...Map.groupBy(pointers, ({ key }) => formatItemKey(key))].map(([text, group]) => [
      text,
      new Set(group.map(({ pointer }) => pointer)),
    ]),
  );
}

/**
 * Returns the IDs of the columns of a table by name. A column that others have renamed keeps the name that was last
 * seen, by which the next pull recognizes the rename.
 */
function mergeColumns(
  lastSeen: LockEntry['columns'] = {},
  current: Readonly<Record<string, string>>,
  wanted: JsonValue,
): Readonly<Record<string, string>> {
  const wantedColumns = getColumnsByName(wanted);
  const names = new Map(Object.entries(current).map(([name, oid]) => [oid, name]));
  const renamed = Object.entries(lastSeen).filter(([formerName, oid]) => {
    const name = names.get(oid);
    return name !== undefined && name !== formerName && !wantedColumns.has(name);
  });
  const renamedIds = new Set(renamed.map(([, oid]) => oid));
  return {
    ...Object.fromEntries(Object.entries(current).filter(([, oid]) => !renamedIds.has(oid))),
    ...Object.fromEntries(renamed),
  };
}

interface ComparedParts {
  readonly seen: PartHashes;
  readonly wanted: JsonValue;
  readonly differences: ReadonlySet<string>;
  /** Returns whether the instance itself has set what only it has in a part. */
  readonly isDefault: (pointer: string) => boolean;
}

/**
 * Returns the hashes of the parts that are the same on both sides, and the last seen hashes of all other parts,
 * including parts that only the project has because others have deleted them on the instance.
 */
function mergeParts(
  base: PartHashes | undefined,
  { seen, wanted, differences, isDefault }: ComparedParts,
): PartHashes {
  const wantedParts = hashParts(wanted);
  const differs = (pointer: string): boolean =>
    differences.has('') || differences.has(getComparedPointer(pointer));
  const parts = [...seen].flatMap(([pointer, hash]) => {
    const isSame = !differs(pointer) && (hash === wantedParts.get(pointer) || isDefault(pointer));
    const recordedHash = isSame ? hash : base?.get(pointer);
    return recordedHash === undefined ? [] : [[pointer, recordedHash] as const];
  });
  let previous: string | undefined;
  for (const part of base ?? []) {
    const [pointer] = part;
    if (!seen.has(pointer) && wantedParts.has(pointer) && differs(pointer)) {
      // Keeps its position, because the order of columns is compared, too.
      parts.splice(parts.findIndex(([other]) => other === previous) + 1, 0, part);
    }
    previous = pointer;
  }
  return new Map(parts);
}

/** Returns the pointer of what is compared as a whole: a column of a table, or a member of an item. */
const getComparedPointer = (pointer: string): string =>
  pointer.startsWith('/columns/') ? pointer : (/^\/[^/]*/.exec(pointer)?.[0] ?? '');
