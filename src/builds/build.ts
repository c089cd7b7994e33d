import type { BuildPhase, BuildType, SchemaOrigin } from '../contract/build.ts';

/** What a person asked for. `rowLimit` makes it a sample build (spec, POST /builds). */
export interface BuildRequest {
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
  /** The server's own word, null just after the start (platform-facts 1.1). */
  readonly status: string | null;
  readonly phase: BuildPhase | 'gone';
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly firstSeen: number;
  readonly ended: number | undefined;
  /** True for a build that was started in this window. */
  readonly startedHere: boolean;
  /** Why it failed, in the server's words, where it says so. */
  readonly reason: string | undefined;
  readonly failedTable: string | undefined;
}

export const isRunning = (build: Build): boolean => build.phase === 'running';
