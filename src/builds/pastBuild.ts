import * as z from 'zod';
import type { Build } from './build.ts';
import { storedBuildFields } from './storedBuildFields.ts';

/** The schema of a build in the history file. */
const pastBuildSchema = z.object({
  ...storedBuildFields,
  outcome: z.enum(['done', 'failed', 'cancelled', 'gone']),
  /** In milliseconds since the epoch. */
  ended: z.number(),
  /** Absent if the build is gone, or if this machine did not start it and the server reports no duration. */
  durationMs: z.number().optional(),
});
export type PastBuild = z.infer<typeof pastBuildSchema>;

/** The maximum length of a stored reason: some servers return whole logs. */
const maxReasonLength = 2_000;

/** Converts a build to a history entry; `undefined` if it is still running. */
export function toPastBuild(build: Build): PastBuild | undefined {
  const { phase, ended } = build;
  if (phase === 'running' || ended === undefined) {
    return undefined;
  }
  const durationMs = getBuildDuration(build);
  return JSON.parse(
    JSON.stringify({
      connectionId: build.connectionId,
      oid: build.oid,
      datamodelId: build.datamodelId,
      datamodelTitle: build.datamodelTitle,
      buildType: build.buildType,
      schemaOrigin: build.schemaOrigin,
      rowLimit: build.rowLimit,
      outcome: phase,
      ended,
      durationMs,
      reason: build.reason?.slice(0, maxReasonLength),
      failedTable: build.failedTable,
    }),
  ) as PastBuild;
}

/**
 * Returns the duration of a build in milliseconds, if known: as reported by the server, or else as measured since this
 * machine started the build.
 */
export function getBuildDuration({
  phase,
  ended,
  serverMs,
  startedBy,
  firstSeen,
}: Build): number | undefined {
  if (ended === undefined || phase === 'gone') {
    return undefined;
  }
  return serverMs ?? (startedBy === undefined ? undefined : ended - firstSeen);
}

/** Parses a line of the history file; `undefined` if it is invalid. */
export function readPastBuild(line: string): PastBuild | undefined {
  try {
    return pastBuildSchema.safeParse(JSON.parse(line)).data;
  } catch {
    // The line is incomplete if its window was killed while writing.
    return undefined;
  }
}
