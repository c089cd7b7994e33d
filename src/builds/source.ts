import type { BuildTask } from '../contract/build.ts';
import type { StartBuildRequest } from './build.ts';

/** What a failed request means for whoever goes on asking. */
export interface SourceFailure {
  /** How long the server asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** True where asking again does not help until a person does something, such as signing in. */
  readonly needsPerson: boolean;
  /** True where the server may have done all the same what it was asked for. */
  readonly mayHaveHappened: boolean;
}

/** What following builds asks of the connections and their instances. */
export interface BuildSource {
  /**
   * What tells the instance of a connection from all others, also in other windows; `undefined` where there is no
   * such connection.
   */
  instance(connectionId: string): string | undefined;
  /** Whether it can be asked now without starting anything: a sandbox that is stopped stays so. */
  canAsk(connectionId: string): boolean;
  /** The connections in use, whose builds of others are worth a look. */
  inUse(): readonly string[];
  /** All tasks that the connection's instance knows: one GET /builds. */
  list(connectionId: string): Promise<readonly BuildTask[]>;
  /** One task; `undefined` where the server says that it has none (400 or 404, platform-facts 1.2). */
  find(connectionId: string, buildId: string): Promise<BuildTask | undefined>;
  /** Starts a build and answers the oid of its task. */
  start(request: StartBuildRequest): Promise<string>;
  cancel(connectionId: string, buildId: string): Promise<void>;
  cancelAll(connectionId: string, datamodelId: string): Promise<void>;
  failure(error: unknown): SourceFailure;
}
