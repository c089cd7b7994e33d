import { expect } from 'vitest';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { ChangeFixture, connectionId, createOperation } from '../run/support.ts';
import { runApproved } from './runApproved.ts';
import { readInstanceContent } from './instanceContent.ts';

/** Makes a change, undoes it, and compares the instance before and after. */
export async function checkUndo(
  createWrites: (fixture: ChangeFixture) => Promise<readonly Write[]> | readonly Write[],
) {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  const change = createOperation(await createWrites(fixture));
  const before = await readInstanceContent(fixture);
  await runApproved(writer, change);
  const changedContent = await readInstanceContent(fixture);
  expect(changedContent).not.toEqual(before);
  const [entry] = await history.readEntries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was recorded');
  }
  const undo = await writer.planUndo(entry);
  await runApproved(writer, undo.operation, {
    expectedVersions: undo.expectedVersions,
    undoneEntryId: entry.id,
    restoredIds: undo.restoredIds,
  });
  expect(await readInstanceContent(fixture)).toEqual(before);
  const [undone] = await history.readEntries(connectionId);
  expect(undone).toMatchObject({ undoneEntryId: entry.id, end: 'done' });
  return undo;
}
