import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import { type RunningSandbox, type SandboxOptions, startSandboxProcess } from './sandboxProcess.ts';

/** Keeps one sandbox running for whoever needs it, and starts it anew when it has ended. */
export class SandboxService implements Disposable {
  readonly #options: SandboxOptions;
  readonly #log: Log;
  readonly #onDidEnd = new Emitter<void>();
  /** The sandbox has ended without being asked. */
  readonly onDidEnd = this.#onDidEnd.event;
  #running: Promise<RunningSandbox> | undefined;

  constructor(options: SandboxOptions, log: Log) {
    this.#options = options;
    this.#log = log;
  }

  /**
   * The running sandbox, started if need be.
   * @throws SandboxStartError when it does not start
   */
  ensure(): Promise<RunningSandbox> {
    this.#running ??= this.#start();
    return this.#running;
  }

  /** Ends the sandbox, if one runs; its data stays. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await (await running)?.stop();
  }

  dispose(): void {
    // The process ends with this one in any case; asking it now lets it close its files.
    void this.stop().catch((error: unknown) => {
      this.#log.warn('sandbox', 'Stopping failed', { reason: String(error) });
    });
    this.#onDidEnd.dispose();
  }

  async #start(): Promise<RunningSandbox> {
    try {
      const sandbox = await startSandboxProcess(this.#options);
      this.#log.info('sandbox', 'Started', { url: sandbox.url });
      void sandbox.exited.then((code) => this.#ended(code));
      return sandbox;
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
  }

  #ended(code: number | null): void {
    this.#running = undefined;
    if (code === 0) {
      // Asked to stop, or another window's sandbox serves this data folder: its address stays good.
      return;
    }
    this.#log.warn('sandbox', 'Ended unasked', { code: code ?? 'signal' });
    this.#onDidEnd.fire();
  }
}
