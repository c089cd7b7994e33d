import type { BuildPhase, BuildType, SchemaOrigin } from '../contract/build.ts';

/** The user's request. `rowLimit` makes it a sample build (rest-api.md, "POST /builds body"). */
export interface StartBuildRequest {
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly datamodelTitle: string;
  readonly buildType: BuildType;
  readonly schemaOrigin?: SchemaOrigin;
  readonly rowLimit?: number;
}

/**
 * A build task as the product knows it. `gone` is a task that the server no longer lists and that was not seen to end:
 * tasks are deleted eventually (rest-api.md, "Build task"), so its true end is unknown.
 */
export interface Build {
  readonly connectionId: string;
  readonly oid: string;
  readonly datamodelId: string | undefined;
  readonly datamodelTitle: string | undefined;
  readonly buildType: string | undefined;
  readonly schemaOrigin: string | undefined;
  readonly rowLimit: number | undefined;
  /** The server's status word, null just after the start (platform-facts.md, 1.1). */
  readonly status: string | null;
  readonly phase: BuildPhase | 'gone';
  /** Milliseconds since the epoch, by this machine's clock, like all times here. */
  readonly firstSeen: number;
  /** Time of the server's last report; `undefined` if it never reported the build. */
  readonly lastSeen: number | undefined;
  /** Time at which it was seen to have ended; for a build that is gone, at which it was found missing. */
  readonly ended: number | undefined;
  /** Duration by the server's own clock, if the task has it. */
  readonly serverMs: number | undefined;
  /** The source of the build, in the server's words, if the task has it. */
  readonly source: string | undefined;
  /** The window that started it; `undefined` for a build that was started elsewhere. */
  readonly startedBy: string | undefined;
  /** Why it failed, in the server's words, if known. */
  readonly reason: string | undefined;
  readonly failedTable: string | undefined;
}

/** A build of which only the task's ID is known. */
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

/** True if the server reported its end; a build that is gone may still reappear. */
export const hasEnded = ({ phase }: Build): boolean => phase !== 'running' && phase !== 'gone';
