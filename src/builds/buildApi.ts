import type { BuildTask } from '../contract/build.ts';
import type { StartBuildRequest } from './build.ts';

/** How to proceed after a failed request. */
export interface BuildRequestFailure {
  /** The pause that the server requested, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** True if retrying is pointless until the user acts, for example signs in. */
  readonly needsUserAction: boolean;
  /** True if the server may have carried out the request anyway. */
  readonly mayHaveTakenEffect: boolean;
}

/** Gives the build watch access to connections and to the build API of their instances. */
export interface BuildApi {
  /** Returns an ID of the connection's instance that is the same in all windows; `undefined` without a connection. */
  getInstanceId(connectionId: string): string | undefined;
  /** Returns whether the instance can be polled now; false for a stopped sandbox, which polling would start. */
  canPoll(connectionId: string): boolean;
  /** Returns the IDs of the connections in use; their builds are shown even if they were started elsewhere. */
  getConnectionsInUse(): readonly string[];
  /** Lists all build tasks of the instance with one GET /builds. */
  list(connectionId: string): Promise<readonly BuildTask[]>;
  /** Requests one task; `undefined` if it does not exist (400 or 404, platform-facts.md, 1.2). */
  find(connectionId: string, buildId: string): Promise<BuildTask | undefined>;
  /** Starts a build and returns the oid of its task. */
  start(request: StartBuildRequest): Promise<string>;
  cancel(connectionId: string, buildId: string): Promise<void>;
  cancelAll(connectionId: string, datamodelId: string): Promise<void>;
  classifyFailure(error: unknown): BuildRequestFailure;
}
