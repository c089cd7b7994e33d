import { type Message, MessageError, createMessage } from '../../base/localize.ts';
import { type HistoryEntry, toRecordedProcess } from './entry.ts';
import type { History } from './history.ts';
import { readInterruptedChanges } from './interruptedChanges.ts';
import type { ProcessState } from './processIdentity.ts';

/** A change of an instance was interrupted or is still running: it's neither finished nor rolled back. */
export class InterruptedChangeError extends MessageError {
  override readonly name = 'InterruptedChangeError';
  readonly entry: HistoryEntry;
  /** What is known about the process of the change. */
  readonly state: ProcessState;

  constructor(entry: HistoryEntry, state: ProcessState) {
    super(describeUnfinished(entry, state));
    this.entry = entry;
    this.state = state;
  }
}

function describeUnfinished(entry: HistoryEntry, state: ProcessState): Message {
  const { pid, host = '' } = toRecordedProcess(entry);
  switch (state) {
    case 'running':
      return createMessage('Process {0} is working on another change. Wait until it has finished.', pid);
    case 'id-in-use':
      return createMessage(
        'Process {0} is working on another change. Wait until it has finished. If that process belongs to another program, finish the change or roll it back.',
        pid,
      );
    case 'unknown':
      return createMessage(
        'An earlier change was interrupted, or is still in progress in process {0} on {1}. If it was interrupted, finish it or roll it back first.',
        pid,
        host,
      );
    case 'ended':
      return createMessage('An earlier change was interrupted. Finish it or roll it back first.');
  }
}

/** The part of the history that is needed to find unfinished changes. */
export type UnfinishedChanges = Pick<
  History,
  'readEntriesOfAllTenants' | 'readUnfinishedEntries' | 'readRunningEntries' | 'getProcessState'
>;

/**
 * Requires that no change of an instance was interrupted or is in progress in another process. Otherwise, what that
 * change has written so far, such as temporary deny rules, would be mistaken for changes by other users, and so would
 * its rollback later.
 * @param history the journals of this machine; changes from other machines are unknown
 * @throws InterruptedChangeError
 */
export async function requireFinishedChanges(
  history: UnfinishedChanges,
  connectionId: string,
): Promise<void> {
  const [unfinished] = [
    ...(await history.readRunningEntries(connectionId)),
    ...(await readInterruptedChanges(history, connectionId)),
  ];
  if (unfinished !== undefined) {
    throw new InterruptedChangeError(
      unfinished,
      unfinished.end === undefined ? history.getProcessState(unfinished) : 'ended',
    );
  }
}
