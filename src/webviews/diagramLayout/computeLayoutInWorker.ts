import { Worker } from 'node:worker_threads';
import type { DiagramLayout, LayoutInput } from './layoutInput.ts';

/**
 * Computes a layout in a worker thread, so that the caller is not blocked.
 * @param workerUrl the URL or path of `layoutWorker.ts` or its bundle
 * @param signal ends the thread when aborted
 * @throws the reason of the signal when aborted; an Error if the thread fails or ends without a result
 */
export function computeLayoutInWorker(
  workerUrl: string | URL,
  input: LayoutInput,
  signal: AbortSignal,
): Promise<DiagramLayout> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerUrl, { workerData: input });
    const handleAbort = (): void => {
      // The promise is rejected now, so there is no need to wait until the thread has ended.
      void worker.terminate();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', handleAbort, { once: true });
    worker.once('message', (layout: DiagramLayout) => resolve(layout));
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', handleAbort);
      reject(new Error(`The layout ended with code ${code} without a result`));
    });
  });
}
