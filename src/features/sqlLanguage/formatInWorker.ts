import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';

/** The maximum time to format a text once the formatter is loaded, in milliseconds. */
const timeoutMs = 1000;

/** The memory limit of the worker: far more than it needs for a text that it can format in time. */
const maxMegabytes = 1024;

interface FormatOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Formats a text in a worker thread, so that the editor is not blocked; `undefined` if the text is too large to be
 * formatted in time.
 * @param script the path or URL of `formatWorker.ts` or its bundle
 * @throws the reason of the signal, and an Error if the worker exits without a result
 */
export function formatInWorker(
  script: string | URL,
  text: string,
  { clock, signal }: FormatOptions,
): Promise<string | undefined> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const resourceLimits = { maxOldGenerationSizeMb: maxMegabytes };
    const worker = new Worker(script, { workerData: text, resourceLimits });
    const endController = new AbortController();
    const stopWorker = (): void => {
      endController.abort();
      // No need to wait: the worker has nothing more to send.
      void worker.terminate();
    };
    signal.addEventListener(
      'abort',
      () => {
        stopWorker();
        reject(signal.reason as Error);
      },
      { once: true, signal: endController.signal },
    );
    worker.on('message', (message: 'ready' | { readonly text: string }) => {
      if (message === 'ready') {
        const timer = clock.schedule(timeoutMs, () => {
          stopWorker();
          resolve(undefined);
        });
        endController.signal.addEventListener('abort', () => timer.dispose(), { once: true });
      } else {
        stopWorker();
        resolve(message.text);
      }
    });
    worker.once('error', (error: NodeJS.ErrnoException) => {
      stopWorker();
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
        resolve(undefined);
      } else {
        reject(error);
      }
    });
    worker.once('exit', (code) => {
      stopWorker();
      reject(new Error(`The formatter ended with code ${code} without a result`));
    });
  });
}
