import { createMessage } from '../../base/localize.ts';
import { formatItemKey } from '../item.ts';
import { isCustomTable } from '../compare/compareContents.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import { type ExtraKind, type RemainingDifferences, countRemaining } from '../plan/remainingDifferences.ts';
import { hashInstance } from '../pull/instanceHash.ts';
import { type Lock, LockError, formatLock, getLockPath, readLock } from '../pull/lock.ts';
import { ProjectWriteError, writeProjectFiles } from '../pull/writeProjectFiles.ts';
import { createAppliedLock } from './appliedLock.ts';
import type { PlanTarget, ProjectPlan } from './loadProjectPlan.ts';
import type { WrittenKeys } from './writtenItems.ts';

/** The items that still differ after an apply. */
export interface OpenItems {
  /** The items that another apply has to finish. */
  readonly waiting: readonly string[];
  /**
   * The waiting relations that can be created now, because the instance already has the columns of the new tables. If
   * the datamodel were built without them, rules on one of their tables would not restrict the other.
   */
  readonly readyRelations: readonly string[];
  /** The items that should no longer differ. */
  readonly unexpected: readonly string[];
  /** What no apply changes. */
  readonly remaining: RemainingDifferences;
}

/** What is known about the change after which the lock file is updated. */
export interface RecordedChange {
  /** The plan, if all of it was applied. */
  readonly applied?: Pick<ProjectPlan, 'prepared'>;
  /** What the change has written, if it wasn't applied from a plan. */
  readonly written?: WrittenKeys;
  /** The texts of the keys of the items that an abandoned change has left as they are now. */
  readonly leftKeys?: ReadonlySet<string>;
  /** The current IDs of what a rollback has restored, by the IDs that the items had. */
  readonly restoredIds?: ReadonlyMap<string, string>;
}

/**
 * Records the state of the instance in the lock file, so that the next plan doesn't report it as changed on the server.
 * The project and the instance have been read after an apply, a resume, or a rollback.
 * @throws ProjectWriteError
 */
export async function writeAppliedLock(
  { folder, environmentName, address }: Pick<PlanTarget, 'folder' | 'environmentName' | 'address'>,
  { project, lock, reading, prepared }: Pick<ProjectPlan, 'project' | 'lock' | 'reading' | 'prepared'>,
  { applied, written = applied && getPlannedKeys(applied), leftKeys, restoredIds }: RecordedChange = {},
): Promise<void> {
  await requireSameLock(folder, environmentName, lock);
  await writeProjectFiles(folder, environmentName, {
    writes: [],
    deletions: [],
    lock: {
      ...createAppliedLock(lock, {
        project,
        ...prepared,
        ...written,
        leftKeys,
        restoredIds,
      }),
      instance: hashInstance(address),
      hasDirectory: lock.hasDirectory === true || reading.hasUserLists,
    },
  });
}

/** Returns what a plan creates and changes. */
function getPlannedKeys({ prepared: { comparison } }: Pick<ProjectPlan, 'prepared'>): WrittenKeys {
  const toTexts = (changes: readonly ItemChange[]): ReadonlySet<string> =>
    new Set(changes.map(({ key }) => formatItemKey(key)));
  return {
    createdKeys: toTexts(comparison.changes.filter(({ action }) => action === 'create')),
    changedKeys: toTexts(comparison.changes),
  };
}

/**
 * Requires that the lock file has not changed since it was read. Reading an instance takes minutes, and a pull in the
 * meantime must not be lost.
 * @throws ProjectWriteError
 */
async function requireSameLock(folder: string, environmentName: string, lock: Lock): Promise<void> {
  const current = await readLock(folder, environmentName).catch((error: unknown) => {
    if (error instanceof LockError) {
      return undefined;
    }
    throw error;
  });
  if (current === undefined || formatLock(current) !== formatLock(lock)) {
    const path = getLockPath(environmentName);
    throw new ProjectWriteError(
      'changed',
      path,
      createMessage("{0} has changed in the meantime, so it wasn't written.", path),
    );
  }
}

/**
 * Finds what still differs after a plan was applied. Items that need a build wait for the next apply, and so do custom
 * tables whose columns have only now been generated from their SQL.
 */
export function findOpenItems({ prepared }: ProjectPlan, after: ProjectPlan): OpenItems {
  const { comparison, compiled } = prepared;
  const deferred = new Set([
    ...compiled.deferred.map(({ key }) => formatItemKey(key)),
    ...comparison.changes.flatMap(({ key, parts }) =>
      key.kind === 'table' && isCustomTable(parts[0]?.after) ? [formatItemKey(key)] : [],
    ),
  ]);
  const open = after.prepared.comparison.changes.map(({ key }) => formatItemKey(key));
  return {
    waiting: open.filter((item) => deferred.has(item)),
    readyRelations: findReadyRelations(after).filter((item) => deferred.has(item)),
    unexpected: open.filter((item) => !deferred.has(item)),
    remaining: countRemainingDifferences(after, prepared),
  };
}

/** Returns the relations that can be created now. */
export function findReadyRelations({
  prepared: { comparison, compiled },
}: Pick<ProjectPlan, 'prepared'>): readonly string[] {
  const deferred = new Set(compiled.deferred.map(({ key }) => formatItemKey(key)));
  return comparison.changes
    .filter(({ key, action }) => key.kind === 'relation' && action === 'create')
    .map(({ key }) => formatItemKey(key))
    .filter((item) => !deferred.has(item));
}

/**
 * Counts what no apply changes.
 * @param applied the plan that was applied: in what it has changed, nothing counts as added by others
 */
export function countRemainingDifferences(
  { prepared: { comparison } }: Pick<ProjectPlan, 'prepared'>,
  applied?: ProjectPlan['prepared'],
): RemainingDifferences {
  const changed = new Set(applied?.comparison.changes.map(({ key }) => formatItemKey(key)));
  return countRemaining(
    comparison.notes
      .map(({ code, key }) => ({ code, item: formatItemKey(key) }))
      .filter(({ code, item }) => code !== 'added' || !changed.has(item)),
    listExtraKinds(comparison),
  );
}

/** Returns the kinds of what only the instance has. */
export const listExtraKinds = ({
  extras,
}: Pick<ProjectPlan['prepared']['comparison'], 'extras'>): readonly ExtraKind[] =>
  extras.map(({ key, column }) => (column === undefined ? key.kind : 'column'));
