import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { StatusEngine } from './statusEngine.ts';
import type { StatusRequest, StatusResponse, StatusTarget } from './statusMessages.ts';

/** Keeps the status of a project. Started by `statusThread.ts`. */
function serve(port: MessagePort, target: StatusTarget): void {
  const engine = new StatusEngine(target);
  const answer = async ({ id, call, argument }: StatusRequest): Promise<void> => {
    let response: StatusResponse;
    try {
      response = { id, value: await (engine[call] as (value: unknown) => unknown).call(engine, argument) };
    } catch (error) {
      response = { id, error: String(error) };
    }
    port.postMessage(response);
  };
  // Calls run one after the other, because each changes what is known.
  let queue: Promise<void> = Promise.resolve();
  port.on('message', (request: StatusRequest) => {
    queue = queue.then(() => answer(request));
  });
}

if (parentPort !== null) {
  serve(parentPort, workerData as StatusTarget);
}
