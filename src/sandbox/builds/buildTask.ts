import type { JsonObject } from '../../base/json.ts';
import type { DatamodelType } from '../../contract/datamodel.ts';
import type { BuildType, SchemaOrigin } from '../../contract/build.ts';

/** The status of a task (platform-facts.md, 1.1); null right after POST. */
export type BuildStatus = null | 'pending' | 'building' | 'done' | 'failed' | 'cancelled';

/** The parameters of a build, from the body of POST /builds and its datamodel. */
export interface BuildTaskRequest {
  readonly datamodelId: string;
  readonly datamodelTitle: string;
  readonly datamodelType: DatamodelType;
  /** Time of the last schema change; ISO 8601. */
  readonly schemaLastUpdate: string | null;
  readonly buildType: BuildType;
  readonly schemaOrigin: SchemaOrigin;
  /** Maximum number of rows per source; `undefined` for no limit. */
  readonly rowLimit: number | undefined;
}

/** The reason for a failed build; `table` is set if one table caused it. */
export interface BuildFailure {
  readonly table?: string;
  readonly message: string;
}

/** The result of a finished task. */
export interface BuildTaskResult {
  readonly status: 'done' | 'failed' | 'cancelled';
  readonly error?: BuildFailure;
}

/** One build task: null → pending → building → done, failed or cancelled. A finished task never changes. */
export class SandboxBuildTask {
  readonly oid: string;
  readonly request: BuildTaskRequest;
  /** The time of creation, in milliseconds since the epoch. */
  readonly createdAt: number;
  /** How many times a caller has read the task by its oid. */
  readCount = 0;
  readonly #cancellation = new AbortController();
  readonly #settled = Promise.withResolvers<void>();
  #status: BuildStatus = null;
  #startedAt: number | undefined;
  #completedAt: number | undefined;
  #error: BuildFailure | undefined;

  constructor(oid: string, request: BuildTaskRequest, createdAt: number) {
    this.oid = oid;
    this.request = request;
    this.createdAt = createdAt;
  }

  get status(): BuildStatus {
    return this.#status;
  }

  /** The time when the task ended, in milliseconds since the epoch; `undefined` before. */
  get completedAt(): number | undefined {
    return this.#completedAt;
  }

  /** Aborted when the cancellation of a running build is requested. */
  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  /** Resolves when the task has ended. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  queue(): void {
    this.#status = 'pending';
  }

  start(now: number): void {
    this.#status = 'building';
    this.#startedAt = now;
  }

  /** Requests cancellation of a running task, and ends a queued one at once. Ignored if the task has ended. */
  cancel(now: number): void {
    if (this.#status === 'building') {
      this.#cancellation.abort();
    } else {
      this.finish({ status: 'cancelled' }, now);
    }
  }

  finish({ status, error }: BuildTaskResult, now: number): void {
    if (this.#completedAt !== undefined) {
      return;
    }
    this.#status = status;
    this.#error = error;
    this.#completedAt = now;
    this.#settled.resolve();
  }

  /**
   * Returns the task as JSON. The platform documents only `oid` and `status` (platform-facts.md, 1.2).
   */
  toJson(): JsonObject {
    const { datamodelId, datamodelTitle, buildType, schemaOrigin, rowLimit } = this.request;
    return {
      oid: this.oid,
      status: this.#status,
      datamodelId,
      datamodelTitle,
      buildType,
      schemaOrigin,
      rowLimit: rowLimit ?? null,
      created: formatIsoTime(this.createdAt),
      started: formatIsoTime(this.#startedAt),
      completed: formatIsoTime(this.#completedAt),
      error: this.#error === undefined ? null : { ...this.#error },
    };
  }
}

const formatIsoTime = (time: number | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString();
