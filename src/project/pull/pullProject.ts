import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { foldPath } from '../fileNames.ts';
import type { Project } from '../files/project.ts';
import { readProject } from '../files/readProject.ts';
import type { TextFile } from '../files/readTextFile.ts';
import { type ConvertedInstance, convertInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ItemKind, formatItemKey } from '../item.ts';
import { type ProjectSettings, type SelectionLimits, createSelection } from '../settings/projectSettings.ts';
import { type InstanceReading, type UnreadPart, readInstance } from '../source/readInstance.ts';
import { markMissingViewpointsUnread } from '../source/missingViewpoints.ts';
import { createConflictSelection } from './conflictSelection.ts';
import { listEnvironments } from './findEnvironments.ts';
import { createNotPulledCheck, createUnreadPartiesCheck } from './notPulledItems.ts';
import { type InstanceAddress, hashInstance } from './instanceHash.ts';
import { type Lock, LockError, formatLock, getLockPath, readLock, readLockText } from './lock.ts';
import type { PullConflict } from './decideUnit.ts';
import type { ConflictSide } from './mergeItem.ts';
import { type PullPlan, planPull } from './planPull.ts';
import { hasDeclarableRenames } from './declaredRenames.ts';
import { type UnmatchedNameFilter, findUnmatchedNameFilter } from './unmatchedNameFilter.ts';
import { type UnresolvedConflicts, findUnresolvedConflicts } from './unresolvedConflicts.ts';
import { requireExistingProject } from './existingProject.ts';
import { writeNewSettings } from './newProjectFiles.ts';
import { createProjectFolder, writeProjectFiles } from './writeProjectFiles.ts';

/** A project and one of its instances. */
export interface PullTarget {
  /** The absolute path of the project's folder. */
  readonly folder: string;
  readonly settings: ProjectSettings;
  /** Whether the folder doesn't contain a project yet. The pull then writes the settings of a new one. */
  readonly isNewProject: boolean;
  readonly environmentName: string;
  readonly address: InstanceAddress;
}

/** Options of a pull. */
export interface PullOptions {
  /** Limits the pull to a part of what the project manages. */
  readonly limits?: SelectionLimits;
  /** The kinds of items that are deleted if the instance no longer has them. */
  readonly prunedKinds?: ReadonlySet<ItemKind>;
  /** The side that wins all conflicts; if absent, conflicts are reported. */
  readonly winner?: ConflictSide | undefined;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Called when a part of the instance has been read. */
  readonly onProgress?: (readCount: number, total: number) => void;
  /** Called after each page of viewpoints, which are one of the parts; the total is what the server reports. */
  readonly onViewpointsRead?: (readCount: number, total: number | undefined) => void;
  /**
   * Called before and after the instance is read, and before conflicts are resolved. Throws if a change of the instance
   * isn't finished: what was read would be mistaken for changes by other users.
   */
  readonly requireNoPendingChange?: () => Promise<void>;
  /** Returns the paths in the project of files with unsaved changes in an editor. These files are not touched. */
  readonly getUnsavedPaths?: () => Iterable<string>;
}

/** The result of a pull. */
export interface PullResult {
  readonly plan: PullPlan;
  readonly pulled: ConvertedInstance;
  /** The project before the pull. */
  readonly project: Project;
  readonly reading: InstanceReading;
  readonly failedParts: readonly UnreadPart[];
  /** False if the instance has no viewpoint service: see `InstanceReading.offersViewpoints`. */
  readonly offersViewpoints: boolean;
  /** The files that were not written because of unsaved changes in an editor. */
  readonly unsavedPaths: readonly string[];
  /** The lock files of other environments that can't be used, if the pull brings in renames. */
  readonly unusableLockPaths: readonly string[];
}

/** What would happen to the file of a conflict if the instance won. */
export type InstancePreview =
  /** The text that it would have; `undefined` if it would be deleted. */
  | { readonly text: string | undefined; readonly unresolved?: never }
  /** Why it can't win. */
  | { readonly unresolved: UnresolvedConflicts; readonly text?: never };

/** Why nothing was pulled. */
export type PullFault =
  /** The lock file can't be used. The line is that of the fault, if it's in the content. */
  | {
      readonly code: 'lock';
      readonly path: string;
      readonly line: number | undefined;
      readonly message: Message;
    }
  /** The lock file belongs to an instance with another address or tenant. */
  | { readonly code: 'other-instance'; readonly path: string }
  /** The lock file has unsaved changes in an editor. */
  | { readonly code: 'unsaved-lock'; readonly path: string }
  /** The lock file has changed while the instance was read: what was read may be older. */
  | { readonly code: 'changed-meanwhile'; readonly path: string }
  /** The lock file has changed since the conflicts were found. */
  | { readonly code: 'outdated'; readonly path: string }
  /** The project manages nothing that a limit matches. */
  | UnmatchedNameFilter;

/** A pull was refused: nothing was pulled, and no file was changed. */
export class PullRefusedError extends Error {
  override readonly name = 'PullRefusedError';
  readonly fault: PullFault;

  constructor(fault: PullFault) {
    super(`Pull refused: ${fault.code}`);
    this.fault = fault;
  }
}

/** What a plan is created from. */
interface PullSources {
  readonly reading: InstanceReading;
  readonly lock: Lock;
  readonly project: Project;
  readonly otherLocks: OtherLocks;
  /** Whether the project's folder didn't exist before the pull, which then creates it. */
  readonly isFolderMissing: boolean;
  readonly getWinner: (key: ItemKey) => ConflictSide | undefined;
  readonly isSelected?: (key: ItemKey) => boolean;
}

/**
 * Reads the lock of an environment.
 * @param file the lock file, if it has been read already
 * @throws PullRefusedError if it can't be used, or belongs to another instance
 */
export async function readMatchingLock(
  { folder, environmentName, address }: Pick<PullTarget, 'folder' | 'environmentName' | 'address'>,
  file?: TextFile,
): Promise<Lock> {
  const lock = await readLock(folder, environmentName, file).catch((error: unknown) => {
    if (error instanceof LockError) {
      const { userMessage, line } = error;
      throw new PullRefusedError({
        code: 'lock',
        path: getLockPath(environmentName),
        line,
        message: userMessage,
      });
    }
    throw error;
  });
  if (lock.instance !== undefined && lock.instance !== hashInstance(address)) {
    throw new PullRefusedError({ code: 'other-instance', path: getLockPath(environmentName) });
  }
  return lock;
}

/** The locks of the other environments of a project. */
interface OtherLocks {
  readonly locks: readonly Lock[];
  /** The paths of those that can't be used. */
  readonly unusablePaths: readonly string[];
}

/** Reads the locks of the other environments. */
async function readOtherLocks({
  folder,
  environmentName,
}: Pick<PullTarget, 'folder' | 'environmentName'>): Promise<OtherLocks> {
  const environments = await listEnvironments(folder);
  const locks = await Promise.all(
    environments
      .filter(({ name }) => name !== environmentName)
      .map(({ name }) =>
        readLock(folder, name).catch((error: unknown) => {
          if (error instanceof LockError) {
            return getLockPath(name);
          }
          throw error;
        }),
      ),
  );
  return {
    locks: locks.filter((lock) => typeof lock !== 'string'),
    unusablePaths: locks.filter((lock) => typeof lock === 'string'),
  };
}

/** Brings the files of a project up to date with an instance. Writes nothing to the instance. */
export class ProjectPull {
  readonly #target: PullTarget;
  readonly #options: PullOptions;
  /** What the last run read, and the lock as `run` or `resolve` last wrote it. */
  #last: { readonly reading: InstanceReading; readonly lockText: string } | undefined;

  constructor(target: PullTarget, options: PullOptions) {
    this.#target = target;
    this.#options = options;
  }

  /**
   * Reads the instance and writes the files.
   * @param openClient called only after the project was found to be usable
   * @throws PullRefusedError
   * @throws ProjectWriteError
   * @throws ApiError if the datamodels can't be listed
   * @throws the reason of the signal if it is aborted
   */
  async run(openClient: () => Promise<PlatformClient>): Promise<PullResult> {
    return this.#write(await this.#read(openClient));
  }

  /**
   * Reads the instance, and returns the conflicts that a run would leave. Writes nothing; {@link resolve} resolves
   * them. Throws what {@link run} throws.
   */
  async findConflicts(openClient: () => Promise<PlatformClient>): Promise<readonly PullConflict[]> {
    const sources = await this.#read(openClient);
    this.#last = { reading: sources.reading, lockText: formatLock(sources.lock) };
    return this.#plan(sources).plan.conflicts;
  }

  async #read(openClient: () => Promise<PlatformClient>): Promise<PullSources> {
    const { limits, winner, signal, log, onProgress, onViewpointsRead } = this.#options;
    const { folder, environmentName } = this.#target;
    this.#last = undefined;
    const isFolderMissing = !existsSync(folder);
    const lockFile = await readLockText(folder, environmentName);
    const lock = await readMatchingLock(this.#target, lockFile);
    await this.#options.requireNoPendingChange?.();
    const instance = await readInstance(await openClient(), {
      selection: createSelection(this.#target.settings, limits),
      signal,
      log,
      lock,
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(onViewpointsRead === undefined ? {} : { onViewpointsRead }),
    });
    // If an apply has ended in the meantime, it has changed the lock file, and the older reading would undo its
    // changes.
    await this.#options.requireNoPendingChange?.();
    if (!isDeepStrictEqual(await readLockText(folder, environmentName), lockFile)) {
      throw new PullRefusedError({ code: 'changed-meanwhile', path: getLockPath(environmentName) });
    }
    // Files are read after the instance, because that can take minutes in which they may change.
    const [project, otherLocks] = await Promise.all([readProject(folder), readOtherLocks(this.#target)]);
    const reading = markMissingViewpointsUnread(instance, { lock, projectItems: project.items });
    const fault = findUnmatchedNameFilter(limits, reading, project);
    if (fault !== undefined) {
      throw new PullRefusedError(fault);
    }
    return { reading, lock, project, otherLocks, isFolderMissing, getWinner: () => winner };
  }

  /**
   * Resolves conflicts of the last run in favor of one side, using what that run read. Nothing else is changed.
   * @param keys the keys of the conflicts' units
   * @throws PullRefusedError if the project was pulled in the meantime
   * @throws ProjectWriteError
   */
  async resolve(keys: readonly ItemKey[], winner: ConflictSide): Promise<PullResult> {
    return this.#write(await this.#selectConflicts(keys, winner));
  }

  /**
   * Returns what would happen to the file of a conflict if the instance won.
   * @throws PullRefusedError if the project was pulled in the meantime
   */
  async previewTheirs(conflict: PullConflict): Promise<InstancePreview> {
    const { plan } = this.#plan(await this.#selectConflicts([conflict.unitKey], 'theirs'));
    const unresolved = findUnresolvedConflicts(plan, [conflict]);
    const [key, unitKey] = [conflict.key, conflict.unitKey].map(formatItemKey);
    const canWin =
      unresolved === undefined ||
      (unresolved.skipped.length === 0 &&
        !unresolved.unwinnable.some((other) => formatItemKey(other.unitKey) === unitKey));
    return canWin
      ? { text: plan.writes.find((write) => formatItemKey(write.key) === key)?.text }
      : { unresolved };
  }

  /**
   * Returns the text that the file of a conflict would have if the project won: with the other changes of the instance.
   * @throws PullRefusedError if the project was pulled in the meantime
   */
  async previewOurs({
    key,
    unitKey,
    path,
  }: Pick<PullConflict, 'key' | 'unitKey' | 'path'>): Promise<string | undefined> {
    const sources = await this.#selectConflicts([unitKey], 'ours');
    const { plan } = this.#plan(sources);
    const write = plan.writes.find((candidate) => formatItemKey(candidate.key) === formatItemKey(key));
    return write?.text ?? sources.project.items.find((item) => item.path === path)?.text;
  }

  /**
   * Limits the last reading of the instance to conflicts.
   * @throws PullRefusedError if the project was pulled in the meantime
   */
  async #selectConflicts(keys: readonly ItemKey[], winner: ConflictSide): Promise<PullSources> {
    await this.#options.requireNoPendingChange?.();
    const [lock, project, otherLocks] = await Promise.all([
      readMatchingLock(this.#target),
      readProject(this.#target.folder),
      readOtherLocks(this.#target),
    ]);
    if (this.#last === undefined || formatLock(lock) !== this.#last.lockText) {
      throw new PullRefusedError({ code: 'outdated', path: getLockPath(this.#target.environmentName) });
    }
    return {
      reading: this.#last.reading,
      lock,
      project,
      otherLocks,
      isFolderMissing: false,
      getWinner: () => winner,
      isSelected: createConflictSelection(keys, project),
    };
  }

  #plan({ reading, lock, project, otherLocks, getWinner, isSelected }: PullSources) {
    const { prunedKinds } = this.#options;
    const pulled = convertInstance({ ...reading.documents, numberedReferences: lock.numberedReferences });
    const isHidden = createNotPulledCheck(lock, pulled, reading.listedIds);
    const hasUnreadParties = createUnreadPartiesCheck(pulled, reading.scope);
    const unsavedPaths = this.#getUnsavedPaths();
    const plan = planPull({
      project,
      lock,
      pulled,
      otherLocks: otherLocks.locks,
      isUnknownOnInstance: (key) => reading.isNotRead(key) || isHidden(key) || hasUnreadParties(key),
      unsavedPaths,
      ...(prunedKinds === undefined ? {} : { prunedKinds }),
      getWinner,
      ...(isSelected === undefined ? {} : { isSelected }),
    });
    return { plan, pulled, unsavedPaths };
  }

  async #write(sources: PullSources): Promise<PullResult> {
    const { folder, settings, environmentName, isNewProject, address } = this.#target;
    const { reading, lock, project } = sources;
    const { failedParts, offersViewpoints } = reading;
    const { plan, pulled, unsavedPaths } = this.#plan(sources);
    this.#options.signal.throwIfAborted();
    const newLock: Lock = {
      ...plan.lock,
      // If the names of parties could not be read, no file refers to the new numbers in `bound`, so the old list is
      // kept.
      ...(failedParts.some(({ part }) => part.kind === 'people')
        ? { numberedReferences: lock.numberedReferences }
        : {}),
      instance: hashInstance(address),
      hasDirectory: lock.hasDirectory === true || reading.hasUserLists,
    };
    if (!isNewProject) {
      await requireExistingProject(folder);
    } else if (sources.isFolderMissing) {
      await createProjectFolder(folder);
    }
    await writeProjectFiles(folder, environmentName, { ...plan, lock: newLock });
    if (isNewProject) {
      await writeNewSettings(folder, settings);
    }
    this.#last = { reading: this.#last?.reading ?? reading, lockText: formatLock(newLock) };
    return {
      plan,
      pulled,
      project,
      reading,
      failedParts,
      offersViewpoints,
      unsavedPaths: project.paths.filter((path) => unsavedPaths.has(foldPath(path))),
      unusableLockPaths: hasDeclarableRenames(plan) ? sources.otherLocks.unusablePaths : [],
    };
  }

  /**
   * Returns the folded paths of files with unsaved changes.
   * @throws PullRefusedError if the lock file is one of them
   */
  #getUnsavedPaths(): ReadonlySet<string> {
    const paths = new Set([...(this.#options.getUnsavedPaths?.() ?? [])].map(foldPath));
    const lockPath = getLockPath(this.#target.environmentName);
    if (paths.has(foldPath(lockPath))) {
      throw new PullRefusedError({ code: 'unsaved-lock', path: lockPath });
    }
    return paths;
  }
}
