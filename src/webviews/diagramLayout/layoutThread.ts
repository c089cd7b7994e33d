import { Worker } from 'node:worker_threads';
import type { DiagramLayout, LayoutInput } from './layoutInput.ts';

/**
 * Computes a layout in a thread of its own, so that nobody waits for it. The thread ends with its answer, or when the
 * signal is given.
 * @param script the address of `layoutWorker.ts` or of its bundle
 * @throws the reason of the signal, and an Error when the thread ends without an answer
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
      // Ending it is all that is wanted; it has nothing to say any more.
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
