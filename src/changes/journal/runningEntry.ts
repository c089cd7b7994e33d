import type { RequestResult, SentRequest } from '../model/sentRequest.ts';
import { type EndState, type HistoryEntry, type JournalLine, type WriteResult } from './entry.ts';
import type { JournalFile } from './journalFile.ts';

/** An operation in progress, recorded step by step. */
export interface RunningEntry {
  readonly id: string;
  /** Records that the write with this index is about to be sent. */
  recordSending(writeIndex: number): Promise<void>;
  /** Records that temporary deny rules are about to be created for these scopes. */
  recordDenyScopes(scopes: readonly string[]): Promise<void>;
  /** Records the IDs of created rules. */
  recordCreatedRules(ids: readonly string[]): Promise<void>;
  /** The requests of rule changes, in the order in which they were sent. */
  readonly requests: readonly SentRequest[];
  /**
   * Records a request of a rule change before it is sent. Returns a function that records its result without waiting:
   * if that fails, the next call that records something throws the error. Without a recorded result, the outcome is
   * unknown.
   */
  recordRequest(request: SentRequest): Promise<(result: RequestResult) => void>;
  /** Records the result of the write with this index. */
  recordResult(writeIndex: number, result: WriteResult): Promise<void>;
  /** Stops tracking the operation without recording its end, so that it can be claimed again. */
  release(): Promise<void>;
  /** Records the end of the operation. */
  end(state: EndState, details: EndDetails): Promise<void>;
}

/** What is recorded at the end of an operation. */
interface EndDetails extends Pick<HistoryEntry, 'versionsAfter' | 'changedIds'> {
  readonly isCanceled?: boolean;
  readonly isAbandoned?: boolean;
}

interface RunningEntryDeps {
  /** The requests that an earlier process recorded. */
  readonly earlierRequests: readonly SentRequest[];
  /** Removes the entries that exceed the limits of the history. */
  readonly prune: () => Promise<void>;
  /** Stops tracking the operation. */
  readonly release: () => Promise<void>;
}

/** Creates the entry of an operation in progress, which is recorded in the journal `file`. */
export function createRunningEntry(
  id: string,
  file: JournalFile,
  { earlierRequests, prune, release: stopTracking }: RunningEntryDeps,
): RunningEntry {
  const requests = [...earlierRequests];
  let lastResult: Promise<void> = Promise.resolve();
  let resultFailure: { readonly error: unknown } | undefined;
  const append = async (line: JournalLine): Promise<void> => {
    await file.append(line);
    // Lines are written in order, so it is known now whether the earlier results could be recorded.
    const failure = resultFailure;
    resultFailure = undefined;
    if (failure !== undefined) {
      throw failure.error;
    }
  };
  const release = async (): Promise<void> => {
    await lastResult;
    await stopTracking();
  };
  return {
    id,
    recordSending: (writeIndex) => append({ line: 'sending', write: writeIndex }),
    recordCreatedRules: (ids) => append({ line: 'made', ids: [...ids] }),
    recordDenyScopes: (scopes) => append({ line: 'deny', spots: [...scopes] }),
    requests,
    recordRequest: async (request) => {
      const index = requests.push(request) - 1;
      await append(toRequestLine(index, request));
      return (result) => {
        requests[index] = { ...request, result };
        lastResult = file
          .appendWithNext({ line: 'response', request: index, ...result })
          .catch((error: unknown) => {
            // The next call of `append` throws it.
            resultFailure = { error };
          });
      };
    },
    recordResult: (writeIndex, result) => append({ line: 'result', write: writeIndex, result }),
    release,
    end: async (state, { versionsAfter, changedIds, isCanceled, isAbandoned }) => {
      try {
        const pairs = changedIds.map(([oldId, newId]): [string, string] => [oldId, newId]);
        await file.append({
          line: 'end',
          state,
          after: [...versionsAfter],
          moved: pairs,
          ...(isCanceled === true ? { canceled: true } : {}),
          ...(isAbandoned === true ? { abandoned: true } : {}),
        });
        await prune();
      } finally {
        await release();
      }
    },
  };
}

/** Returns the line that records a request. */
function toRequestLine(
  index: number,
  { writeIndex, method, path, addedDenials, removedDenials }: SentRequest,
): JournalLine {
  const copyScopes = (scopes: SentRequest['addedDenials']) =>
    scopes.map(({ parties, ...column }) => ({ ...column, parties: [...parties] }));
  return {
    line: 'request',
    request: index,
    write: writeIndex,
    method,
    path,
    ...(addedDenials.length === 0 ? {} : { denies: copyScopes(addedDenials) }),
    ...(removedDenials.length === 0 ? {} : { allows: copyScopes(removedDenials) }),
  };
}
