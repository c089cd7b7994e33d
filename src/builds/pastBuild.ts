import * as z from 'zod';
import type { Build } from './build.ts';
import { keptFields } from './keptFields.ts';

/** A build that has ended, as the history keeps it. */
const pastBuildSchema = z.object({
  ...keptFields,
  outcome: z.enum(['done', 'failed', 'cancelled', 'gone']),
  /** Milliseconds since the epoch. */
  ended: z.number(),
  /** Duration; absent if the start was not seen and the server does not report a duration. */
  durationMs: z.number().optional(),
});
export type PastBuild = z.infer<typeof pastBuildSchema>;

/** Maximum length of a stored reason: some servers return whole logs. */
const maxReasonLength = 2_000;

/** The history entry of a build that has ended; `undefined` for one that has not. */
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

/** The duration of a build, if known: by the server's clock, otherwise from the start that was seen here. */
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

/** Reads one line of the history file; `undefined` for a line that cannot be read. */
export function readPastBuild(line: string): PastBuild | undefined {
  try {
    return pastBuildSchema.safeParse(JSON.parse(line)).data;
  } catch {
    // The last line of a window that was killed.
    return undefined;
  }
}
