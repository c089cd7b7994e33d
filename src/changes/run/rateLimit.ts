import { ApiError, HttpError, createAbortError } from '../../client/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { RetryRead } from '../model/documentReader.ts';
import type { Operation, Write } from '../model/operation.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import { BusyServerWaits, isBusyServer } from './busyServer.ts';
import { DeletionRepeats } from './deletionRepeats.ts';
import { throwIfChanged } from './changedTarget.ts';
import { checkRightBefore } from './checkRightBefore.ts';
import type { RunOptions } from './runOptions.ts';

/** What is needed to wait for a busy server. */
export interface RateLimitDeps {
  readonly operation: Pick<Operation, 'cause' | 'writes'>;
  readonly options: Pick<RunOptions, 'signal' | 'onWait'>;
  readonly clock: Clock;
  readonly write: Pick<Write, 'endpoint'>;
  /** Reads the target of the write from the server. */
  readonly verifyOutcome: () => Promise<WriteOutcome>;
  /** Checks that the rules that the write relies on are in force. `retryRead` runs each read. */
  readonly checkRules: (retryRead: RetryRead) => Promise<void>;
  /** Called when the write will be sent again: whatever comes next, the first request may still take effect. */
  readonly onLimited: () => void;
}

/**
 * Returns whether an operation waits while the server is busy. Not if it is a single request, and nobody would see that
 * it waits: then the user decides.
 */
export const waitsForBusyServer = (
  { cause, writes }: Pick<Operation, 'cause' | 'writes'>,
  { onWait }: Pick<RunOptions, 'onWait'>,
): boolean =>
  onWait !== undefined ||
  cause === 'apply' ||
  writes.length > 1 ||
  writes.some(({ batch }) => batch !== undefined);

/** Returns a function that reads from the server, with waits while it is busy if the operation waits for that. */
export const createRetryRead =
  (
    operation: Pick<Operation, 'cause' | 'writes'>,
    options: Pick<RunOptions, 'onWait'>,
    waits: BusyServerWaits,
  ): RetryRead =>
  (read) =>
    waitsForBusyServer(operation, options) ? waits.readWhenFree(read) : read();

/**
 * Sends a write. While the server answers 429, sends it again after the time that the server asks for; a deletion by ID
 * also a few times if the server is unavailable or its response is lost. It isn't documented that such a server has done
 * nothing (platform-facts.md, 2.7), so the target is read before each further attempt: a write that took effect, or may
 * have, is not sent twice. The rules that the write relies on are also read again, since others may have changed them
 * during the wait ({@link checkRightBefore}).
 * @returns `undefined` if the write took effect although its request failed
 * @throws ConflictError if another user has changed the target, or the rules, during the wait
 * @throws ApiError; CanceledError if the signal is aborted during the wait: the write may have taken effect
 */
export async function sendWithWaits<Response>(
  send: () => Promise<Response>,
  { operation, options, clock, write, verifyOutcome, checkRules, onLimited }: RateLimitDeps,
): Promise<Response | undefined> {
  const { signal, onWait } = options;
  const waits = new BusyServerWaits({ clock, signal, onWait });
  const repeats = new DeletionRepeats(write, { clock, signal });
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (repeats.count > 0 && error instanceof HttpError && error.isNotFound) {
        // An earlier attempt has taken effect since the target was read.
        return undefined;
      }
      const isBusy = isBusyServer(error) && waitsForBusyServer(operation, options);
      if (!(error instanceof ApiError && (isBusy || repeats.isPossible(error)))) {
        throw error instanceof ApiError ? repeats.toReportedError(error) : error;
      }
      onLimited();
      const throwIfCanceled = (): void => {
        if (signal?.aborted === true) {
          throw createAbortError(error.requestInfo, { mayHaveBeenSent: true, cause: signal.reason });
        }
      };
      await (isBusy ? waits.wait(error) : repeats.wait(error));
      throwIfCanceled();
      // If a check fails too, the error of the write is the more useful one.
      const toWriteError = (checkError: unknown): never => {
        throwIfCanceled();
        throw checkError instanceof ApiError ? error : checkError;
      };
      const retryRead: RetryRead = (read) => waits.readWhenFree(read);
      const outcome = await checkRightBefore(
        {
          checkTarget: () => retryRead(verifyOutcome).then(findReasonNotToSend),
          checkRules: () => checkRules(retryRead),
        },
        { waits, clock },
      ).catch(toWriteError);
      if (outcome?.state === 'happened') {
        return undefined;
      }
      if (outcome?.state === 'unknown') {
        throw error;
      }
    }
  }
}

/**
 * Returns the outcome of a write that must not be sent again; `undefined` if it can be sent.
 * @throws ConflictError if another user has changed the target
 */
function findReasonNotToSend(outcome: WriteOutcome): WriteOutcome | undefined {
  throwIfChanged(outcome);
  return outcome.state === 'not-happened' ? undefined : outcome;
}
