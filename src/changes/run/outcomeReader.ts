import type { Write } from '../model/operation.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { BusyServerWaits, type BusyServerDeps } from './busyServer.ts';
import type { ExecutionInput } from './executionInput.ts';
import { verifyWrite } from './leftDocuments.ts';
import { waitsForBusyServer } from './rateLimit.ts';
import type { ResultRecorder } from './resultRecorder.ts';

interface OutcomeReaderDeps
  extends Pick<ExecutionInput, 'operation' | 'before' | 'modules' | 'options'>,
    Pick<BusyServerDeps, 'clock'> {
  readonly client: PlatformClient;
}

/** Reads from the server whether the writes of an operation have happened. */
export class OutcomeReader {
  readonly #deps: OutcomeReaderDeps;
  readonly #recorder: Pick<ResultRecorder, 'states'>;

  constructor(deps: OutcomeReaderDeps, recorder: Pick<ResultRecorder, 'states'>) {
    this.#deps = deps;
    this.#recorder = recorder;
  }

  /** @throws ApiError */
  read(index: number, write: Write): Promise<WriteOutcome> {
    const { operation, before, client, modules } = this.#deps;
    const { states } = this.#recorder;
    const { getWriteKind } = modules;
    return verifyWrite(index, write, client, { operation, before, states, getWriteKind });
  }

  /**
   * Reads an outcome, again after a wait while the server is busy, if the operation waits for that.
   * @throws ApiError, also if the signal is aborted during a wait: see `toReportedError`
   */
  readWhileBusy(index: number, write: Write): Promise<WriteOutcome> {
    const { operation, options, clock } = this.#deps;
    const read = (): Promise<WriteOutcome> => this.read(index, write);
    return waitsForBusyServer(operation, options)
      ? new BusyServerWaits({ clock, ...options }).repeat(read)
      : read();
  }
}
