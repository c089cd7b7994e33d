import type { BuildPhase, BuildType, SchemaOrigin } from '../contract/build.ts';

/** What a person asked for. `rowLimit` makes it a sample build (spec, POST /builds). */
export interface StartBuildRequest {
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly datamodelTitle: string;
  readonly buildType: BuildType;
  readonly schemaOrigin?: SchemaOrigin;
  readonly rowLimit?: number;
}

/**
 * A build task as the product knows it. `gone` is a task that the server no longer lists and that was not seen to
 * end: tasks are deleted eventually (spec, "Build task"), so its true end is unknown.
 */
export interface Build {
  readonly connectionId: string;
  readonly oid: string;
  readonly datamodelId: string | undefined;
  readonly datamodelTitle: string | undefined;
  readonly buildType: string | undefined;
  readonly schemaOrigin: string | undefined;
  readonly rowLimit: number | undefined;
  /** The server's own word, null just after the start (platform-facts 1.1). */
  readonly status: string | null;
  readonly phase: BuildPhase | 'gone';
  /** Milliseconds since the epoch, by this machine's clock, as all times here. */
  readonly firstSeen: number;
  /** When the server last told of it; `undefined` while it never did. */
  readonly lastSeen: number | undefined;
  /** When it was seen to have ended; for one that is gone, when it was missed. */
  readonly ended: number | undefined;
  /** How long it took by the server's own clock, where the task tells. */
  readonly serverMs: number | undefined;
  /** What began it, in the server's word, where the task tells. */
  readonly source: string | undefined;
  /** The window that started it; `undefined` for a build that was started elsewhere. */
  readonly startedBy: string | undefined;
  /** Why it failed, in the server's words, where it says so. */
  readonly reason: string | undefined;
  readonly failedTable: string | undefined;
}

/** A build of which nothing is known but that its task was met. */
export const createUnknownBuild = (connectionId: string, oid: string, now: number): Build => ({
  connectionId,
  oid,
  datamodelId: undefined,
  datamodelTitle: undefined,
  buildType: undefined,
  schemaOrigin: undefined,
  rowLimit: undefined,
  status: null,
  phase: 'running',
  firstSeen: now,
  lastSeen: undefined,
  ended: undefined,
  serverMs: undefined,
  source: undefined,
  startedBy: undefined,
  reason: undefined,
  failedTable: undefined,
});

export const isRunning = (build: Build): boolean => build.phase === 'running';

/** True for an end that the server told; a build that is gone may still turn up again. */
export const hasEnded = ({ phase }: Build): boolean => phase !== 'running' && phase !== 'gone';
