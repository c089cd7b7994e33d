import { Worker } from 'node:worker_threads';
import type { DiagramLayout, LayoutInput } from './layoutInput.ts';

/**
 * Computes a layout in a separate thread, so that the caller is not blocked. The thread ends after its result, or when
 * the signal is aborted.
 * @param script the address of `layoutWorker.ts` or of its bundle
 * @throws the reason of the signal, and an Error when the thread ends without a result
 */
export function computeLayoutInWorker(
  script: string | URL,
  input: LayoutInput,
  signal: AbortSignal,
): Promise<DiagramLayout> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: input });
    const stop = (): void => {
      // Only ending the thread matters; there is no further message from it.
      void worker.terminate();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', (layout: DiagramLayout) => resolve(layout));
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      reject(new Error(`The layout ended with code ${code} and without an answer`));
    });
  });
}
