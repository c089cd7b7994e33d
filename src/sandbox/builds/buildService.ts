import { rm } from 'node:fs/promises';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { BuildEngine, BuildOutcome } from '../engine/buildEngine.ts';
import { getCubeFile } from '../engine/files.ts';
import type { Faults } from '../faults.ts';
import type { IdGenerator } from '../ids.ts';
import { getTimestamp } from '../editContext.ts';
import type { Store } from '../store.ts';
import { type BuildTaskResult, type BuildTaskRequest, SandboxBuildTask } from './buildTask.ts';
import { readBuildSchemas, storeBuiltModel } from './builtModels.ts';

/** How long a finished task is kept, in milliseconds; tasks do not persist (rest-api.md, "Build task"). */
export const defaultRetentionMs = 10 * 60_000;

/** Maximum number of concurrent builds, each of a different datamodel. */
const maxRunning = 4;

/** How long a cancellation waits for the engine to stop, in milliseconds. */
const cancelWaitMs = 5000;

type BuildFaults = ReturnType<Faults['selectForBuild']>;

export interface BuildServiceDependencies {
  readonly engine: BuildEngine;
  readonly store: Store;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly log: Log;
  /** Path of the data folder. */
  readonly folder: string;
  /** Extra milliseconds that each build takes. */
  readonly delayMs: number;
  /** How long a finished task is kept, in milliseconds. */
  readonly retentionMs: number;
}

/**
 * Queues and runs build tasks: one at a time per datamodel, in order of arrival. Tasks are kept in memory and lost on
 * restart (rest-api.md, "Build task").
 */
export class BuildService implements Disposable {
  readonly #deps: BuildServiceDependencies;
  readonly #timers = new DisposableStore();
  readonly #tasks = new Map<string, SandboxBuildTask>();
  readonly #buildingDatamodelIds = new Set<string>();

  constructor(deps: BuildServiceDependencies) {
    this.#deps = deps;
  }

  /** Creates a task with status null and queues it asynchronously (rest-api.md, "States and transitions"). */
  start(request: BuildTaskRequest): SandboxBuildTask {
    this.#removeExpired();
    const { ids, clock } = this.#deps;
    const task = new SandboxBuildTask(ids.createOid(), request, clock.now());
    this.#tasks.set(task.oid, task);
    this.#defer(() => {
      if (task.completedAt === undefined) {
        task.queue();
        this.#defer(() => this.#startPendingTasks());
      }
    });
    return task;
  }

  /**
   * Builds or publishes a datamodel of the seed immediately: without a listed task, delays or faults. Does nothing if
   * it was built before.
   * @returns the error message; `undefined` on success
   */
  async buildSeedDatamodel(datamodelId: string): Promise<string | undefined> {
    const datamodel = this.#deps.store.datamodels.find(datamodelId);
    if (datamodel === undefined || this.#deps.store.datamodels.isBuilt(datamodelId)) {
      return undefined;
    }
    const task = new SandboxBuildTask(
      this.#deps.ids.createOid(),
      {
        datamodelId,
        datamodelTitle: datamodel.title,
        datamodelType: datamodel.type,
        schemaLastUpdate: null,
        buildType: datamodel.type === 'live' ? 'publish' : 'full',
        schemaOrigin: 'latest',
        rowLimit: undefined,
      },
      this.#deps.clock.now(),
    );
    const { status, error } = await this.#build(task, () => ({ delayMs: 0, failure: undefined }));
    return status === 'done' ? undefined : (error?.message ?? status);
  }

  /** Returns the tasks that have not expired, oldest first. */
  list(
    filter: { readonly datamodelId?: string | undefined; readonly status?: string | undefined } = {},
  ): SandboxBuildTask[] {
    this.#removeExpired();
    return [...this.#tasks.values()].filter(
      ({ request, status }) =>
        (filter.datamodelId === undefined || request.datamodelId === filter.datamodelId) &&
        (filter.status === undefined || status === filter.status),
    );
  }

  get(oid: string): SandboxBuildTask | undefined {
    this.#removeExpired();
    return this.#tasks.get(oid);
  }

  /** Cancels a task and waits for it to end, up to a time limit. */
  async cancel(task: SandboxBuildTask): Promise<void> {
    const { clock } = this.#deps;
    task.cancel(clock.now());
    const timeout = Promise.withResolvers<void>();
    const timer = this.#timers.add(clock.schedule(cancelWaitMs, timeout.resolve));
    await Promise.race([task.settled, timeout.promise]);
    this.#timers.delete(timer);
  }

  /** Cancels all unfinished tasks of a datamodel and returns them. */
  async cancelAll(datamodelId: string): Promise<SandboxBuildTask[]> {
    const unfinishedTasks = this.list({ datamodelId }).filter(({ completedAt }) => completedAt === undefined);
    await Promise.all(unfinishedTasks.map((task) => this.cancel(task)));
    return unfinishedTasks;
  }

  /** Cleans up after a datamodel was deleted: cancels its tasks and removes its built data. */
  async remove(datamodelId: string): Promise<void> {
    const canceledTasks = await this.cancelAll(datamodelId);
    const stillRunning = canceledTasks.filter(({ completedAt }) => completedAt === undefined);
    await this.#removeCube(datamodelId);
    if (stillRunning.length > 0) {
      void this.#removeWhenEnded(datamodelId, stillRunning);
    }
  }

  /** Removes the built data again after slow tasks end, since they may have written it after the first removal. */
  async #removeWhenEnded(datamodelId: string, tasks: readonly SandboxBuildTask[]): Promise<void> {
    await Promise.all(tasks.map(({ settled }) => settled));
    try {
      await this.#removeCube(datamodelId);
    } catch (error) {
      this.#deps.log.warn('sandbox', "Built data of a deleted datamodel couldn't be deleted", {
        reason: String(error),
      });
    }
  }

  async #removeCube(datamodelId: string): Promise<void> {
    await rm(getCubeFile(this.#deps.folder, datamodelId), { force: true });
  }

  /** Cancels all tasks; resolves when they have ended or the time limit has passed. */
  async stop(): Promise<void> {
    await Promise.all([...this.#tasks.values()].map((task) => this.cancel(task)));
    this.dispose();
  }

  dispose(): void {
    this.#timers.dispose();
  }

  #defer(callback: () => void): void {
    const timer = this.#timers.add(
      this.#deps.clock.schedule(0, () => {
        this.#timers.delete(timer);
        callback();
      }),
    );
  }

  #removeExpired(): void {
    const { clock, retentionMs } = this.#deps;
    for (const [oid, { completedAt }] of this.#tasks) {
      if (completedAt !== undefined && clock.now() - completedAt >= retentionMs) {
        this.#tasks.delete(oid);
      }
    }
  }

  #startPendingTasks(): void {
    for (const task of this.#tasks.values()) {
      const { datamodelId } = task.request;
      if (
        task.status === 'pending' &&
        this.#buildingDatamodelIds.size < maxRunning &&
        !this.#buildingDatamodelIds.has(datamodelId)
      ) {
        this.#buildingDatamodelIds.add(datamodelId);
        task.start(this.#deps.clock.now());
        void this.#run(task);
      }
    }
  }

  /** Runs a task to its end. Never rejects: an error makes the task fail. */
  async #run(task: SandboxBuildTask): Promise<void> {
    const { clock, log } = this.#deps;
    let result: BuildTaskResult;
    try {
      result = await this.#build(task, () => this.#selectFaults());
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      log.error('sandbox', 'A build ended with an internal error', { task: task.oid, message });
      result = { status: 'failed', error: { message } };
    }
    task.finish(result, clock.now());
    this.#buildingDatamodelIds.delete(task.request.datamodelId);
    this.#startPendingTasks();
  }

  /** Returns the delay and the failure that the fault switches and options add to a requested build. */
  #selectFaults(): BuildFaults {
    const faults = this.#deps.faults.selectForBuild();
    return { ...faults, delayMs: this.#deps.delayMs + faults.delayMs };
  }

  async #build(task: SandboxBuildTask, selectFaults: () => BuildFaults): Promise<BuildTaskResult> {
    const { engine, store, folder, clock } = this.#deps;
    const { datamodelId, buildType, schemaOrigin, rowLimit } = task.request;
    const schemas = readBuildSchemas(this.#deps, datamodelId, schemaOrigin);
    if (typeof schemas === 'string') {
      return { status: 'failed', error: { message: schemas } };
    }
    const { delayMs, failure } = selectFaults();
    const job = {
      ...schemas,
      buildType,
      folder,
      delayMs,
      ...(rowLimit === undefined ? {} : { rowLimit }),
    };
    const outcome: BuildOutcome =
      failure === undefined ? await engine.run(job, task.signal) : { status: 'failed', ...failure };
    if (outcome.status === 'done') {
      storeBuiltModel(this.#deps, schemas.datamodel, buildType, outcome);
      return { status: 'done' };
    }
    store.datamodels.update(datamodelId, { lastBuildTime: getTimestamp(clock) });
    return outcome.status === 'cancelled' ? { status: 'cancelled' } : createFailedResult(outcome);
  }
}

const createFailedResult = ({
  table,
  message,
}: {
  readonly table?: string;
  readonly message: string;
}): BuildTaskResult => ({
  status: 'failed',
  error: table === undefined ? { message } : { table, message },
});
