import { describe, expect, test } from 'vitest';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { MissingRulesError } from '../../../../src/changes/run/writeErrors.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { type CopiedDatamodel, copyRetail, createColumnRename } from './copiedDatamodels.ts';
import { createShopRule } from './renameColumn.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  connectionId,
  createOperation,
  getFailure,
  getIds,
} from './support.ts';
import { stopOperation } from './stopOperation.ts';

const profiles = ['guide', 'contract'] as const;
const status = { from: 'Status', to: 'State' };
const cubeSet = { kind: 'extract', server: 'set', elasticube: 'All' } as const;

const createRules = (column: string) =>
  [createShopRule(undefined, column, []), createShopRule(groups.sales, column, ['a'])].map((rule) => ({
    ...rule,
    table: 'Orders',
  }));

const addRules = (
  fixture: ChangeFixture,
  { server, elasticube }: CopiedDatamodel['subject'],
  column = 'Status',
) => fixture.client.extractRules.create({ server, elasticube }, createRules(column));

const describeRules = async (fixture: ChangeFixture, subject: RuleSubject) =>
  getObjects(await fixture.read({ kind: 'rules', subject }))
    .filter(({ table }) => table === 'Orders')
    .map(({ column, members }) => `${getText(column)}: ${JSON.stringify(members)}`)
    .toSorted();

/** Deletes rules as another user: those of Orders, or one of them. */
async function deleteRules(fixture: ChangeFixture, subject: RuleSubject, values?: string): Promise<void> {
  for (const rule of getObjects(await fixture.read({ kind: 'rules', subject }))) {
    if (rule['table'] === 'Orders' && (values === undefined || JSON.stringify(rule['members']) === values)) {
      await fixture.client.extractRules.delete({ ruleId: getText(rule['_id']) });
    }
  }
}

async function hasFormerName(fixture: ChangeFixture, { getTableRef }: CopiedDatamodel): Promise<boolean> {
  const table = await fixture.read(getTableRef('Orders'));
  return getObjects(Object(table)['columns']).some(({ name }) => name === status.from);
}

/** Two datamodels with the same tables. */
function openTwo(profile: (typeof profiles)[number]) {
  const fixture = new ChangeFixture({ profile });
  return { fixture, a: copyRetail(fixture, 'A'), b: copyRetail(fixture, 'B') };
}

/** Creates the write that adds a column to Orders. */
async function createAddition(fixture: ChangeFixture, { getTableRef }: CopiedDatamodel): Promise<Write> {
  const target = getTableRef('Orders');
  const columns = getObjects(Object(await fixture.read(target))['columns']);
  return {
    endpoint: 'tables.update',
    params: getIds(target),
    body: { columns: [...columns, { id: 'note', name: 'Note', type: 18 }] },
    target,
  };
}

async function applyAndRead(fixture: ChangeFixture, writes: readonly Write[]) {
  const { writer, history } = fixture.open();
  await advanceUntilSettled(fixture, runApproved(writer, createOperation(writes, 'apply')));
  return { writer, entry: expectDefined((await history.readEntries(connectionId))[0]) };
}

describe.each(profiles)('an undo of changes in two datamodels (%s)', (profile) => {
  test.each([undefined, '["a"]'])(
    'does not restore rules that others have deleted in a datamodel without a rename: %s',
    async (values) => {
      const { fixture, a, b } = openTwo(profile);
      using _fixture = fixture;
      await addRules(fixture, b.subject);
      const writes = [
        await createColumnRename(fixture, a.getTableRef('Orders'), status),
        await createAddition(fixture, b),
      ];
      const { writer, entry } = await applyAndRead(fixture, writes);
      await deleteRules(fixture, b.subject, values);
      const remaining = await describeRules(fixture, b.subject);
      const { operation, ...options } = await writer.planUndo(entry);
      await advanceUntilSettled(
        fixture,
        runApproved(writer, operation, { ...options, undoneEntryId: entry.id }),
      );
      expect(await hasFormerName(fixture, a)).toBe(true);
      expect(await describeRules(fixture, b.subject)).toEqual(remaining);
    },
  );

  test('restores rules on a name that it restores in their datamodel', async () => {
    const { fixture, a, b } = openTwo(profile);
    using _fixture = fixture;
    await addRules(fixture, a.subject);
    await addRules(fixture, b.subject);
    const writes = [
      await createColumnRename(fixture, a.getTableRef('Orders'), status),
      await createAddition(fixture, b),
    ];
    const { writer, entry } = await applyAndRead(fixture, writes);
    await deleteRules(fixture, a.subject);
    const { operation, ...options } = await writer.planUndo(entry);
    await advanceUntilSettled(
      fixture,
      runApproved(writer, operation, { ...options, undoneEntryId: entry.id }),
    );
    expect(await describeRules(fixture, a.subject)).toEqual(['Status: ["a"]', 'Status: []']);
    expect(await describeRules(fixture, b.subject)).toEqual(['Status: ["a"]', 'Status: []']);
  });
});

describe.each(profiles)(
  'an undo that restores a name with rules stops if the title of the datamodel has changed (%s)',
  (profile) => {
    async function renameAndChangeTitle() {
      const { fixture, a, b } = openTwo(profile);
      await addRules(fixture, a.subject);
      const write = await createColumnRename(fixture, a.getTableRef('Orders'), status);
      const { writer, entry } = await applyAndRead(fixture, [write]);
      await deleteRules(fixture, a.subject);
      fixture.sandbox.store.datamodels.update(a.oid, { title: 'A2' });
      return { fixture, a, b, writer, entry };
    }

    test.each(['no datamodel', 'another one', 'another one with the same rules'])(
      'and %s has the former title now',
      async (which) => {
        const { fixture, a, b, writer, entry } = await renameAndChangeTitle();
        using _fixture = fixture;
        if (which !== 'no datamodel') {
          fixture.sandbox.store.datamodels.update(b.oid, { title: 'A' });
        }
        if (which === 'another one with the same rules') {
          await addRules(fixture, a.subject);
        }
        const rules = await describeRules(fixture, a.subject);
        const count = fixture.getWriteRequests().length;
        const reviewed = await writer.planUndoForReview(entry, 'undo', {
          overwrittenIds: new Set(),
          names: new Map(),
        });
        for (const { operation, expectedVersions, undoCountBefore } of [
          await writer.planUndo(entry),
          reviewed,
        ]) {
          const options = { expectedVersions, undoCountBefore, undoneEntryId: entry.id };
          expect(await getFailure(runApproved(writer, operation, options))).toMatchObject({
            name: 'ConflictError',
            ref: { kind: 'columnRules', subject: a.subject, table: 'Orders', column: 'Status' },
          });
        }
        expect(fixture.getWriteRequests()).toHaveLength(count);
        expect(await describeRules(fixture, a.subject)).toEqual(rules);
        expect(await hasFormerName(fixture, a)).toBe(false);
      },
    );
  },
);

describe.each(profiles)('rules of a cube set on a name that an undo restores (%s)', (profile) => {
  async function rename() {
    const { fixture, a } = openTwo(profile);
    fixture.cubeSets = [cubeSet];
    await addRules(fixture, cubeSet);
    const write = await createColumnRename(fixture, a.getTableRef('Orders'), status);
    return { fixture, a, ...(await applyAndRead(fixture, [write])) };
  }

  // It is unknown whether the cube set contains the datamodel.
  test.each([undefined, '["a"]'])(
    'stop the undo before it writes if others have deleted them: %s',
    async (values) => {
      const { fixture, a, writer, entry } = await rename();
      using _fixture = fixture;
      await deleteRules(fixture, cubeSet, values);
      const remaining = await describeRules(fixture, cubeSet);
      const count = fixture.getWriteRequests().length;
      const { operation, ...options } = await writer.planUndo(entry);
      const failure = await getFailure(
        runApproved(writer, operation, { ...options, undoneEntryId: entry.id }),
      );
      expect(failure).toMatchObject({
        name: 'ConflictError',
        ref: { kind: 'columnRules', subject: cubeSet, table: 'Orders', column: 'Status' },
      });
      expect(fixture.getWriteRequests()).toHaveLength(count);
      expect(await describeRules(fixture, cubeSet)).toEqual(remaining);
      expect(await hasFormerName(fixture, a)).toBe(false);
    },
  );

  test('stay as they are if no one has deleted them', async () => {
    const { fixture, a, writer, entry } = await rename();
    using _fixture = fixture;
    const { operation, ...options } = await writer.planUndo(entry);
    await advanceUntilSettled(
      fixture,
      runApproved(writer, operation, { ...options, undoneEntryId: entry.id }),
    );
    expect(await hasFormerName(fixture, a)).toBe(true);
    expect(await describeRules(fixture, cubeSet)).toEqual(['Status: ["a"]', 'Status: []']);
  });
});

describe.each(profiles)('the check of rules before a write (%s)', (profile) => {
  test('ignores rules on the same name in another datamodel, but not those in its own', async () => {
    const { fixture, a, b } = openTwo(profile);
    using _fixture = fixture;
    await addRules(fixture, a.subject, status.to);
    await addRules(fixture, b.subject, status.to);
    const writes = [
      await createAddition(fixture, b),
      await createColumnRename(fixture, a.getTableRef('Orders'), status),
    ];
    const { writer, entry } = await stopOperation(fixture, createOperation(writes, 'apply'), (line) =>
      line.startsWith('PATCH') && line.includes(a.oid) ? 'refusal' : undefined,
    );
    await deleteRules(fixture, a.subject);
    expect(await getFailure(writer.resume(entry))).toBeInstanceOf(MissingRulesError);
    await addRules(fixture, a.subject, status.to);
    await deleteRules(fixture, b.subject);
    await advanceUntilSettled(fixture, writer.resume(entry));
    expect(await hasFormerName(fixture, a)).toBe(false);
  });

  test.each([2, 6])('reads the rules of each of %i datamodels three times', async (count) => {
    using fixture = new ChangeFixture({ profile });
    const copies = Array.from({ length: count }, (_none, index) => copyRetail(fixture, `Copy ${index}`));
    const writes: Write[] = [];
    for (const copy of copies) {
      await addRules(fixture, copy.subject, status.to);
      writes.push(await createColumnRename(fixture, copy.getTableRef('Orders'), status));
    }
    const { writer } = fixture.open();
    const operation = createOperation(writes, 'apply');
    const { planHash } = await writer.plan(operation);
    const before = fixture.transport.requestLines.length;
    await advanceUntilSettled(fixture, writer.run(operation, { approval: writer.approve(planHash) }));
    const lists = fixture.transport.requestLines
      .slice(before)
      .filter((line) => line.startsWith('GET') && line.includes('datasecurity'));
    // For the plan, to record them, and right before the write.
    expect(lists).toHaveLength(3 * count);
  });
});
