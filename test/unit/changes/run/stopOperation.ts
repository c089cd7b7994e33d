import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { History } from '../../../../src/changes/journal/history.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { Writer } from '../../../../src/changes/run/writer.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { type ChangeFixture, advanceUntilSettled, connectionId, getFailure } from './support.ts';

/**
 * Runs an operation like a user who has reviewed its plan, and lets requests fail until it has stopped. Returns what its
 * journal then says of it, in the same window.
 * @param getWriteFault returns what fails, by method and path
 */
export async function stopOperation(
  fixture: ChangeFixture,
  operation: Operation,
  getWriteFault: ChangeFixture['getWriteFault'],
): Promise<{ readonly writer: Writer; readonly history: History; readonly entry: HistoryEntry }> {
  const { writer, history } = fixture.open();
  fixture.getWriteFault = getWriteFault;
  const failure = await advanceUntilSettled(fixture, getFailure(runApproved(writer, operation)));
  fixture.getWriteFault = () => undefined;
  const { report } = expectInstance(failure, StoppedError);
  return { writer, history, entry: expectDefined(await history.readEntry(connectionId, report.entryId)) };
}
