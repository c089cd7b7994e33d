import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';

/** The total time that all processors have been idle, and the time of the reading, in milliseconds. */
export interface IdleTime {
  readonly idleMs: number;
  readonly atMs: number;
  readonly processorCount: number;
}

export interface QuietMachineOptions {
  /** The maximum time that all waits may take together. */
  readonly maxWaitMs: number;
  readonly print: (message: string) => void;
  readonly signal: AbortSignal;
  readonly readIdleTime?: () => IdleTime;
  readonly wait?: (ms: number) => Promise<void>;
}

/** Up to this share of processor time may be in use by others. */
const quietShare = 0.1;
const probeMs = 1000;

/**
 * Returns the share of the processors' time that was in use between two readings. All time that isn't idle counts,
 * including time in which processors wait for the disk, or in which a host takes them away from a virtual machine.
 */
export function getBusyShare(before: IdleTime, after: IdleTime): number {
  const availableMs = (after.atMs - before.atMs) * after.processorCount;
  // Idle time is counted in steps of 10 ms, so it may seem to exceed the time that has passed.
  return Math.min(1, Math.max(0, 1 - (after.idleMs - before.idleMs) / availableMs));
}

/** Waits until nothing else uses the machine. */
export class QuietMachine {
  readonly #options: Required<QuietMachineOptions>;
  #remainingMs: number;

  constructor(options: QuietMachineOptions) {
    this.#options = {
      readIdleTime: readProcessorIdleTime,
      wait: (ms) => setTimeout(ms, undefined, { signal: options.signal }),
      ...options,
    };
    this.#remainingMs = options.maxWaitMs;
  }

  /** Waits until the machine is quiet. Returns false if it isn't when the maximum time is used up. */
  async waitUntilQuiet(): Promise<boolean> {
    const { print } = this.#options;
    let isWaiting = false;
    for (;;) {
      const share = await this.#probe();
      if (share <= quietShare) {
        return true;
      }
      const percent = `${Math.round(share * 100)} % of the processor time is in use`;
      if (this.#remainingMs <= 0) {
        print(`The machine is not quiet: ${percent}.`);
        return false;
      }
      if (!isWaiting) {
        print(`Waiting for the machine to be quiet: ${percent}.`);
        isWaiting = true;
      }
      this.#remainingMs -= probeMs;
    }
  }

  async #probe(): Promise<number> {
    const { readIdleTime, wait } = this.#options;
    const before = readIdleTime();
    await wait(probeMs);
    return getBusyShare(before, readIdleTime());
  }
}

function readProcessorIdleTime(): IdleTime {
  const processors = cpus();
  return {
    idleMs: processors.reduce((sum, { times }) => sum + times.idle, 0),
    atMs: performance.now(),
    processorCount: processors.length,
  };
}
