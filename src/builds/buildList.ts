import { type BuildTask, getBuildFailure, getBuildPhase, getBuildTaskDetails } from '../contract/build.ts';
import { type Build, hasEnded, isRunning, createUnknownBuild } from './build.ts';

/**
 * Period in which a task that was just started may be missing from responses (platform-facts.md, 1.2: some seconds).
 */
export const missingGraceMs = 30_000;

/**
 * Merges a response of GET /builds into the known builds of a connection. Known tasks get the server's state; a running
 * task that was started elsewhere is added; a task that had already ended when first seen is ignored. An end that the
 * server reported never changes again. A task that is missing stays as it is: see {@link findMissingBuilds}.
 */
export function reconcileBuilds(
  known: readonly Build[],
  answer: readonly BuildTask[],
  connectionId: string,
  now: number,
): readonly Build[] {
  const tasks = new Map(answer.map((task) => [task.oid, task]));
  const updated = known.map((build) => {
    const task = tasks.get(build.oid);
    return task === undefined ? build : withTask(build, task, now);
  });
  const knownIds = new Set(known.map(({ oid }) => oid));
  const fresh = [...tasks.values()]
    .filter((task) => !knownIds.has(task.oid) && getBuildPhase(task.status) === 'running')
    .map((task) => withTask(startedElsewhere(connectionId, task, now), task, now));
  return [...updated, ...fresh];
}

/** The running builds that a response should have listed and did not. */
export function findMissingBuilds(
  known: readonly Build[],
  answer: readonly BuildTask[],
  now: number,
): readonly Build[] {
  const listed = new Set(answer.map(({ oid }) => oid));
  return known.filter(
    (build) => isRunning(build) && !listed.has(build.oid) && now - build.firstSeen >= missingGraceMs,
  );
}

/** The build of a task that the server has deleted: its outcome is unknown. */
export const markGone = (build: Build, now: number): Build => ({ ...build, phase: 'gone', ended: now });

/** The build, updated with the task that the server reported. */
export function withTask(build: Build, task: BuildTask, now: number): Build {
  if (hasEnded(build)) {
    return build;
  }
  const phase = getBuildPhase(task.status);
  const failure = phase === 'failed' ? getBuildFailure(task) : {};
  const facts = getBuildTaskDetails(task);
  return {
    ...build,
    datamodelId: task.datamodelId ?? build.datamodelId,
    datamodelTitle: facts.title ?? build.datamodelTitle,
    source: facts.source ?? build.source,
    status: task.status ?? null,
    phase,
    lastSeen: now,
    ended: phase === 'running' ? undefined : now,
    serverMs: phase === 'running' ? undefined : facts.durationMs,
    reason: failure.reason,
    failedTable: failure.table,
  };
}

function startedElsewhere(connectionId: string, task: BuildTask, now: number): Build {
  const { buildType, rowLimit } = getBuildTaskDetails(task);
  return {
    ...createUnknownBuild(connectionId, task.oid, now),
    buildType,
    schemaOrigin: getTextField(task, 'schemaOrigin'),
    rowLimit,
  };
}

/** The guide shows no such field on a task; if an instance sends one, it is worth showing. */
function getTextField(task: BuildTask, field: string): string | undefined {
  const text = task[field];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/**
 * Merges what two windows know of the builds of one connection: an end that the server reported wins, otherwise the
 * more recent report. Ordered by when the builds were first seen.
 */
export function mergeBuilds(own: readonly Build[], other: readonly Build[]): readonly Build[] {
  const merged = new Map(own.map((build) => [build.oid, build]));
  for (const build of other) {
    const known = merged.get(build.oid);
    merged.set(build.oid, known === undefined ? build : pickMoreCertain(known, build));
  }
  return [...merged.values()].toSorted((a, b) => a.firstSeen - b.firstSeen);
}

/** True if two lists have the same contents, whatever their object identity and order of fields. */
export const buildsEqual = (a: readonly Build[], b: readonly Build[]): boolean =>
  a.length === b.length &&
  a.every((build, index) => {
    const other = b[index];
    return build === other || (other !== undefined && buildEquals(build, other));
  });

function buildEquals(a: Build, b: Build): boolean {
  const keys = Object.keys(a) as (keyof Build)[];
  return keys.every((key) => a[key] === b[key]);
}

function pickMoreCertain(own: Build, other: Build): Build {
  if (buildEquals(own, other)) {
    return own;
  }
  const later = getLastHeard(other) > getLastHeard(own) ? other : own;
  const base = hasEnded(own) ? own : hasEnded(other) ? other : later;
  const rest = base === own ? other : own;
  return {
    ...base,
    firstSeen: Math.min(own.firstSeen, other.firstSeen),
    datamodelTitle: base.datamodelTitle ?? rest.datamodelTitle,
    datamodelId: base.datamodelId ?? rest.datamodelId,
    startedBy: base.startedBy ?? rest.startedBy,
  };
}

/** Time at which a build was last reported, or found missing. */
const getLastHeard = ({ lastSeen, ended }: Build): number => Math.max(lastSeen ?? 0, ended ?? 0);
