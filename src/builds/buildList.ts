import { type BuildTask, getBuildFailure, getBuildPhase, getBuildTaskDetails } from '../contract/build.ts';
import { type Build, createBuildOfTask, getBuiltDatamodelKey, isResultKnown, isRunning } from './build.ts';
import { findLatestEnded } from './latestBuild.ts';

/**
 * How long a new task may be missing from responses (platform-facts.md, 1.2: some seconds).
 */
export const missingGraceMs = 30_000;

/** How many ended builds are kept for the views. */
export const maxEndedBuilds = 50;

/** What the responses of GET /builds have listed so far. */
export interface TaskListings {
  /** The IDs of the tasks in any of the responses that this window has received. */
  readonly ids: ReadonlySet<string>;
  /** When the last response was received, by any window. */
  readonly time: number;
  /** False if another window has received the last response, which may contain tasks that `ids` lacks. */
  readonly isComplete: boolean;
}

/**
 * Merges a response of GET /builds into the known builds of a connection. Known builds are updated. Tasks that were
 * started elsewhere are added: all that run; of those that ended after the last response, the latest
 * {@link maxEndedBuilds}; and the latest one of each datamodel, if it ended after the known builds of that datamodel. A
 * result that the server reported never changes again. Builds that the response lacks stay unchanged: see
 * {@link findMissingBuilds}.
 * @param previous what earlier responses have listed, if there were any. A server may not report when a task ended
 * (rest-api.md, "Build task"), but a task that no earlier response contains ended after them
 */
export function mergeTasks(
  knownBuilds: readonly Build[],
  response: readonly BuildTask[],
  { connectionId, now, previous }: { connectionId: string; now: number; previous?: TaskListings | undefined },
): readonly Build[] {
  const tasks = new Map(response.map((task) => [task.oid, task]));
  const updatedBuilds = knownBuilds.map((build) => {
    const task = tasks.get(build.oid);
    return task === undefined ? build : updateFromTask(build, task, now);
  });
  const knownIds = new Set(knownBuilds.map(({ oid }) => oid));
  const newTasks = sortByServerTime([...tasks.values()].filter(({ oid }) => !knownIds.has(oid)));
  const running: Build[] = [];
  const missed: Build[] = [];
  const earlier: Build[] = [];
  for (const task of newTasks) {
    const build = updateFromTask(createBuildStartedElsewhere(connectionId, task, now), task, now);
    if (isRunning(build)) {
      running.push(build);
    } else if (previous !== undefined && hasEndedSince(previous, task)) {
      missed.push({ ...build, ended: Math.min(now, Math.max(build.ended ?? now, previous.time)) });
    } else if (getBuildTaskDetails(task).completedAt !== undefined) {
      earlier.push(build);
    }
  }
  const newBuilds = [...earlier, ...missed, ...running];
  const builtDatamodels = Map.groupBy([...updatedBuilds, ...newBuilds], getBuiltDatamodelKey);
  const addedBuilds = new Set<Build | undefined>([
    ...[...builtDatamodels.values()].map(findLatestEnded),
    ...missed.slice(-maxEndedBuilds),
    ...running,
  ]);
  return [...updatedBuilds, ...newBuilds.filter((build) => addedBuilds.has(build))];
}

/** Sorts tasks by when they ended or at least started, as far as the server reports it; others keep their order. */
const sortByServerTime = (tasks: readonly BuildTask[]): readonly BuildTask[] => {
  const getTime = (task: BuildTask): number => {
    const { completedAt, startedAt } = getBuildTaskDetails(task);
    return completedAt ?? startedAt ?? 0;
  };
  return tasks.toSorted((a, b) => getTime(a) - getTime(b));
};

/** Returns whether a task that has ended did so after the last response. */
const hasEndedSince = ({ ids, time, isComplete }: TaskListings, task: BuildTask): boolean =>
  !ids.has(task.oid) && (isComplete || (getBuildTaskDetails(task).completedAt ?? 0) > time);

/** Returns the running builds that the response should have listed but didn't. */
export function findMissingBuilds(
  knownBuilds: readonly Build[],
  response: readonly BuildTask[],
  now: number,
): readonly Build[] {
  const listedIds = new Set(response.map(({ oid }) => oid));
  return knownBuilds.filter(
    (build) => isRunning(build) && !listedIds.has(build.oid) && now - build.firstSeen >= missingGraceMs,
  );
}

/** Marks a build as gone: the server has deleted its task, so its result is unknown. */
export const markGone = (build: Build, now: number): Build => ({ ...build, phase: 'gone', ended: now });

/** Returns the build, updated from the server's task unless its result is already known. */
export function updateFromTask(build: Build, task: BuildTask, now: number): Build {
  if (isResultKnown(build)) {
    return build;
  }
  const phase = getBuildPhase(task.status);
  const failure = phase === 'failed' ? getBuildFailure(task) : {};
  const details = getBuildTaskDetails(task);
  return {
    ...build,
    datamodelId: task.datamodelId ?? build.datamodelId,
    datamodelTitle: details.title ?? build.datamodelTitle,
    source: details.source ?? build.source,
    status: task.status ?? null,
    phase,
    lastSeen: now,
    ended: phase === 'running' ? undefined : estimateEnd(build, details.completedAt, now),
    serverMs: phase === 'running' ? undefined : details.durationMs,
    reason: failure.reason,
    failedTable: failure.table,
  };
}

/**
 * Returns when a build ended by this machine's clock: the server's time if that is possible. The clocks may differ, so
 * a time before the build was last seen running becomes that time, and a time in the future becomes now.
 */
function estimateEnd(
  { lastSeen, startedBy, firstSeen }: Build,
  completedAt: number | undefined,
  now: number,
): number {
  // A build that was started elsewhere may have ended before it was first seen.
  const earliestEnd = lastSeen ?? (startedBy === undefined ? 0 : firstSeen);
  return Math.min(now, Math.max(completedAt ?? now, earliestEnd));
}

function createBuildStartedElsewhere(connectionId: string, task: BuildTask, now: number): Build {
  const { buildType, rowLimit } = getBuildTaskDetails(task);
  return {
    ...createBuildOfTask(connectionId, task.oid, now),
    buildType,
    schemaOrigin: getTextField(task, 'schemaOrigin'),
    rowLimit,
  };
}

/** Reads a field that the guide does not document for tasks, but that an instance may send. */
function getTextField(task: BuildTask, field: string): string | undefined {
  const text = task[field];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/**
 * Merges the builds that two windows know of one connection, ordered by when they were first seen. For each build, a
 * result that the server reported wins, otherwise the more recent report.
 */
export function mergeBuilds(ownBuilds: readonly Build[], otherBuilds: readonly Build[]): readonly Build[] {
  const merged = new Map(ownBuilds.map((build) => [build.oid, build]));
  for (const build of otherBuilds) {
    const existing = merged.get(build.oid);
    merged.set(build.oid, existing === undefined ? build : mergeBuild(existing, build));
  }
  return [...merged.values()].toSorted((a, b) => a.firstSeen - b.firstSeen);
}

/** Compares two lists of builds by value. */
export const areBuildsEqual = (a: readonly Build[], b: readonly Build[]): boolean =>
  a.length === b.length &&
  a.every((build, index) => {
    const other = b[index];
    return build === other || (other !== undefined && isBuildEqual(build, other));
  });

function isBuildEqual(a: Build, b: Build): boolean {
  const keys = Object.keys(a) as (keyof Build)[];
  return keys.every((key) => a[key] === b[key]);
}

function mergeBuild(own: Build, other: Build): Build {
  if (isBuildEqual(own, other)) {
    return own;
  }
  const moreRecentBuild = getLastReportTime(other) > getLastReportTime(own) ? other : own;
  const base = isResultKnown(own) ? own : isResultKnown(other) ? other : moreRecentBuild;
  const fallback = base === own ? other : own;
  return {
    ...base,
    firstSeen: Math.min(own.firstSeen, other.firstSeen),
    datamodelTitle: base.datamodelTitle ?? fallback.datamodelTitle,
    datamodelId: base.datamodelId ?? fallback.datamodelId,
    // A server may not report the options of a build that a window started (rest-api.md, "Build task").
    buildType: base.buildType ?? fallback.buildType,
    schemaOrigin: base.schemaOrigin ?? fallback.schemaOrigin,
    rowLimit: base.rowLimit ?? fallback.rowLimit,
    startedBy: base.startedBy ?? fallback.startedBy,
  };
}

/** Returns the time at which a build was last reported or found missing. */
const getLastReportTime = ({ lastSeen, ended }: Build): number => Math.max(lastSeen ?? 0, ended ?? 0);
