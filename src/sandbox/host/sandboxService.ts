import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import type { RunningSandbox, SandboxProcessOptions } from './sandboxProcess.ts';

/** Why the sandbox ended: it was stopped, by the user or by another window, or its process ended unexpectedly. */
export type SandboxEndReason = 'stopped' | 'unexpected';

/** The sandbox is not running. Only the user can start it again. */
export class SandboxStoppedError extends Error {
  override readonly name = 'SandboxStoppedError';
  readonly endReason: SandboxEndReason;

  constructor(end: SandboxEndReason) {
    super(end === 'stopped' ? 'The sandbox is stopped' : 'The sandbox ended unexpectedly');
    this.endReason = end;
  }
}

type StartSandbox = (options: SandboxProcessOptions) => Promise<RunningSandbox>;

/** The code that starts processes is loaded with the first sandbox. */
const loadAndStartProcess: StartSandbox = async (options) =>
  (await import('./sandboxProcess.ts')).startSandboxProcess(options);

/**
 * Starts and shares one sandbox for all callers. A stopped sandbox stays stopped until it is started explicitly:
 * refreshing a view or polling builds must not restart it.
 */
export class SandboxService implements Disposable {
  readonly #options: SandboxProcessOptions;
  readonly #log: Log;
  readonly #startProcess: StartSandbox;
  readonly #onDidEnd = new Emitter<void>();
  /** Fires when the sandbox has ended or was replaced by another one, except after {@link stop} of this window. */
  readonly onDidEnd = this.#onDidEnd.event;
  #runningSandbox: Promise<RunningSandbox> | undefined;
  #stopping: Promise<void> = Promise.resolve();
  #endReason: SandboxEndReason | undefined;

  constructor(options: SandboxProcessOptions, log: Log, startProcess = loadAndStartProcess) {
    this.#options = options;
    this.#log = log;
    this.#startProcess = startProcess;
  }

  /**
   * Returns the running sandbox, starting it if needed, unless it was stopped.
   * @throws SandboxStoppedError when it was stopped or has ended, and was not started since
   * @throws SandboxStartError when it does not start
   */
  async ensureRunning(): Promise<RunningSandbox> {
    if (this.#endReason !== undefined) {
      throw new SandboxStoppedError(this.#endReason);
    }
    this.#runningSandbox ??= this.#start();
    return this.#runningSandbox;
  }

  /**
   * Returns the running sandbox, starting it if needed, even after it was stopped.
   * @throws SandboxStartError when it does not start
   */
  async start(): Promise<RunningSandbox> {
    // A sandbox that is stopping still has the lock of the data folder.
    await this.#stopping;
    this.#endReason = undefined;
    return this.ensureRunning();
  }

  /**
   * Stops the sandbox, if one runs. Its data is kept.
   * @returns true if this window had a running sandbox
   */
  async stop(): Promise<boolean> {
    const running = this.#runningSandbox;
    this.#runningSandbox = undefined;
    this.#endReason = 'stopped';
    const stopping = this.#stopRunning(running);
    this.#stopping = stopping;
    await stopping;
    return running !== undefined;
  }

  /**
   * Handles a lost connection to a sandbox at the given URL. This is the only way to notice that the sandbox of another
   * window has ended; the end of this window's own sandbox is noticed when its process exits. Afterwards the sandbox
   * counts as stopped, unless this window runs one of its own by now.
   */
  async handleConnectionLost(url: string): Promise<void> {
    const running = await this.#runningSandbox?.catch(() => undefined);
    if (this.#endReason !== undefined || running?.url === url) {
      return;
    }
    this.#log.warn('sandbox', 'The sandbox of another window has ended');
    this.#endReason = running === undefined ? 'stopped' : undefined;
    this.#onDidEnd.fire();
  }

  dispose(): void {
    // The process would end with this one anyway, but stopping it lets it close its files.
    void this.stop();
    this.#onDidEnd.dispose();
  }

  /** Stops a running sandbox. Never rejects: failures are logged. */
  async #stopRunning(running: Promise<RunningSandbox> | undefined): Promise<void> {
    try {
      await (await running)?.stop();
    } catch (error) {
      this.#log.warn('sandbox', 'Stopping failed', { reason: String(error) });
    }
  }

  #start(): Promise<RunningSandbox> {
    const startingSandbox = this.#startProcess(this.#options);
    void this.#watchExit(startingSandbox);
    return startingSandbox;
  }

  async #watchExit(startingSandbox: Promise<RunningSandbox>): Promise<void> {
    let code: number | null;
    try {
      const sandbox = await startingSandbox;
      this.#log.info('sandbox', 'Started', { url: sandbox.url });
      code = await sandbox.exited;
    } catch (error) {
      // The caller of `ensureRunning` gets the error, and its next call tries again.
      this.#log.warn('sandbox', 'Not started', { reason: String(error) });
      code = 0;
    }
    if (this.#runningSandbox !== startingSandbox) {
      // It was stopped on request; another one may already be running.
      return;
    }
    this.#runningSandbox = undefined;
    // Exit code 0 means that the sandbox of another window serves this data folder; its address stays valid.
    if (code !== 0) {
      this.#log.warn('sandbox', 'The sandbox ended unexpectedly', { code: code ?? 'signal' });
      this.#endReason = 'unexpected';
      this.#onDidEnd.fire();
    }
  }
}
