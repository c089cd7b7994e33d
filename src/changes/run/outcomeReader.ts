import type { Write } from '../model/operation.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { BusyServerWaits, type BusyServerDeps } from './busyServer.ts';
import type { ExecutionInput } from './executionInput.ts';
import { verifyWrite } from './documentsAfterUpdates.ts';
import type { OperationProgress } from './operationProgress.ts';
import { createRetryRead } from './rateLimit.ts';

interface OutcomeReaderDeps
  extends Pick<ExecutionInput, 'operation' | 'options'>,
    Pick<BusyServerDeps, 'clock'> {
  readonly client: PlatformClient;
}

/** Reads from the server whether the writes of an operation have happened. */
export class OutcomeReader {
  readonly #deps: OutcomeReaderDeps;
  readonly #progress: OperationProgress;

  constructor(deps: OutcomeReaderDeps, progress: OperationProgress) {
    this.#deps = deps;
    this.#progress = progress;
  }

  /** @throws ApiError */
  read(index: number, write: Write): Promise<WriteOutcome> {
    return verifyWrite(index, write, this.#deps.client, this.#progress);
  }

  /**
   * Reads an outcome, again after a wait while the server is busy, if the operation waits for that.
   * @throws ApiError, also if the signal is aborted during a wait: see `toReportedError`
   */
  readWithWaits(index: number, write: Write): Promise<WriteOutcome> {
    const { operation, options, clock } = this.#deps;
    const retryRead = createRetryRead(operation, options, new BusyServerWaits({ clock, ...options }));
    return retryRead(() => this.read(index, write));
  }
}
