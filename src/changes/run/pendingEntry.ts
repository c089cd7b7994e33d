import { type HistoryEntry, isInDoubt } from '../journal/entry.ts';
import type { RunningEntry } from '../journal/runningEntry.ts';
import type { SentRequest } from '../model/sentRequest.ts';

/**
 * Collects how far an unfinished operation got, to record it later: as long as the outcomes of all operations that end
 * together aren't known, their journals stay as they are. Nothing is sent meanwhile.
 */
export class PendingEntry implements RunningEntry {
  readonly id: string;
  readonly requests: readonly SentRequest[];
  readonly #lines: ((entry: RunningEntry) => Promise<void>)[] = [];

  constructor({ id, requests = [] }: HistoryEntry) {
    this.id = id;
    this.requests = requests;
  }

  /** Records what was collected in a claimed entry, which it releases. */
  async record(entry: RunningEntry): Promise<void> {
    try {
      for (const recordLine of this.#lines) {
        await recordLine(entry);
      }
    } catch (error) {
      await entry.release();
      throw error;
    }
  }

  recordResult(...args: Parameters<RunningEntry['recordResult']>): Promise<void> {
    return this.#add((entry) => entry.recordResult(...args));
  }

  end(...args: Parameters<RunningEntry['end']>): Promise<void> {
    return this.#add((entry) => entry.end(...args));
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  recordSending(): never {
    return failToSend();
  }

  recordRequest(): never {
    return failToSend();
  }

  recordDenyScopes(): never {
    return failToSend();
  }

  recordCreatedRules(): never {
    return failToSend();
  }

  #add(recordLine: (entry: RunningEntry) => Promise<void>): Promise<void> {
    this.#lines.push(recordLine);
    return Promise.resolve();
  }
}

/** Records the writes that are known to have failed, unless that's recorded already. */
export async function recordFailedWrites(
  pending: PendingEntry,
  { entry, recorded }: { readonly entry: HistoryEntry; readonly recorded: HistoryEntry },
): Promise<void> {
  for (const [index, state] of entry.writeStates.entries()) {
    if (state.state === 'failed' && !isInDoubt(state) && isInDoubt(recorded.writeStates[index])) {
      await pending.recordResult(index, state);
    }
  }
}

function failToSend(): never {
  throw new Error('A request was sent while outcomes were read');
}
