import { describe, expect, test } from 'vitest';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { MissingRulesError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import {
  createRename,
  createShopRule,
  describeShopRules,
  newName,
  openShop,
  readColumnName,
  shop,
} from './renameColumn.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getColumns,
  getFailure,
} from './support.ts';
import { stopOperation } from './stopOperation.ts';

const profiles = ['guide', 'contract'] as const;

/** The datamodel of the tables. */
const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const retailPath = { server: retail.server, elasticube: retail.elasticube };

/** Opens the demo; a server may take rules only of built datamodels. */
function openRetail(profile: ProfileName = 'guide'): ChangeFixture {
  const fixture = new ChangeFixture({ profile });
  const { datamodels } = fixture.sandbox.store;
  const oid = createSeedOid('Retail');
  datamodels.setBuiltSchema(oid, expectDefined(datamodels.getDocument(oid)));
  return fixture;
}

const readRules = async (fixture: ChangeFixture, subject: RuleSubject) =>
  getObjects(await fixture.read({ kind: 'rules', subject }));

const isCreation = ({ body, endpoint }: Write): boolean => endpoint.endsWith('.create') && body !== undefined;

/** Deletes rules as another user. */
async function deleteRules(
  fixture: ChangeFixture,
  column: string,
  values?: string,
  subject: RuleSubject = shop,
): Promise<void> {
  for (const rule of await readRules(fixture, subject)) {
    if (rule['column'] === column && (values === undefined || JSON.stringify(rule['members']) === values)) {
      await fixture.client.extractRules.delete({ ruleId: getText(rule['_id']) });
    }
  }
}

/** Returns whether a request updates a table. */
const updatesTable = (line: string, table: string): boolean =>
  line.startsWith('PATCH') && line.includes(getText(createTableUpdate(table, {}).params['tableId']));

/** Runs an apply that stops at the first PATCH of a table, which the server refuses. */
const stopAtUpdate = (fixture: ChangeFixture, table: string, writes: readonly Write[]) =>
  stopOperation(fixture, createOperation(writes, 'apply'), (line) =>
    updatesTable(line, table) ? 'refusal' : undefined,
  );

const readNames = async (fixture: ChangeFixture) =>
  getColumns(await fixture.read(createTableRef('Stores'))).map(({ name }) => getText(name));

describe.each(profiles)('rules that an apply found on new names (%s)', (profile) => {
  test('are required by a resume that would create the column', async () => {
    using fixture = openRetail(profile);
    const columns = getColumns(await fixture.read(createTableRef('Stores')));
    const rule = createShopRule(undefined, 'Secret', []);
    await fixture.client.extractRules.create(retailPath, [rule]);
    const { writer, entry } = await stopAtUpdate(fixture, 'Customer Value', [
      createTableUpdate('Customer Value', { description: 'Mine' }),
      createTableUpdate('Stores', { columns: [...columns, { id: 'secret', name: 'Secret', type: 18 }] }),
    ]);
    await deleteRules(fixture, 'Secret', undefined, retail);
    const requests = fixture.getWriteRequests().length;
    expect(expectInstance(await getFailure(writer.resume(entry)), MissingRulesError)).toMatchObject({
      columns: ['Retail › Stores › Secret'],
      exposedColumns: [],
      ref: { kind: 'columnRules', subject: retail, table: 'Stores', column: 'Secret' },
    });
    expect(fixture.getWriteRequests()).toHaveLength(requests);
    expect(await readNames(fixture)).not.toContain('Secret');
    await fixture.client.extractRules.create(retailPath, [rule]);
    await advanceUntilSettled(fixture, writer.resume(entry));
    expect(await readNames(fixture)).toContain('Secret');
  });

  test.each([
    ['all', undefined, 0],
    ['one of them', '[]', 1],
  ])(
    'are required by a resume that would rename the column, of which others have deleted %s',
    async (_title, values, addedCount) => {
      using fixture = openShop(profile);
      const { operation, oldName } = await createRename(fixture);
      const created = [createShopRule(undefined, newName, []), createShopRule(groups.sales, newName, ['a'])];
      const kept = created.slice(0, created.length - addedCount);
      const { writer } = fixture.open();
      await runApproved(
        writer,
        createOperation(createRuleWrites(shop, { adds: kept, deletes: [] }), 'apply'),
      );
      const added = [
        ...created.slice(kept.length),
        ...(addedCount === 0 ? [createShopRule(undefined, 'Another', [])] : []),
      ];
      const stopped = await stopAtUpdate(fixture, 'Stores', [
        ...createRuleWrites(shop, { adds: added, deletes: [] }),
        ...operation.writes.filter((write) => !isCreation(write)),
      ]);
      await deleteRules(fixture, newName, values);
      expect(await getFailure(stopped.writer.resume(stopped.entry))).toBeInstanceOf(MissingRulesError);
      expect(await readColumnName(fixture)).toBe(oldName);
      expect(await describeShopRules(fixture)).toEqual(
        expect.arrayContaining([`${oldName}: ["a"]`, `${oldName}: []`]),
      );
    },
  );
});

describe.each(profiles)('rules that others delete while an apply runs (%s)', (profile) => {
  test('on the new name, during a wait for a busy server: the column keeps its name and its rules', async () => {
    using fixture = openShop(profile);
    const { operation, oldName } = await createRename(fixture);
    const { writer } = fixture.open();
    let deleted: Promise<void> | undefined;
    fixture.getWriteFault = (line) =>
      line.startsWith('PATCH') && deleted === undefined ? 'busy' : undefined;
    const onWait = (): void => {
      deleted ??= deleteRules(fixture, newName);
    };
    const error = await advanceUntilSettled(fixture, getFailure(runApproved(writer, operation, { onWait })));
    expect(expectInstance(error, StoppedError).cause).toMatchObject({
      name: 'MissingRulesError',
      columns: [`Shop › Stores › ${newName}`],
      exposedColumns: [],
    });
    expect(await readColumnName(fixture)).toBe(oldName);
    expect(await describeShopRules(fixture)).toEqual([`${oldName}: ["a"]`, `${oldName}: []`]);
  });

  test('on the new name, before an earlier write is done: the column is not renamed', async () => {
    using fixture = openShop(profile);
    const { operation, oldName } = await createRename(fixture);
    const [creation, ...others] = operation.writes;
    const writes = [
      expectDefined(creation),
      createTableUpdate('Customer Value', { description: 'Mine' }),
      ...others,
    ];
    const { writer } = fixture.open();
    let deleted: Promise<void> | undefined;
    fixture.getWriteFault = (line) =>
      line.startsWith('PATCH') && deleted === undefined ? 'busy' : undefined;
    const onWait = (): void => {
      deleted ??= deleteRules(fixture, newName);
    };
    const run = getFailure(runApproved(writer, createOperation(writes, 'apply'), { onWait }));
    const { cause, report } = expectInstance(await advanceUntilSettled(fixture, run), StoppedError);
    expect(cause).toBeInstanceOf(MissingRulesError);
    expect(report.writeStates.map(({ state }) => state)).toEqual(['done', 'done', 'failed', 'waiting']);
    expect(await readColumnName(fixture)).toBe(oldName);
  });

  test('on the new name, after the rename: the rules on the old name stay, and the error says what is exposed', async () => {
    using fixture = openShop(profile);
    const { operation, oldName } = await createRename(fixture);
    const { writer, history } = fixture.open();
    let deleted: Promise<void> | undefined;
    const writes = [
      ...operation.writes.slice(0, 2),
      createTableUpdate('Customer Value', { description: 'Mine' }),
      ...operation.writes.slice(2),
    ];
    fixture.getWriteFault = (line) =>
      updatesTable(line, 'Customer Value') && deleted === undefined ? 'busy' : undefined;
    const onWait = (): void => {
      deleted ??= deleteRules(fixture, newName);
    };
    const run = getFailure(runApproved(writer, createOperation(writes, 'apply'), { onWait }));
    const { cause } = expectInstance(await advanceUntilSettled(fixture, run), StoppedError);
    expect(cause).toMatchObject({
      name: 'MissingRulesError',
      exposedColumns: [`Shop › Stores › ${newName}`],
    });
    expect(await readColumnName(fixture)).toBe(newName);
    expect(await describeShopRules(fixture)).toEqual([`${oldName}: ["a"]`, `${oldName}: []`]);
    // Even if others delete the remaining rules, too, the change isn't done.
    await deleteRules(fixture, oldName);
    const entry = expectDefined((await history.readEntries(connectionId))[0]);
    expect(await advanceUntilSettled(fixture, getFailure(writer.resume(entry)))).toBeInstanceOf(
      MissingRulesError,
    );
    await fixture.client.extractRules.create({ server: 'LocalHost', elasticube: 'Shop' }, [
      createShopRule(undefined, newName, []),
      createShopRule(groups.sales, newName, ['a']),
    ]);
    await advanceUntilSettled(fixture, writer.resume(entry));
    expect(await describeShopRules(fixture)).toEqual([`${newName}: ["a"]`, `${newName}: []`]);
  });
});

const cases = profiles.flatMap((profile) =>
  (['rollBack', 'undo'] as const).flatMap((ending) =>
    (['both', '[]', '["a"]', 'none'] as const).map((deleted) => ({ profile, ending, deleted })),
  ),
);

describe.each(cases)(
  '$ending of a rename, others have deleted rules on the old name: $deleted ($profile)',
  ({ profile, ending, deleted }) => {
    test('restores them before the name', async () => {
      using fixture = openShop(profile);
      const { operation, oldName } = await createRename(fixture);
      const [creation, rename, deletion] = operation.writes;
      const { writer, entry } = await stopAtUpdate(fixture, 'Customer Value', [
        expectDefined(creation),
        expectDefined(rename),
        createTableUpdate('Customer Value', { description: 'Mine' }),
        expectDefined(deletion),
      ]);
      if (deleted !== 'none') {
        await deleteRules(fixture, oldName, deleted === 'both' ? undefined : deleted);
      }
      if (ending === 'undo') {
        const abandoned = await writer.abandon(entry);
        const { operation: undo, ...options } = await writer.planUndo(abandoned);
        await advanceUntilSettled(
          fixture,
          runApproved(writer, undo, { ...options, undoneEntryId: entry.id }),
        );
      } else {
        await advanceUntilSettled(fixture, writer.rollBack(entry));
      }
      expect(await readColumnName(fixture)).toBe(oldName);
      expect(await describeShopRules(fixture)).toEqual([`${oldName}: ["a"]`, `${oldName}: []`]);
      const lines = fixture.getWriteRequests();
      const [lastPost, lastPatch] = ['POST', 'PATCH'].map((method) =>
        lines.findLastIndex((line) => line.startsWith(method)),
      );
      expect(deleted === 'none' || expectDefined(lastPost) < expectDefined(lastPatch)).toBe(true);
    });
  },
);

describe.each(profiles)('the rollback of an apply that has deleted a column (%s)', (profile) => {
  const name = 'Square Meters';
  const readColumnRules = async (fixture: ChangeFixture) =>
    (await readRules(fixture, retail)).filter(({ column }) => column === name);
  const describeRules = async (fixture: ChangeFixture) =>
    (await readColumnRules(fixture)).map(({ members }) => JSON.stringify(members)).toSorted();

  /** Stops the apply after the deletion; with `deletesRules`, before the deletion of the rules. */
  async function stop(fixture: ChangeFixture, { deletesRules }: { readonly deletesRules: boolean }) {
    const columns = getColumns(await fixture.read(createTableRef('Stores')));
    await fixture.client.extractRules.create(retailPath, [
      createShopRule(undefined, name, []),
      createShopRule(groups.sales, name, ['1']),
    ]);
    const current = await readColumnRules(fixture);
    return stopAtUpdate(fixture, 'Customer Value', [
      createTableUpdate('Stores', { columns: columns.filter((column) => column['name'] !== name) }),
      createTableUpdate('Customer Value', { description: 'Mine' }),
      ...(deletesRules
        ? createRuleWrites(retail, { adds: [], deletes: current.map((rule, index) => ({ rule, index })) })
        : []),
    ]);
  }

  test.each([
    [true, undefined],
    [true, '[]'],
    [false, undefined],
    [false, '[]'],
  ])(
    'restores rules that others have deleted (the apply deletes them, too: %s; values: %s)',
    async (deletesRules, values) => {
      using fixture = openRetail(profile);
      const { writer, entry } = await stop(fixture, { deletesRules });
      await deleteRules(fixture, name, values, retail);
      await advanceUntilSettled(fixture, writer.rollBack(entry));
      expect(await readNames(fixture)).toContain(name);
      expect(await describeRules(fixture)).toEqual(['["1"]', '[]']);
    },
  );

  test('is refused if others have changed a rule', async () => {
    using fixture = openRetail(profile);
    const { writer, entry } = await stop(fixture, { deletesRules: false });
    const rules = await readColumnRules(fixture);
    const rule = expectDefined(rules.find(({ members }) => JSON.stringify(members) === '["1"]'));
    const ruleId = getText(rule['_id']);
    await fixture.client.extractRules.update({ ruleId }, { ...rule, members: ['1', '2'] });
    const requests = fixture.getWriteRequests().length;
    expect(await advanceUntilSettled(fixture, getFailure(writer.rollBack(entry)))).toMatchObject({
      name: 'ConflictError',
      ref: { kind: 'columnRules', subject: retail, table: 'Stores', column: name },
    });
    expect(fixture.getWriteRequests()).toHaveLength(requests);
    expect(await readNames(fixture)).not.toContain(name);
  });

  test('stops if others delete a rule while it waits for a busy server', async () => {
    using fixture = openRetail(profile);
    const { writer, entry } = await stop(fixture, { deletesRules: false });
    let deleted: Promise<void> | undefined;
    fixture.getWriteFault = (line) =>
      line.startsWith('PATCH') && deleted === undefined ? 'busy' : undefined;
    const onWait = (): void => {
      deleted ??= deleteRules(fixture, name, '[]', retail);
    };
    const error = await advanceUntilSettled(fixture, getFailure(writer.rollBack(entry, { onWait })));
    expect(expectInstance(error, StoppedError).cause).toBeInstanceOf(MissingRulesError);
    expect(await readNames(fixture)).not.toContain(name);
  });
});

describe.each(profiles)(
  'the undo of an apply that has deleted a column, from the history (%s)',
  (profile) => {
    const name = 'Square Meters';

    async function deleteColumn(fixture: ChangeFixture) {
      await fixture.client.extractRules.create(retailPath, [
        createShopRule(undefined, name, []),
        createShopRule(groups.sales, name, ['1']),
      ]);
      const columns = getColumns(await fixture.read(createTableRef('Stores')));
      const { writer, history } = fixture.open();
      const write = createTableUpdate('Stores', {
        columns: columns.filter((column) => column['name'] !== name),
      });
      await runApproved(writer, createOperation([write], 'apply'));
      await fixture.sandbox.clock.advance(1000);
      const entry = expectDefined((await history.readEntries(connectionId))[0]);
      const undo = async () => {
        const choices = { overwrittenIds: new Set<string>(), names: new Map<string, string>() };
        const { operation, ...options } = await writer.planUndoForReview(entry, 'undo', choices);
        return runApproved(writer, operation, { ...options, undoneEntryId: entry.id });
      };
      return { undo };
    }

    test('restores the rules that others have deleted, before the column', async () => {
      using fixture = openRetail(profile);
      const { undo } = await deleteColumn(fixture);
      await deleteRules(fixture, name, undefined, retail);
      const count = fixture.getWriteRequests().length;
      await advanceUntilSettled(fixture, undo());
      expect(await readNames(fixture)).toContain(name);
      const methods = fixture
        .getWriteRequests()
        .slice(count)
        .map((line) => line.split(' ')[0]);
      expect(methods.at(-1)).toBe('PATCH');
      const rules = (await readRules(fixture, retail)).filter(({ column }) => column === name);
      expect(rules.map(({ members }) => JSON.stringify(members)).toSorted()).toEqual(['["1"]', '[]']);
    });

    test('is refused if others have changed one of the rules', async () => {
      using fixture = openRetail(profile);
      const { undo } = await deleteColumn(fixture);
      const rule = expectDefined(
        (await readRules(fixture, retail)).find(
          ({ column, members }) => column === name && JSON.stringify(members) === '["1"]',
        ),
      );
      await fixture.client.extractRules.update(
        { ruleId: getText(rule['_id']) },
        { ...rule, members: ['1', '2'] },
      );
      const count = fixture.getWriteRequests().length;
      expect(await advanceUntilSettled(fixture, getFailure(undo()))).toMatchObject({
        name: 'ConflictError',
        ref: { kind: 'columnRules', table: 'Stores', column: name },
      });
      expect(fixture.getWriteRequests()).toHaveLength(count);
    });
  },
);

test('a resume says that rules are missing, not that values are visible, if the column is yet to be renamed', async () => {
  using fixture = openShop();
  const { operation, oldName } = await createRename(fixture);
  const { writer, entry } = await stopAtUpdate(fixture, 'Stores', operation.writes);
  await deleteRules(fixture, newName);
  expect(expectInstance(await getFailure(writer.resume(entry)), MissingRulesError)).toMatchObject({
    columns: [`Shop › Stores › ${newName}`],
    exposedColumns: [],
  });
  expect(await readColumnName(fixture)).toBe(oldName);
});

test('the checks of rules add one request for each write that relies on rules', async () => {
  using fixture = openShop();
  const { operation } = await createRename(fixture);
  const { writer } = fixture.open();
  const count = fixture.transport.requestLines.length;
  await runApproved(writer, operation);
  const lines = fixture.transport.requestLines.slice(count);
  const first = lines.findIndex((line) => !line.startsWith('GET'));
  const isList = (line: string): boolean => line.startsWith('GET') && line.includes('datasecurity');
  const patch = lines.findIndex((line) => line.startsWith('PATCH'));
  expect(isList(expectDefined(lines[patch - 1]))).toBe(true);
  expect(lines.slice(first).filter(isList)).toHaveLength(listCount);
});

/** One before the rename and one before the deletion; the others belong to the changes of rules. */
const listCount = 6;
