import { describe, expect, test } from 'vitest';
import { getApiPath } from '../../../../src/catalog/resourceRef.ts';
import { HttpError } from '../../../../src/client/errors.ts';
import { ConflictError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined } from '../../../support/expectations.ts';
import {
  changeAsOtherUser,
  interruptTableChanges,
  products,
  stopUndo,
  stores,
} from './interruptTableChanges.ts';
import { ChangeFixture, connectionId, getFailure } from './support.ts';

describe('resuming an operation whose undo has stopped', () => {
  test.each([
    ['others have changed what is left to write', ConflictError],
    ['the instance refuses to read it', HttpError],
  ])('stops instead of being refused if %s, since the undo was rolled back before', async (_title, cause) => {
    using fixture = new ChangeFixture();
    const { entry } = await interruptTableChanges(fixture, 'arrived');
    await stopUndo(fixture, entry);
    const { writer, history } = fixture.open();
    const stopped = expectDefined(await history.readEntry(connectionId, entry.id));
    const sentBefore = fixture.getWriteRequests().length;
    if (cause === ConflictError) {
      await changeAsOtherUser(fixture, 'Products');
    } else {
      fixture.sandbox.faults.set([
        { kind: 'status', status: 403, methods: ['GET'], pathPrefix: getApiPath(products) },
      ]);
    }
    const failure = await getFailure(writer.resume(stopped));
    expect(failure).toBeInstanceOf(StoppedError);
    expect(failure).toMatchObject({
      changedNothing: false,
      report: {
        entryId: entry.id,
        writeStates: [{ state: 'done' }, { state: 'done' }, { state: 'waiting' }],
      },
    });
    expect(failure instanceof Error && failure.cause).toBeInstanceOf(cause);
    // The undo had restored Stores, and its own undo has changed it again.
    expect(
      fixture
        .getWriteRequests()
        .slice(sentBefore)
        .some((line) => line.includes(stores.tableId)),
    ).toBe(true);
    expect(await fixture.readObject(stores)).toMatchObject({ description: 'Mine' });
  });
});
