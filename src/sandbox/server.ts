import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import { createApp } from './app.ts';
import type { Tokens } from './auth.ts';
import { defaultMaxBodyBytes } from './body.ts';
import { BuildService, defaultRetentionMs } from './builds/buildService.ts';
import type { DataFolder } from './dataFolder.ts';
import type { BuildEngine, EngineTasks } from './engine/buildEngine.ts';
import { type Fault, Faults } from './faults.ts';
import { createIdGenerator } from './ids.ts';
import { Listener } from './listener.ts';
import type { Profile } from './profiles/profile.ts';
import type { Seed } from './seeds/seed.ts';
import { Store } from './store.ts';

export interface SandboxOptions {
  readonly folder: DataFolder;
  /** The lock of the folder; {@link Sandbox.stop} releases it. */
  readonly lock: Disposable;
  readonly seed: Seed;
  readonly profile: Profile;
  readonly engine: BuildEngine;
  readonly tasks: EngineTasks;
  /** 0 picks a free port. */
  readonly port: number;
  /** Extra milliseconds that each build takes. */
  readonly buildDelayMs: number;
  readonly faults: readonly Fault[];
  readonly clock: Clock;
  readonly log: Log;
}

/** The URL and tokens of a sandbox, which it prints as its first line (decisions.md, "Stable interfaces"). */
export interface SandboxAccess extends Tokens {
  readonly url: string;
}

/** A running sandbox. */
export interface Sandbox {
  readonly access: SandboxAccess;
  /** Stops the sandbox and releases its folder. Safe to call more than once. */
  stop(): Promise<void>;
}

/**
 * Starts the sandbox of a data folder: store, build service, app and listener.
 * @throws ListenError, DatabaseVersionError, SQLite's error when the state cannot be read, or the file system's error
 * when the sandbox cannot be announced; everything that was started is stopped, and the lock is released.
 */
export async function startSandboxServer(options: SandboxOptions): Promise<Sandbox> {
  const { folder, clock, log, seed, engine, profile } = options;
  const store = new Store(folder.stateFile);
  /** The steps that stop what has been started so far, the newest part first. */
  const stopSteps: (() => void | Promise<void>)[] = [() => store.dispose(), () => options.lock.dispose()];
  try {
    store.seed(seed, folder.path);
    const tokens = folder.getOrCreateTokens();
    const faults = new Faults(options.faults);
    const ids = createIdGenerator(clock);
    const context = { store, clock, ids, faults, log };
    const builds = new BuildService({
      ...context,
      engine,
      delayMs: options.buildDelayMs,
      folder: folder.path,
      retentionMs: defaultRetentionMs,
    });
    stopSteps.unshift(() => builds.stop());
    if (profile.builds.buildsSeeds) {
      await buildSeedModels(store, builds, log);
    }
    const app = createApp({
      ...context,
      builds,
      tasks: options.tasks,
      profile,
      tokens,
      maxBodyBytes: defaultMaxBodyBytes,
      identity: { pid: process.pid, folder: folder.path },
      getPort: () => listener.port,
    });
    const listener: Listener = new Listener(app);
    stopSteps.unshift(() => listener.stop());
    const { port } = await listener.start(options.port);
    const url = `http://127.0.0.1:${port}`;
    folder.writeAnnouncement({ pid: process.pid, url });
    stopSteps.unshift(() => folder.removeAnnouncement());
    return { access: { url, ...tokens }, stop: createStopOnce(stopSteps) };
  } catch (error) {
    // The caller gets the error of the failed start; errors while stopping are only logged.
    await createStopOnce(stopSteps)().catch((stopError: unknown) =>
      log.warn('sandbox', "A sandbox that failed to start didn't stop cleanly", {
        reason: String(stopError),
      }),
    );
    throw error;
  }
}

/**
 * Builds or publishes the seed's datamodels that were not built yet. Logs failures.
 */
async function buildSeedModels(store: Store, builds: BuildService, log: Log): Promise<void> {
  for (const datamodelId of store.seedModelOids) {
    const problem = await builds.buildSeedDatamodel(datamodelId);
    if (problem !== undefined) {
      log.warn('sandbox', "A datamodel of the seed wasn't built", { datamodel: datamodelId, problem });
    }
  }
}

/**
 * Returns a function that runs the steps in order, once. If a step fails, the remaining ones still run, and the errors
 * are thrown as one AggregateError.
 */
function createStopOnce(steps: readonly (() => void | Promise<void>)[]): () => Promise<void> {
  const run = async (): Promise<void> => {
    const errors: unknown[] = [];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) {
      throw new AggregateError(errors, "The sandbox didn't stop cleanly");
    }
  };
  let stopping: Promise<void> | undefined;
  return () => (stopping ??= run());
}
