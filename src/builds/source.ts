import type { BuildTask } from '../contract/build.ts';
import type { StartBuildRequest } from './build.ts';

/** The consequences of a failed request for further requests. */
export interface SourceFailure {
  /** The pause that the server requested, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** True if retrying does not help until the user does something, such as signing in. */
  readonly needsPerson: boolean;
  /** True if the server may have carried out the request anyway. */
  readonly mayHaveHappened: boolean;
}

/** The connections and instances, as the build watch needs them. */
export interface BuildSource {
  /** Identifies the instance of a connection, also across windows; `undefined` if the connection does not exist. */
  instance(connectionId: string): string | undefined;
  /** True if it can be polled now without starting anything: a stopped sandbox stays stopped. */
  canAsk(connectionId: string): boolean;
  /** The connections in use, whose builds started elsewhere are worth showing. */
  inUse(): readonly string[];
  /** All tasks that the connection's instance knows: one GET /builds. */
  list(connectionId: string): Promise<readonly BuildTask[]>;
  /** One task; `undefined` if the server reports that it does not exist (400 or 404, platform-facts.md, 1.2). */
  find(connectionId: string, buildId: string): Promise<BuildTask | undefined>;
  /** Starts a build and returns the oid of its task. */
  start(request: StartBuildRequest): Promise<string>;
  cancel(connectionId: string, buildId: string): Promise<void>;
  cancelAll(connectionId: string, datamodelId: string): Promise<void>;
  failure(error: unknown): SourceFailure;
}
