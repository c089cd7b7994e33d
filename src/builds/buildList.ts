import { type BuildTask, buildFailure, buildPhase } from '../contract/build.ts';
import { type Build, isRunning } from './build.ts';

/** How long a task that was just started may be missing from answers (platform-facts 1.2: some seconds). */
export const missingGraceMs = 30_000;

/**
 * What is known after an answer of GET /builds for one connection. Known tasks take the server's word, a task that
 * vanished becomes `gone`, a running task that was started elsewhere is taken up; a task that was already over when
 * it was first seen is nobody's news. A task that has ended never changes again.
 */
export function reconcile(
  known: readonly Build[],
  answer: readonly BuildTask[],
  connectionId: string,
  now: number,
): readonly Build[] {
  const tasks = new Map(answer.map((task) => [task.oid, task]));
  const updated = known.map((build) => {
    if (build.connectionId !== connectionId || !isRunning(build)) {
      return build;
    }
    const task = tasks.get(build.oid);
    return task === undefined ? missing(build, now) : withTask(build, task, now);
  });
  const knownIds = new Set(
    known.filter((build) => build.connectionId === connectionId).map(({ oid }) => oid),
  );
  const fresh = answer
    .filter((task) => !knownIds.has(task.oid) && buildPhase(task.status) === 'running')
    .map((task) => withTask(startedElsewhere(connectionId, task, now), task, now));
  return [...updated, ...fresh];
}

function missing(build: Build, now: number): Build {
  return now - build.firstSeen < missingGraceMs ? build : { ...build, phase: 'gone', ended: now };
}

function withTask(build: Build, task: BuildTask, now: number): Build {
  const phase = buildPhase(task.status);
  const failure = phase === 'failed' ? buildFailure(task) : {};
  return {
    ...build,
    datamodelId: task.datamodelId ?? build.datamodelId,
    datamodelTitle: titleOf(task) ?? build.datamodelTitle,
    status: task.status ?? null,
    phase,
    ended: phase === 'running' ? undefined : now,
    reason: failure.reason,
    failedTable: failure.table,
  };
}

function startedElsewhere(connectionId: string, task: BuildTask, now: number): Build {
  const buildType = task['buildType'];
  return {
    connectionId,
    oid: task.oid,
    datamodelId: task.datamodelId ?? undefined,
    datamodelTitle: titleOf(task),
    buildType: typeof buildType === 'string' ? buildType : undefined,
    status: null,
    phase: 'running',
    firstSeen: now,
    ended: undefined,
    startedHere: false,
    reason: undefined,
    failedTable: undefined,
  };
}

/** The spec shows no title on a task; where an instance sends one, it is worth showing. */
function titleOf(task: BuildTask): string | undefined {
  const title = task['datamodelTitle'];
  return typeof title === 'string' && title !== '' ? title : undefined;
}
