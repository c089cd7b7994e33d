import { describe, expect, test } from 'vitest';
import {
  createCustomDataDeletionWrite,
  createCustomDataUpdateWrite,
  createObjectCreationWrite,
  createObjectUpdateWrite,
} from '../../../../src/changes/model/customDataWrites.ts';
import { asObject, getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  connectionId,
  createOperation,
  createTableUpdate,
  getFailure,
} from './support.ts';

const first = createTableUpdate('Orders', { description: 'Mine' });

/** Two objects of the tests: one that is written first, and one that others change meanwhile. */
async function createObjects(fixture: ChangeFixture) {
  const create = async (text: string): Promise<string> =>
    getText(asObject((await fixture.client.customData.create({ app: 'test', text })).json)['_id']);
  const ids = { mine: await create('Mine'), theirs: await create('Before') };
  const readTexts = async () => {
    const { value } = await fixture.client.customData.query({ app: 'test' });
    return value.map((object) => object['text']);
  };
  return { ...ids, ref: { kind: 'customDataObject', objectId: ids.theirs } as const, readTexts };
}

/** Changes or deletes an object as another user. */
const others = {
  changes: ({ sandbox: { store } }, id) =>
    store.customData.update(id, { _id: id, app: 'test', text: 'Theirs' }),
  deletes: ({ sandbox: { store } }, id) => store.customData.delete(id),
} satisfies Record<string, (fixture: ChangeFixture, id: string) => void>;

/** Calls a function right before the first write is sent, and only then. */
function beforeFirstWrite(fixture: ChangeFixture, run: () => void): void {
  let isDone = false;
  fixture.getWriteFault = () => {
    if (!isDone) {
      isDone = true;
      run();
    }
    return undefined;
  };
}

const update = (id: string): Write => createObjectUpdateWrite(id, { text: 'New' });
const filterUpdate = (id: string): Write => createCustomDataUpdateWrite({ _id: id }, { text: 'New' });
const deletion = (id: string): Write => createCustomDataDeletionWrite({ _id: id });

describe.each(['guide', 'contract'] as const)('custom data that others change meanwhile (%s)', (profile) => {
  describe.each(['apply', 'undo', 'restore'] as const)('during an operation (%s)', (cause) => {
    test.each([
      ['update', 'changes', update, ['New', 'Theirs']],
      ['update', 'deletes', update, ['New']],
      ['update by a filter', 'changes', filterUpdate, ['New', 'Theirs']],
      ['deletion', 'changes', deletion, ['New', 'Theirs']],
    ] as const)(
      'it stops before the %s of what someone else %s',
      async (_kind, other, createWrite, expected) => {
        using fixture = new ChangeFixture({ profile });
        const { mine, theirs, ref, readTexts } = await createObjects(fixture);
        const writes = [update(mine), createWrite(theirs)];
        beforeFirstWrite(fixture, () => others[other](fixture, theirs));
        const failure = await getFailure(runApproved(fixture.open().writer, createOperation(writes, cause)));
        expect(failure).toMatchObject({
          name: 'StoppedError',
          cause: { name: 'ConflictError', ref },
          report: { writeStates: [{ state: 'done' }, { state: 'failed' }] },
        });
        expect(await readTexts()).toEqual(expected);
      },
    );

    test('it deletes what is as it was, and what others have deleted', async () => {
      using fixture = new ChangeFixture({ profile });
      const { mine, theirs, readTexts } = await createObjects(fixture);
      beforeFirstWrite(fixture, () => others.deletes(fixture, theirs));
      const writes = [first, deletion(mine), deletion(theirs)];
      const { writeStates } = await runApproved(fixture.open().writer, createOperation(writes, cause));
      expect(writeStates.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
      expect(await readTexts()).toEqual([]);
    });

    test('it deletes and creates an object if nobody has changed it', async () => {
      using fixture = new ChangeFixture({ profile });
      const { theirs, readTexts } = await createObjects(fixture);
      const writes = [
        first,
        deletion(theirs),
        createObjectCreationWrite({ _id: theirs, app: 'test', text: 'Again' }),
      ];
      await runApproved(fixture.open().writer, createOperation(writes, cause));
      expect(await readTexts()).toEqual(['Mine', 'Again']);
    });
  });

  test.each([
    ['update', 'changes', update, ['Mine', 'Theirs']],
    ['update', 'deletes', update, ['Mine']],
    ['deletion', 'changes', deletion, ['Mine', 'Theirs']],
  ] as const)(
    'while a busy server lets it wait, an apply stops before the %s of what someone else %s',
    async (_kind, other, createWrite, expected) => {
      using fixture = new ChangeFixture({ profile });
      const { theirs, ref, readTexts } = await createObjects(fixture);
      let count = 0;
      fixture.getWriteFault = () => {
        count += 1;
        others[other](fixture, theirs);
        return 'busy';
      };
      const { writer } = fixture.open();
      const operation = createOperation([createWrite(theirs)], 'apply');
      const run = getFailure(runApproved(writer, operation, { onWait: () => undefined }));
      expect(await advanceUntilSettled(fixture, run)).toMatchObject({
        name: 'StoppedError',
        cause: { name: 'ConflictError', ref },
      });
      expect(count).toBe(1);
      expect(await readTexts()).toEqual(expected);
    },
  );

  describe('before a resume', () => {
    test.each([
      ['refused update', 'changes', update],
      ['refused update', 'deletes', update],
      ['refused deletion', 'changes', deletion],
      ['unsent update', 'changes', update],
      ['unsent deletion', 'changes', deletion],
    ] as const)(
      'nothing is written if it has a %s of what someone else %s',
      async (kind, other, createWrite) => {
        using fixture = new ChangeFixture({ profile });
        const { mine, theirs, ref, readTexts } = await createObjects(fixture);
        const [ours, next] = [update(mine), createWrite(theirs)];
        let count = 0;
        // The second write is refused; the third one isn't sent.
        fixture.getWriteFault = () => (++count === 2 ? 'refusal' : undefined);
        const { writer, history } = fixture.open();
        const writes = kind.startsWith('refused') ? [ours, next] : [ours, first, next];
        await getFailure(runApproved(writer, createOperation(writes, 'apply')));
        const entry = expectDefined((await history.readEntries(connectionId))[0]);
        others[other](fixture, theirs);
        const before = await readTexts();
        const requestCount = fixture.getWriteRequests().length;
        expect(await getFailure(writer.resume(entry))).toMatchObject({ name: 'ConflictError', ref });
        expect(fixture.getWriteRequests()).toHaveLength(requestCount);
        expect(await readTexts()).toEqual(before);
      },
    );
  });
});
