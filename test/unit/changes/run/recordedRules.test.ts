import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
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
  type createTableRef,
  getColumns,
  getFailure,
  getIds,
} from './support.ts';

const profiles = ['guide', 'contract'] as const;
const cubeSet = { kind: 'extract', server: 'set', elasticube: 'All' } as const;
const status = { from: 'Status', to: 'State' };

const createRules = (table: string, column: string, members: readonly string[]): readonly JsonObject[] =>
  [createShopRule(undefined, column, []), createShopRule(groups.sales, column, members)].map((rule) => ({
    ...rule,
    table,
  }));

const addRules = (
  fixture: ChangeFixture,
  { server, elasticube }: { readonly server: string; readonly elasticube: string },
  rules: readonly JsonObject[],
) => fixture.client.extractRules.create({ server, elasticube }, rules);

const isRuleList = (line: string): boolean => line.includes('datasecurity');

/** Saves the SQL of a custom table; returns the first line of the journal. */
async function saveSql(fixture: ChangeFixture, target: ReturnType<typeof createTableRef>): Promise<string> {
  const body = { expression: { expression: 'SELECT 1 AS [One]' } };
  const write: Write = { endpoint: 'tables.update', params: getIds(target), body, target };
  const { writer } = fixture.open();
  await advanceUntilSettled(fixture, runApproved(writer, createOperation([write])));
  const [name = ''] = readdirSync(fixture.folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.jsonl'),
  );
  return expectDefined(readFileSync(join(fixture.folder, name), 'utf8').trimStart().split('\n')[0]);
}

const getRecordedColumns = (begin: string): readonly string[] =>
  getObjects((JSON.parse(begin) as { readonly before: JsonObject[] }).before)
    .map(({ ref }) => Object(ref) as JsonObject)
    .filter(({ kind }) => kind === 'rules' || kind === 'columnRules')
    .map(({ table, column }) => `${getText(table)}.${getText(column)}`);

describe.each(profiles)('the journal of a save of SQL (%s)', (profile) => {
  test('does not grow with the rules on other tables, in its datamodel or a cube set', async () => {
    const sizes: number[] = [];
    for (const count of [10, 500]) {
      using fixture = new ChangeFixture({ profile });
      const { subject, getTableRef } = copyRetail(fixture, 'Copy');
      fixture.cubeSets = [cubeSet];
      for (const owner of [subject, cubeSet]) {
        const rules = Array.from({ length: count }, (_none, index) =>
          createShopRule(groups.sales, `Column ${index}`, ['a']),
        );
        await addRules(fixture, owner, rules);
      }
      sizes.push((await saveSql(fixture, getTableRef('Customer Value'))).length);
    }
    expect(sizes[1]).toBe(sizes[0]);
  });

  test('contains the rules on its own table', async () => {
    using fixture = new ChangeFixture({ profile });
    const { subject, getTableRef } = copyRetail(fixture, 'Copy');
    fixture.cubeSets = [cubeSet];
    await addRules(fixture, subject, createRules('Customer Value', 'One', ['a']));
    await addRules(fixture, cubeSet, createRules('Customer Value', 'Two', ['a']));
    await addRules(fixture, subject, createRules('Stores', 'Region', ['a']));
    const begin = await saveSql(fixture, getTableRef('Customer Value'));
    expect(getRecordedColumns(begin)).toEqual(['Customer Value.One', 'Customer Value.Two']);
  });

  test('leaves out the rules of a datamodel whose title cannot be part of an address', async () => {
    using fixture = new ChangeFixture({ profile });
    const { getTableRef } = copyRetail(fixture, 'A/../B');
    expect(getRecordedColumns(await saveSql(fixture, getTableRef('Customer Value')))).toEqual([]);
  });

  test.each([403, 500])('leaves out the rules of a cube set if the server responds with %i', async (code) => {
    using fixture = new ChangeFixture({ profile });
    const { getTableRef } = copyRetail(fixture, 'Copy');
    fixture.cubeSets = [cubeSet];
    fixture.getReadRefusal = (line) => (isRuleList(line) && line.includes('/set/All') ? code : undefined);
    const saved = saveSql(fixture, getTableRef('Customer Value'));
    expect(getRecordedColumns(await advanceUntilSettled(fixture, saved))).toEqual([]);
  });

  test('is not written if the server fails to return the rules of its datamodel', async () => {
    using fixture = new ChangeFixture({ profile });
    const { getTableRef } = copyRetail(fixture, 'Copy');
    fixture.getReadRefusal = (line) => (isRuleList(line) ? 500 : undefined);
    const failure = getFailure(saveSql(fixture, getTableRef('Customer Value')));
    expect(await advanceUntilSettled(fixture, failure)).toMatchObject({ status: 500 });
    expect(fixture.getWriteRequests()).toEqual([]);
  });
});

const refusals = [
  { owner: 'datamodel', code: 403 },
  { owner: 'cube set', code: 500 },
] as const;
const cases = profiles.flatMap((profile) =>
  refusals.flatMap((refusal) =>
    (['undo', 'review', 'rollBack'] as const).map((ending) => ({ profile, ...refusal, ending })),
  ),
);

describe.each(cases)(
  '$ending of a rename, the rules of the $owner cannot be read any more: $code ($profile)',
  ({ profile, owner, code, ending }) => {
    /** Renames a column; with a rule on `ruleColumn` before. */
    async function rename(ruleColumn: string) {
      const fixture = new ChangeFixture({ profile });
      const copy = copyRetail(fixture, 'Copy');
      fixture.cubeSets = [cubeSet];
      const subject = owner === 'cube set' ? cubeSet : copy.subject;
      await addRules(fixture, subject, createRules('Orders', ruleColumn, ['a']));
      const writes = [
        await createColumnRename(fixture, copy.getTableRef('Orders'), status),
        await createColumnRename(fixture, copy.getTableRef('Stores'), { from: 'Store Id', to: 'Store' }),
      ];
      const { writer, history } = fixture.open();
      const lastPath = copy.getTableRef('Stores').tableId;
      fixture.getWriteFault = (line) =>
        ending === 'rollBack' && line.startsWith('PATCH') && line.includes(lastPath) ? 'refusal' : undefined;
      const run = runApproved(writer, createOperation(writes, 'apply'));
      await advanceUntilSettled(fixture, ending === 'rollBack' ? getFailure(run) : run);
      fixture.getWriteFault = () => undefined;
      const entry = expectDefined((await history.readEntries(connectionId))[0]);
      const path = owner === 'cube set' ? '/set/All/datasecurity' : '/Copy/datasecurity';
      fixture.getReadRefusal = (line) => (line.endsWith(path) ? code : undefined);
      const undo = async (): Promise<void> => {
        if (ending === 'rollBack') {
          await writer.rollBack(entry);
          return;
        }
        const choices = { overwrittenIds: new Set<string>(), names: new Map<string, string>() };
        const { operation, ...options } = await (ending === 'undo'
          ? writer.planUndo(entry)
          : writer.planUndoForReview(entry, 'undo', choices));
        await runApproved(writer, operation, { ...options, undoneEntryId: entry.id });
      };
      return { fixture, copy, undo };
    }

    const hasName = async (fixture: ChangeFixture, { getTableRef }: CopiedDatamodel): Promise<boolean> =>
      getColumns(await fixture.read(getTableRef('Orders'))).some(({ name }) => name === status.from);

    test('succeeds if none of these rules is on the old name', async () => {
      const { fixture, copy, undo } = await rename('Channel');
      using _fixture = fixture;
      await advanceUntilSettled(fixture, undo());
      expect(await hasName(fixture, copy)).toBe(true);
    });

    test('does not restore the old name if rules on it were recorded', async () => {
      const { fixture, copy, undo } = await rename(status.from);
      using _fixture = fixture;
      const count = fixture.getWriteRequests().length;
      expect(await advanceUntilSettled(fixture, getFailure(undo()))).toMatchObject({ status: code });
      expect(fixture.getWriteRequests()).toHaveLength(count);
      expect(await hasName(fixture, copy)).toBe(false);
    });
  },
);
