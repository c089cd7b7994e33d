import { type Build, isRunning } from '../../builds/build.ts';
import { type BuildTask, buildFailure, buildPhase, taskFacts } from '../../contract/build.ts';

/** A build as the explorer lists it: what the monitor follows, or what the server remembers. */
export interface BuildRow {
  readonly oid: string;
  readonly datamodelId: string | undefined;
  readonly title: string | undefined;
  readonly phase: Build['phase'];
  /** The server's own word. */
  readonly status: string | undefined;
  readonly reason: string | undefined;
  readonly table: string | undefined;
  /** The task as the server answered it, where it did. */
  readonly task: BuildTask | undefined;
}

/**
 * The builds of a connection, running ones first and then the latest. The monitor's word holds: it looked later than
 * the list was asked for, and knows of tasks that the server has forgotten since.
 */
export function buildRows(tasks: readonly BuildTask[], followed: readonly Build[]): readonly BuildRow[] {
  const byOid = new Map(tasks.map((task) => [task.oid, task]));
  const known = new Set(followed.map(({ oid }) => oid));
  // Servers answer the oldest task first, as the monitor keeps them.
  const rows = [
    ...tasks.filter(({ oid }) => !known.has(oid)).map(rowOfTask),
    ...followed.map((build) => rowOfBuild(build, byOid.get(build.oid))),
  ].reverse();
  return [
    ...rows.filter(({ phase }) => phase === 'running'),
    ...rows.filter(({ phase }) => phase !== 'running'),
  ];
}

/** True where the list tells of a running task that nobody follows yet. */
export const hasUnfollowed = (tasks: readonly BuildTask[], followed: readonly Build[]): boolean =>
  tasks.some(
    ({ oid, status }) =>
      buildPhase(status) === 'running' && !followed.some((build) => build.oid === oid && isRunning(build)),
  );

function rowOfTask(task: BuildTask): BuildRow {
  const { reason, table } = buildFailure(task);
  return {
    oid: task.oid,
    datamodelId: task.datamodelId ?? undefined,
    title: taskFacts(task).title,
    phase: buildPhase(task.status),
    status: task.status ?? undefined,
    reason,
    table,
    task,
  };
}

const rowOfBuild = (build: Build, task: BuildTask | undefined): BuildRow => ({
  oid: build.oid,
  datamodelId: build.datamodelId,
  title: build.datamodelTitle,
  phase: build.phase,
  status: build.status ?? undefined,
  reason: build.reason,
  table: build.failedTable,
  task,
});
