import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../base/disposable.ts';
import type { InstanceReading } from '../source/readInstance.ts';
import { createChunks } from './serverReading.ts';
import type {
  ProjectStatus,
  StatusCalls,
  StatusRequest,
  StatusResponse,
  StatusTarget,
} from './statusMessages.ts';

type Call = keyof StatusCalls;
type Argument<Name extends Call> = Parameters<StatusCalls[Name]>;
type Result<Name extends Call> = Awaited<ReturnType<StatusCalls[Name]>>;

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The status of a project in a thread of its own, so that thousands of files don't block the caller. */
export class StatusThread implements Disposable {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  #nextId = 0;
  /** Why the thread has ended. */
  #end: Error | undefined;

  /** @param script the path or URL of `statusWorker.ts` or its bundle */
  constructor(script: string | URL, target: StatusTarget) {
    this.#worker = new Worker(script, { workerData: target });
    this.#worker.on('message', (response: StatusResponse) => this.#settle(response));
    this.#worker.once('error', (error) => this.#finish(error));
    this.#worker.once('exit', () => this.#finish(createEndedError()));
  }

  /** Whether the thread has failed or is disposed: it answers no more. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** @throws Error if the thread fails or is disposed */
  call<Name extends Call>(call: Name, ...[argument]: Argument<Name>): Promise<Result<Name>> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#end !== undefined) {
        reject(this.#end);
        return;
      }
      const id = this.#nextId++;
      this.#pending.set(id, { resolve, reject });
      const request: StatusRequest = { id, call, argument };
      this.#worker.postMessage(request);
    }) as Promise<Result<Name>>;
  }

  /** Hands a reading of the instance to the thread, in pieces that don't block the caller. */
  async setReading({
    documents,
    scope,
  }: Pick<InstanceReading, 'documents' | 'scope'>): Promise<ProjectStatus> {
    for (const chunk of createChunks(documents)) {
      await this.call('addDocuments', chunk);
    }
    return this.call('finishReading', scope);
  }

  dispose(): void {
    this.#finish(createEndedError());
  }

  #settle(response: StatusResponse): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if ('error' in response) {
      pending?.reject(new Error(response.error));
    } else {
      pending?.resolve(response.value);
    }
  }

  #finish(reason: Error): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#end = reason;
    // What it would still answer is of no use.
    void this.#worker.terminate();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    pending.forEach(({ reject }) => reject(reason));
  }
}

const createEndedError = (): Error => new Error('The thread with the status of the project has ended');
