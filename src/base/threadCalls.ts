import { type MessagePort, Worker } from 'node:worker_threads';

/** The functions that a thread serves; each has at most one argument. */
type ThreadFunctions<Calls> = { readonly [Name in keyof Calls]: (argument: never) => unknown };

/** The arguments of a call: at most one. */
export type CallArguments<Calls extends ThreadFunctions<Calls>, Name extends keyof Calls> = Parameters<
  Calls[Name]
>;
export type CallResult<Calls extends ThreadFunctions<Calls>, Name extends keyof Calls> = Awaited<
  ReturnType<Calls[Name]>
>;

interface ThreadRequest {
  readonly id: number;
  readonly call: string;
  readonly argument: unknown;
}

type ThreadResponse =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The memory limit of a thread: without it, a very large project could use up the memory of the whole editor. */
const maxMegabytes = 2048;

/** A worker thread whose functions can be called until it ends. */
export class CallableThread<Calls extends ThreadFunctions<Calls>> {
  readonly #worker: Worker;
  readonly #onEnd: (reason: Error) => void;
  readonly #pending = new Map<number, PendingCall>();
  #nextId = 0;
  /** Why the thread has ended; `undefined` while it runs. */
  #endReason: Error | undefined;

  /**
   * @param script the path or URL of a script that calls {@link serveCalls}, or its bundle
   * @param workerData the data that the script receives
   */
  constructor(script: string | URL, workerData: unknown, onEnd: (reason: Error) => void) {
    this.#onEnd = onEnd;
    const resourceLimits = { maxOldGenerationSizeMb: maxMegabytes };
    this.#worker = new Worker(script, { workerData, resourceLimits });
    this.#worker.on('message', (response: ThreadResponse) => this.#settle(response));
    this.#worker.once('error', (error) => this.end(error));
    this.#worker.once('exit', (code) => this.end(new Error(`The thread has ended with code ${code}`)));
  }

  get hasEnded(): boolean {
    return this.#endReason !== undefined;
  }

  /** @throws Error if the thread fails or has ended */
  call<Name extends keyof Calls & string>(
    call: Name,
    ...[argument]: CallArguments<Calls, Name>
  ): Promise<CallResult<Calls, Name>> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#endReason !== undefined) {
        reject(this.#endReason);
        return;
      }
      const id = this.#nextId++;
      this.#pending.set(id, { resolve, reject });
      const request: ThreadRequest = { id, call, argument };
      this.#worker.postMessage(request);
    }) as Promise<CallResult<Calls, Name>>;
  }

  /** Ends the thread, and rejects the calls that it has not answered. */
  end(reason: Error): void {
    if (this.#endReason !== undefined) {
      return;
    }
    this.#endReason = reason;
    // Its remaining answers are no longer needed.
    void this.#worker.terminate();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    pending.forEach(({ reject }) => reject(reason));
    this.#onEnd(reason);
  }

  #settle(response: ThreadResponse): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if ('error' in response) {
      pending?.reject(new Error(response.error));
    } else {
      pending?.resolve(response.value);
    }
  }
}

/**
 * Answers the calls of a {@link CallableThread}, one after the other, because each may change the state that the next
 * one uses.
 */
export function serveCalls<Calls extends ThreadFunctions<Calls>>(port: MessagePort, calls: Calls): void {
  const answer = async ({ id, call, argument }: ThreadRequest): Promise<void> => {
    let response: ThreadResponse;
    try {
      const run = calls[call as keyof Calls] as (argument: never) => unknown;
      response = { id, value: await run.call(calls, argument as never) };
    } catch (error) {
      response = { id, error: String(error) };
    }
    port.postMessage(response);
  };
  let queue: Promise<void> = Promise.resolve();
  port.on('message', (request: ThreadRequest) => {
    queue = queue.then(() => answer(request));
  });
}
