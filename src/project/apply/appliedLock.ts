import type { JsonValue } from '../../base/json.ts';
import type { HiddenName } from '../../changes/journal/hiddenAfterStop.ts';
import type { Project } from '../files/project.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import { type ItemKey, formatItemKey, parseItemKey } from '../item.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { isGeneratedColumn } from '../compare/compareContents.ts';
import { isInstanceOnly } from '../compare/itemChange.ts';
import { matchContents } from '../compare/matchContents.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import type { Lock, LockEntry } from '../pull/lock.ts';
import { renameLockEntries } from '../pull/renamedEntries.ts';
import { createReplacedRulesCheck } from '../pull/replacedDatamodels.ts';
import { hashFileContent, isUnchangedFile } from '../pull/unchangedFiles.ts';
import { appendToken, getPart, hashParts } from '../compare/parts.ts';
import { isConnection, recordParts } from './recordedParts.ts';
import { recordHiding } from './abandonedHiding.ts';
import { renewRestoredEntries } from './restoredEntries.ts';

/** The project and the instance after changes were applied, resumed, or rolled back. */
export interface AppliedState {
  readonly project: Pick<Project, 'items'>;
  readonly pulled: Pick<ConvertedInstance, 'items' | 'identities' | 'getPulledName'>;
  /** The comparison of the two. */
  readonly comparison: Pick<ProjectComparison, 'changes' | 'extraItems' | 'notes' | 'isUncomparable'>;
  /** The texts of the keys of the items that the apply has created. */
  readonly createdKeys?: ReadonlySet<string> | undefined;
  /**
   * The pointers of what changed items may have on the instance but not in their files, without these counting as added
   * by others, by the texts of the items' keys (`ItemChange.expectedAdditions`).
   */
  readonly expectedAdditions?: ReadonlyMap<string, readonly string[]> | undefined;
  /**
   * The pointers of the parts that others have changed since the apply wrote them, by the texts of the items' keys
   * (`WrittenItems.changedParts`).
   */
  readonly changedParts?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /**
   * The texts of the keys of the rules that an abandoned apply has written in part, and that are still as it has left
   * them. They count as seen, because the lock had seen their state before the apply.
   */
  readonly abandonedRuleKeys?: ReadonlySet<string> | undefined;
  /**
   * The tables and columns that an abandoned apply has hidden for the time being. They count as seen if the lock had seen
   * everything else of them.
   */
  readonly abandonedHiding?: readonly HiddenName[] | undefined;
  /** The current IDs of what a rollback has restored, by the IDs that the items had. */
  readonly restoredIds?: ReadonlyMap<string, string> | undefined;
  /**
   * After a rollback or an undo: the texts of the keys of the changed items that the lock had before the apply. Other
   * items that the lock lacks were never pulled, and still count as not pulled.
   */
  readonly formerlySeenKeys?: ReadonlySet<string> | undefined;
}

/**
 * Returns the lock after changes were applied, resumed, or rolled back: what is the same in the project and on the
 * instance is recorded as last seen, and what neither has is removed. Everything else keeps its entry, so the next pull
 * still fetches what others have changed. In items that the apply has created, what the instance sets by itself is
 * recorded, too: see {@link isSetOnCreation} and {@link recordParts}. Items that were renamed in the project and on the
 * instance are recorded under their new names, and restored items with their new IDs. After a rollback or an undo, no
 * items are added but those that the lock had before the apply.
 */
export function createAppliedLock(
  lock: Lock,
  {
    project,
    pulled,
    comparison,
    createdKeys,
    expectedAdditions,
    changedParts,
    abandonedRuleKeys,
    abandonedHiding = [],
    restoredIds,
    formerlySeenKeys,
  }: AppliedState,
): Lock {
  const lastSeen = renewRestoredEntries(renameLockEntries(lock, { project, pulled }), {
    pulled,
    isUncomparable: comparison.isUncomparable,
    restoredIds: restoredIds ?? new Map(),
  });
  const wanted = new Map(project.items.map(({ key, content }) => [formatItemKey(key), content]));
  const current = new Map(pulled.items.map(({ key, content }) => [formatItemKey(key), content]));
  const identities = new Map(pulled.identities.map((identity) => [formatItemKey(identity.key), identity]));
  const differences = groupDifferences(comparison);
  const areRulesReplaced = createReplacedRulesCheck(lastSeen, pulled);
  const newIds = new Set(restoredIds?.values());
  const entries = new Map<string, LockEntry>();
  for (const [text, entry] of lastSeen.entries) {
    const key = parseItemKey(text);
    const isGone =
      !wanted.has(text) && !current.has(text) && key !== undefined && !comparison.isUncomparable(key);
    // The rules of a datamodel that was replaced are not those of the new datamodel with the same title.
    const isReplaced =
      !current.has(text) && key !== undefined && (entry.isOfReplaced === true || areRulesReplaced(key));
    if (!isGone && !isReplaced) {
      entries.set(text, entry);
    }
  }
  for (const { key, content } of project.items) {
    const text = formatItemKey(key);
    const seen = current.get(text);
    const base = entries.get(text);
    const wasNeverPulled = base === undefined && formerlySeenKeys?.has(text) === false;
    if (seen === undefined || comparison.isUncomparable(key) || wasNeverPulled) {
      continue;
    }
    const isCreated = createdKeys?.has(text) === true;
    const { oid, columns } = identities.get(text) ?? {};
    const { parts, unpulledParts } = recordParts({
      key,
      wanted: content,
      current: seen,
      lockEntry: base,
      differingPointers: new Set(
        [...(differences.get(text) ?? [])].filter((pointer) =>
          isCreated
            ? !isSetOnCreation(key, seen, pointer)
            : base !== undefined || !isConnection(key, pointer),
        ),
      ),
      isCreated,
      isRestored: oid !== undefined && newIds.has(oid),
      expectedAdditions: new Set(expectedAdditions?.get(text)),
      changedParts: changedParts?.get(text) ?? new Set(),
    });
    if (parts.size > 0) {
      const isAsApplied =
        !isUnchangedFile({ key, content }, { parts }) &&
        matchContents({ key, content }, { key, content: seen }, pulled.getPulledName, parts) === 'applied';
      entries.set(text, {
        ...base,
        ...(oid === undefined ? {} : { oid }),
        ...(columns === undefined ? {} : { columns: mergeColumns(base?.columns, columns, content) }),
        parts,
        appliedFile: isAsApplied ? hashFileContent({ key, content }) : undefined,
        unpulledParts,
        isOfReplaced: undefined,
      });
    }
  }
  for (const { key, content } of pulled.items) {
    const text = formatItemKey(key);
    if (abandonedRuleKeys?.has(text) === true && !comparison.isUncomparable(key)) {
      entries.set(text, {
        ...entries.get(text),
        parts: hashParts(content),
        appliedFile: undefined,
        unpulledParts: undefined,
        isOfReplaced: undefined,
      });
    }
  }
  recordHiding(entries, { pulled, hidden: abandonedHiding }).forEach(([text, entry]) =>
    entries.set(text, entry),
  );
  return { ...lock, entries };
}

/**
 * Returns whether a created item has a part that differs from the project although nobody has changed it: the
 * connection is that of the environment, and the columns of a custom table are generated from its SQL (rest-api.md,
 * "Table"). Anything else that differs was changed by others since.
 */
const isSetOnCreation = (key: ItemKey, seen: JsonValue, pointer: string): boolean =>
  // Connections differ between environments, so a connection that no pull has seen counts as seen.
  isConnection(key, pointer) ||
  (key.kind === 'table' && pointer.startsWith('/columns') && isGeneratedColumn(seen, getPart(seen, pointer)));

/** Returns the pointers of what differs, by the texts of the items' keys. */
function groupDifferences({
  changes,
  extraItems,
  notes,
}: Pick<ProjectComparison, 'changes' | 'extraItems' | 'notes'>): ReadonlyMap<string, ReadonlySet<string>> {
  const pointers = [
    ...changes.flatMap(({ key, parts }) => parts.map(({ pointer }) => ({ key, pointer }))),
    // Columns that only the instance has were added by others: an apply creates no columns but those of the project.
    ...extraItems.flatMap(({ key, column }) =>
      column === undefined ? [] : [{ key, pointer: appendToken('/columns', column) }],
    ),
    // What the instance derives from SQL isn't a difference, and what it sets by itself is found by `recordParts`.
    ...notes.filter(
      (note) => note.code !== 'derived-column' && note.code !== 'added' && !isInstanceOnly(note),
    ),
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
