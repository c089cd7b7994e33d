import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseLossless, stringify } from '../../base/json.ts';
import { type ResourceLimits, interactiveLimits, limitMessages } from './resourceLimits.ts';
import type { EngineJob } from './engineWorker.ts';
import type { JobMessage, ProcessReport } from './messages.ts';
import type { EngineTasks } from './buildEngine.ts';
import { type EngineTask, createEngineTasks, type TaskOutcome, taskNames } from './tasks.ts';

/** An engine process, which runs one job at a time and can be killed at any time. */
export class EngineProcess {
  readonly #child: ChildProcess;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;

  /** @param program the URL of `engineProcess.ts` or of its bundle */
  constructor(program: URL) {
    this.#child = fork(fileURLToPath(program), [], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', () => resolve());
      this.#child.once('error', () => resolve());
    });
  }

  /** Runs a job and resolves with the report of the process. Never rejects. */
  run(job: EngineJob, limits: ResourceLimits): Promise<ProcessReport> {
    return new Promise((resolve) => {
      const finish = (report: ProcessReport): void => {
        this.#child.off('message', finish);
        resolve(report);
      };
      this.#child.on('message', finish);
      void this.ended.then(() => finish({ kind: 'failed', message: 'the engine ended unexpectedly' }));
      const message: JobMessage = { job: stringify(job), limits };
      this.#child.send(message, (error) => {
        if (error !== null) {
          finish({ kind: 'failed', message: error.message });
        }
      });
    });
  }

  /** Kills the process; resolves when it has ended. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

/** Returns the message for a job that failed or exceeded a limit. */
export function getStopMessage(
  report: Exclude<ProcessReport, { kind: 'result' }>,
  jobName: string,
  limits: ResourceLimits,
): string {
  return report.kind === 'failed' ? report.message : limitMessages[report.limit](jobName, limits);
}

/** Maximum number of concurrent tasks; further ones wait. */
const maxRunningTasks = 2;

/**
 * Runs engine tasks in separate processes, so that slow SQL or patterns do not block the sandbox. A process is reused
 * after a successful task; one whose task exceeded a limit has ended.
 */
export class TaskProcesses {
  readonly #program: URL;
  readonly #limits: ResourceLimits;
  readonly #processes = new Set<EngineProcess>();
  readonly #waitingResolvers: (() => void)[] = [];
  #idleProcess: EngineProcess | undefined;
  #busyCount = 0;
  #isStopped = false;
  readonly tasks: EngineTasks = createEngineTasks((task) => this.#run(task));

  constructor(program: URL, limits: ResourceLimits = interactiveLimits) {
    this.#program = program;
    this.#limits = limits;
  }

  /** Kills all processes; resolves when they have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#processes].map((engine) => engine.kill()));
  }

  async #run(task: EngineTask): Promise<TaskOutcome> {
    if (this.#busyCount >= maxRunningTasks) {
      await new Promise<void>((resolve) => this.#waitingResolvers.push(resolve));
    } else {
      this.#busyCount += 1;
    }
    try {
      return this.#isStopped ? { stopMessage: 'the sandbox is stopping' } : await this.#runInProcess(task);
    } finally {
      // A waiting task takes the place of this one, so the number of busy processes stays the same.
      const startNext = this.#waitingResolvers.shift();
      if (startNext === undefined) {
        this.#busyCount -= 1;
      } else {
        startNext();
      }
    }
  }

  async #runInProcess(task: EngineTask): Promise<TaskOutcome> {
    const engine = this.#idleProcess ?? this.#startProcess();
    this.#idleProcess = undefined;
    const report = await engine.run({ kind: 'task', task }, this.#limits);
    if (report.kind !== 'result') {
      void engine.kill();
      return { stopMessage: getStopMessage(report, taskNames[task.kind], this.#limits) };
    }
    // A process that already uses much memory would exceed the limit too early in its next task.
    if (this.#idleProcess === undefined && report.memoryBytes < this.#limits.memoryBytes / 2) {
      this.#idleProcess = engine;
    } else {
      void engine.kill();
    }
    return {
      result: parseLossless(report.result) as unknown as Extract<TaskOutcome, { result: unknown }>['result'],
    };
  }

  #startProcess(): EngineProcess {
    const engine = new EngineProcess(this.#program);
    this.#processes.add(engine);
    void this.#removeWhenEnded(engine);
    return engine;
  }

  async #removeWhenEnded(engine: EngineProcess): Promise<void> {
    await engine.ended;
    this.#processes.delete(engine);
    if (this.#idleProcess === engine) {
      this.#idleProcess = undefined;
    }
  }
}
