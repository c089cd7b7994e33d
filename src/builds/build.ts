import type { BuildPhase, BuildType, SchemaOrigin } from '../contract/build.ts';

/** A request to start a build. With `rowLimit` it is a sample build (rest-api.md, "POST /builds body"). */
export interface StartBuildRequest {
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly datamodelTitle: string;
  readonly buildType: BuildType;
  readonly schemaOrigin?: SchemaOrigin;
  readonly rowLimit?: number;
}

/**
 * A build as this machine knows it. The phase `gone` means that the server no longer lists its task and has reported no
 * result: tasks are deleted eventually (rest-api.md, "Build task").
 */
export interface Build {
  readonly connectionId: string;
  readonly oid: string;
  readonly datamodelId: string | undefined;
  readonly datamodelTitle: string | undefined;
  readonly buildType: string | undefined;
  readonly schemaOrigin: string | undefined;
  readonly rowLimit: number | undefined;
  /** The status that the server reports; null just after the start (platform-facts.md, 1.1). */
  readonly status: string | null;
  readonly phase: BuildPhase | 'gone';
  /** When this machine first knew of the build. All times here are in milliseconds since the epoch. */
  readonly firstSeen: number;
  /** When the server last reported the build; `undefined` if it never did. */
  readonly lastSeen: number | undefined;
  /**
   * When the build ended, as the server reports it, but not before the build was last seen running and not in the
   * future; without a report, when this machine noticed the end. For a build that is gone, when it was found missing.
   */
  readonly ended: number | undefined;
  /** The duration in milliseconds that the server reports, if any. */
  readonly serverMs: number | undefined;
  /** What started the build, if the server reports it. */
  readonly source: string | undefined;
  /** The ID of the window that started the build; `undefined` if it was started elsewhere. */
  readonly startedBy: string | undefined;
  /** The server's message about a failure, if known. */
  readonly reason: string | undefined;
  readonly failedTable: string | undefined;
}

/** Creates a running build of which only the ID of the task is known. */
export const createBuildOfTask = (connectionId: string, oid: string, now: number): Build => ({
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

/**
 * Returns whether the server has reported the result. A build that is gone has no known result, and may still reappear.
 */
export const isResultKnown = ({ phase }: Build): boolean => phase !== 'running' && phase !== 'gone';

/** Returns whether a build failed, or is gone and its result is unknown. */
export const isFailedOrGone = ({ phase }: Build): boolean => phase === 'failed' || phase === 'gone';

/** Returns a key of a build: two connections may lead to the same server, whose tasks have the same IDs for both. */
export const getBuildKey = ({ connectionId, oid }: Pick<Build, 'connectionId' | 'oid'>): string =>
  JSON.stringify([connectionId, oid]);

/** Returns a key that all builds of a datamodel share; a build of an unknown datamodel has one of its own. */
export const getBuiltDatamodelKey = ({
  connectionId,
  datamodelId,
  oid,
}: Pick<Build, 'connectionId' | 'datamodelId' | 'oid'>): string =>
  JSON.stringify([connectionId, datamodelId ?? oid]);

/** Creates a build that a window has just started and that has not been polled yet. */
export const createStartedBuild = (
  request: StartBuildRequest,
  oid: string,
  now: number,
  windowId: string,
): Build => ({
  ...createBuildOfTask(request.connectionId, oid, now),
  datamodelId: request.datamodelId,
  datamodelTitle: request.datamodelTitle,
  buildType: request.buildType,
  schemaOrigin: request.schemaOrigin,
  rowLimit: request.rowLimit,
  startedBy: windowId,
});
