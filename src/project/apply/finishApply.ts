import { createMessage } from '../../base/localize.ts';
import type { HiddenName } from '../../changes/journal/hiddenAfterStop.ts';
import { formatItemKey } from '../item.ts';
import { isCustomTable } from '../compare/compareContents.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import {
  type InstanceOnlyKind,
  type RemainingDifferences,
  countRemaining,
} from '../plan/remainingDifferences.ts';
import { hashInstance } from '../pull/instanceHash.ts';
import { type Lock, LockError, formatLock, getLockPath, readLock } from '../pull/lock.ts';
import { requireExistingProject } from '../pull/existingProject.ts';
import { ProjectWriteError, writeProjectFiles } from '../pull/writeProjectFiles.ts';
import { createAppliedLock } from './appliedLock.ts';
import type { ProjectPlan } from './loadProjectPlan.ts';
import { listNeededBuilds } from './neededBuilds.ts';
import type { WrittenItems } from './writtenItems.ts';

/** What has to be done next after an apply that has left items for another apply. */
export interface NextSteps {
  /**
   * The waiting relations that can be created now, because the instance already has the columns of the new tables. If
   * the datamodel were built without them, rules on one of their tables would not restrict the other.
   */
  readonly readyRelations: readonly string[];
  /** The datamodels to build before the next apply; empty if that apply comes before any build. */
  readonly neededBuilds: readonly string[];
}

/** The items that still differ after an apply. */
export interface OpenItems extends NextSteps {
  /** The items that another apply has to finish. */
  readonly waiting: readonly string[];
  /** The items that should no longer differ. */
  readonly unexpected: readonly string[];
  /** What no apply changes. */
  readonly remaining: RemainingDifferences;
}

/** What is known about the change after which the lock file is updated. */
export interface RecordedChange {
  /** The plan, if all of it was applied. */
  readonly appliedPlan?: Pick<ProjectPlan, 'prepared'>;
  /** The project as it was applied, compared with the instance, if the files may have changed since. */
  readonly appliedProject?: Pick<ProjectPlan, 'project'> & Pick<ProjectPlan['prepared'], 'comparison'>;
  /** What the change has written, if it wasn't applied from a plan. */
  readonly writtenItems?: WrittenItems;
  /**
   * The texts of the keys of the rules that an abandoned apply has written in part, and that are still as it has left
   * them. They count as seen.
   */
  readonly abandonedRuleKeys?: ReadonlySet<string>;
  /** The tables and columns that an abandoned apply has hidden for the time being (`findHiddenAfterStop`). */
  readonly abandonedHiding?: readonly HiddenName[];
  /** The current IDs of what a rollback has restored, by the IDs that the items had. */
  readonly restoredIds?: ReadonlyMap<string, string>;
  /**
   * After a rollback or an undo: the texts of the keys of the changed items that the lock had before the apply. Other
   * items that the lock lacks were never pulled, and still count as not pulled.
   */
  readonly formerlySeenKeys?: ReadonlySet<string>;
}

/** What is known of the instance after a change. */
export interface RecordedState {
  /** The lock that records it, so that the next plan doesn't report it as changed on the server. */
  readonly lock: Lock;
  /** The project compared with the instance, with this lock. */
  readonly comparison: ProjectComparison;
}

/**
 * Returns what is known of the instance after a change.
 * @param after the project and the instance, read after an apply, a resume, or a rollback, with the lock from before it
 */
export function computeRecordedState(
  {
    sources: { target },
    project,
    lock,
    reading,
    prepared,
  }: Pick<ProjectPlan, 'sources' | 'project' | 'lock' | 'reading' | 'prepared'>,
  {
    appliedPlan,
    appliedProject,
    writtenItems: written = appliedPlan && toWrittenItems(appliedPlan),
    abandonedRuleKeys,
    abandonedHiding,
    restoredIds,
    formerlySeenKeys,
  }: RecordedChange = {},
): RecordedState {
  const recordedLock: Lock = {
    ...createAppliedLock(lock, {
      project,
      ...prepared,
      ...appliedProject,
      ...written,
      abandonedRuleKeys,
      abandonedHiding,
      restoredIds,
      formerlySeenKeys,
    }),
    instance: hashInstance(target.address),
    hasDirectory: lock.hasDirectory === true || reading.hasUserLists,
  };
  return { lock: recordedLock, comparison: prepared.recompare({ lock: recordedLock }) };
}

/**
 * Writes the lock file after a change. Doesn't create an empty one: with a lock file, an environment counts as pulled,
 * so all files would count as added.
 * @param after the target of the change, and the lock from before it
 * @throws ProjectWriteError
 */
export async function writeAppliedLock(
  { sources: { target }, lock }: Pick<ProjectPlan, 'sources' | 'lock'>,
  { lock: recordedLock }: Pick<RecordedState, 'lock'>,
): Promise<void> {
  const { folder, environmentName } = target;
  await requireSameLock(folder, environmentName, lock);
  await requireExistingProject(folder);
  if (recordedLock.entries.size === 0 && isNeverPulled(lock)) {
    return;
  }
  await writeProjectFiles(folder, environmentName, { writes: [], deletions: [], lock: recordedLock });
}

/** Returns whether an environment has no lock file: every pull and apply records the instance. */
const isNeverPulled = ({ entries, instance }: Lock): boolean => entries.size === 0 && instance === undefined;

/**
 * Returns the items that a plan creates and, for each changed item, the pointers of what the instance may have and the
 * file doesn't, without these counting as added by others.
 */
export function toWrittenItems({
  prepared: { comparison },
}: {
  readonly prepared: { readonly comparison: Pick<ProjectComparison, 'changes'> };
}): WrittenItems {
  return {
    createdKeys: new Set(
      comparison.changes.filter(({ action }) => action === 'create').map(({ key }) => formatItemKey(key)),
    ),
    expectedAdditions: new Map(
      comparison.changes.map(({ key, expectedAdditions = [] }) => [formatItemKey(key), expectedAdditions]),
    ),
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
export function findOpenItems(
  { prepared }: ProjectPlan,
  after: ProjectPlan,
  recorded: Pick<RecordedState, 'comparison'>,
): OpenItems {
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
    ...findNextSteps(after, deferred),
    unexpected: open.filter((item) => !deferred.has(item)),
    remaining: countRemainingDifferences(recorded),
  };
}

/**
 * Finds what has to be done before or with the next apply.
 * @param after the project and the instance, read after the apply
 * @param waiting the items that the apply has left for another one
 */
export function findNextSteps(after: Pick<ProjectPlan, 'prepared'>, waiting: ReadonlySet<string>): NextSteps {
  const readyRelations = findReadyRelations(after).filter((item) => waiting.has(item));
  return {
    readyRelations,
    neededBuilds: readyRelations.length > 0 ? [] : listNeededBuilds(after.prepared),
  };
}

/** Returns the relations that can be created now. */
function findReadyRelations({
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
 * @param recorded the state after the change, compared with the new lock. With the lock from before the change, what
 *   the change itself has done would count as done by others.
 */
export const countRemainingDifferences = ({
  comparison,
}: Pick<RecordedState, 'comparison'>): RemainingDifferences =>
  countRemaining(
    comparison.notes.map(({ code, key }) => ({ code, item: formatItemKey(key) })),
    listExtraKinds(comparison),
  );

/** Returns the kinds of what only the instance has. */
const listExtraKinds = ({
  extraItems,
}: Pick<ProjectPlan['prepared']['comparison'], 'extraItems'>): readonly InstanceOnlyKind[] =>
  extraItems.map(({ key, column }) => (column === undefined ? key.kind : 'column'));
