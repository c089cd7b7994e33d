import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { MissingRulesError, UnrecordedRulesError } from '../../../../src/changes/run/writeErrors.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
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
  getColumns,
  getFailure,
  getIds,
} from './support.ts';
import { stopOperation } from './stopOperation.ts';

const profiles = ['guide', 'contract'] as const;
const cubeSet = { kind: 'extract', server: 'set', elasticube: 'All' } as const;
const status = { from: 'Status', to: 'State' };

const createRules = (column: string): readonly JsonObject[] =>
  [createShopRule(undefined, column, []), createShopRule(groups.sales, column, ['a'])].map((rule) => ({
    ...rule,
    table: 'Orders',
  }));

const addRules = (
  fixture: ChangeFixture,
  { server, elasticube }: { readonly server: string; readonly elasticube: string },
  column: string,
) => fixture.client.extractRules.create({ server, elasticube }, createRules(column));

const readRules = async (fixture: ChangeFixture, subject: RuleSubject): Promise<readonly JsonObject[]> =>
  getObjects(await fixture.read({ kind: 'rules', subject }));

/** Deletes rules on a column as another user. */
async function deleteRules(fixture: ChangeFixture, subject: RuleSubject, column: string): Promise<void> {
  for (const rule of await readRules(fixture, subject)) {
    if (rule['column'] === column) {
      await fixture.client.extractRules.delete({ ruleId: getText(rule['_id']) });
    }
  }
}

/** Changes the title of a datamodel, which no request can do. */
function setTitle({ sandbox }: ChangeFixture, { oid }: CopiedDatamodel, title: string): void {
  const { datamodels } = sandbox.store;
  const document = { ...expectDefined(datamodels.getDocument(oid)), title };
  datamodels.delete(oid);
  datamodels.insert(document);
  datamodels.setBuiltSchema(oid, document);
}

interface Begin {
  readonly before: readonly { readonly ref: JsonObject; readonly document?: unknown }[];
}

/** Changes the first line of a journal to what an earlier version wrote. */
function rewriteBegin(fixture: ChangeFixture, { id }: HistoryEntry, change: (begin: Begin) => unknown): void {
  const [name = ''] = readdirSync(fixture.folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith(`${id}.jsonl`),
  );
  const file = join(fixture.folder, name);
  const [begin = '', ...lines] = readFileSync(file, 'utf8').trimStart().split('\n');
  writeFileSync(file, [JSON.stringify(change(JSON.parse(begin) as Begin)), ...lines].join('\n'));
}

/** Before version 2026-11-30, only the rules of datamodels whose rules are changed were recorded. */
function withoutRules({ before, ...begin }: Begin & { readonly rules?: unknown }): unknown {
  const { rules, ...others } = begin;
  expect(rules).toBe(true);
  return {
    ...others,
    before: before
      .filter(({ ref }) => ref['kind'] !== 'columnRules')
      .map(({ ref, document }) => ({ ref, document })),
  };
}

/** On 2026-11-30, all rules of a datamodel were recorded as one document, without the ID of the datamodel. */
function withCompleteRules({ before, ...begin }: Begin): unknown {
  const columns = before.filter(({ ref }) => ref['kind'] === 'columnRules');
  expect(columns.length).toBeGreaterThan(0);
  return {
    ...begin,
    before: [
      ...before.filter((each) => !columns.includes(each)).map(({ ref, document }) => ({ ref, document })),
      ...Map.groupBy(columns, ({ ref }) => JSON.stringify(ref['subject']))
        .values()
        .map(([first, ...others]) => ({
          ref: { kind: 'rules', subject: expectDefined(first).ref['subject'] },
          document: [expectDefined(first), ...others].flatMap(({ document }) => document),
        })),
    ],
  };
}

const hasColumn = async (fixture: ChangeFixture, { getTableRef }: CopiedDatamodel, column: string) =>
  getColumns(await fixture.read(getTableRef('Orders'))).some(({ name }) => name === column);

/** Opens two datamodels with the same tables. */
function openTwo(profile: ProfileName) {
  const fixture = new ChangeFixture({ profile });
  return { fixture, a: copyRetail(fixture, 'A'), b: copyRetail(fixture, 'B') };
}

/** Runs an apply that stops at the first PATCH of Orders in a datamodel, which the server refuses. */
const stop = (fixture: ChangeFixture, { getTableRef }: CopiedDatamodel, writes: readonly Write[]) =>
  stopOperation(fixture, createOperation(writes, 'apply'), (line) =>
    line.startsWith('PATCH') && line.includes(getTableRef('Orders').tableId) ? 'refusal' : undefined,
  );

async function createAddition(fixture: ChangeFixture, { getTableRef }: CopiedDatamodel): Promise<Write> {
  const target = getTableRef('Orders');
  const columns = getColumns(await fixture.read(target));
  return {
    endpoint: 'tables.update',
    params: getIds(target),
    body: { columns: [...columns, { id: 'state', name: status.to, type: 18 }] },
    target,
  };
}

describe.each(profiles)(
  'resuming an apply that an earlier version recorded without rules (%s)',
  (profile) => {
    /** Stops an apply before it renames or adds a column, or changes the SQL. */
    async function stopOrders(kind: 'rename' | 'addition' | 'SQL' | 'rename and description') {
      const { fixture, a } = openTwo(profile);
      const target = a.getTableRef('Orders');
      const rename = await createColumnRename(fixture, target, status);
      const writes = {
        rename,
        addition: await createAddition(fixture, a),
        SQL: { ...rename, body: { expression: { expression: 'SELECT 1 AS [State]' } } },
        'rename and description': { ...rename, body: { ...Object(rename.body), description: 'Mine' } },
      };
      const { writer, entry } = await stop(fixture, a, [writes[kind]]);
      rewriteBegin(fixture, entry, withoutRules);
      return { fixture, a, resume: () => advanceUntilSettled(fixture, writer.resume(entry)) };
    }

    test('finishes the apply if it only renames, and the datamodel has no rules', async () => {
      const { fixture, a, resume } = await stopOrders('rename');
      using _fixture = fixture;
      await resume();
      expect(await hasColumn(fixture, a, status.to)).toBe(true);
    });

    test('finishes the apply if the known cube sets have no rules, either', async () => {
      const { fixture, a, resume } = await stopOrders('rename');
      using _fixture = fixture;
      fixture.cubeSets = [cubeSet];
      await resume();
      expect(await hasColumn(fixture, a, status.to)).toBe(true);
    });

    // Others may have deleted rules on the new name, and its values are not visible yet.
    test.each(['addition', 'SQL', 'rename and description'] as const)(
      'is refused for another change: %s',
      async (kind) => {
        const { fixture, resume } = await stopOrders(kind);
        using _fixture = fixture;
        const count = fixture.getWriteRequests().length;
        expect(await getFailure(resume())).toBeInstanceOf(UnrecordedRulesError);
        expect(fixture.getWriteRequests()).toHaveLength(count);
      },
    );

    test.each(['datamodel', 'cube set', 'unreadable cube set'])(
      'is refused if there are or might be rules: %s',
      async (owner) => {
        const { fixture, a, resume } = await stopOrders('rename');
        using _fixture = fixture;
        fixture.cubeSets = [cubeSet];
        if (owner === 'unreadable cube set') {
          fixture.getReadRefusal = (line) => (line.endsWith('/set/All/datasecurity') ? 403 : undefined);
        } else {
          await addRules(fixture, owner === 'datamodel' ? a.subject : cubeSet, 'Channel');
        }
        expect(await getFailure(resume())).toBeInstanceOf(UnrecordedRulesError);
        expect(await hasColumn(fixture, a, status.to)).toBe(false);
      },
    );

    test('is refused if the apply has recorded only the rules of another datamodel', async () => {
      const { fixture, a, b } = openTwo(profile);
      using _fixture = fixture;
      await addRules(fixture, a.subject, status.to);
      const { writer, entry } = await stop(fixture, a, [
        ...createRuleWrites(b.subject, { adds: createRules('Channel'), deletes: [] }),
        await createAddition(fixture, a),
      ]);
      rewriteBegin(fixture, entry, withoutRules);
      await deleteRules(fixture, a.subject, status.to);
      const count = fixture.getWriteRequests().length;
      const failure = getFailure(writer.resume(entry));
      expect(await advanceUntilSettled(fixture, failure)).toBeInstanceOf(UnrecordedRulesError);
      expect(fixture.getWriteRequests()).toHaveLength(count);
    });

    test('checks the rules that the apply has recorded because it changes rules of the datamodel', async () => {
      const { fixture, a } = openTwo(profile);
      using _fixture = fixture;
      await addRules(fixture, a.subject, status.to);
      const { writer, entry } = await stop(fixture, a, [
        ...createRuleWrites(a.subject, { adds: createRules('Channel'), deletes: [] }),
        await createAddition(fixture, a),
      ]);
      rewriteBegin(fixture, entry, withoutRules);
      await deleteRules(fixture, a.subject, status.to);
      const failure = getFailure(writer.resume(entry));
      expect(await advanceUntilSettled(fixture, failure)).toBeInstanceOf(MissingRulesError);
      await addRules(fixture, a.subject, status.to);
      await advanceUntilSettled(fixture, writer.resume(entry));
      expect(await hasColumn(fixture, a, status.to)).toBe(true);
    });
  },
);

describe.each(profiles)(
  'an entry that an earlier version recorded without the datamodels of its rules (%s)',
  (profile) => {
    /** Renames a column in A, and adds one in B; the rules of both are recorded. */
    async function change() {
      const { fixture, a, b } = openTwo(profile);
      for (const { subject } of [a, b]) {
        await addRules(fixture, subject, status.from);
      }
      const { writer, history } = fixture.open();
      const writes = [
        await createColumnRename(fixture, a.getTableRef('Orders'), status),
        await createAddition(fixture, b),
      ];
      await advanceUntilSettled(fixture, runApproved(writer, createOperation(writes, 'apply')));
      const recorded = expectDefined((await history.readEntries(connectionId))[0]);
      rewriteBegin(fixture, recorded, withCompleteRules);
      const entry = expectDefined((await fixture.open().history.readEntries(connectionId))[0]);
      const undo = async (): Promise<void> => {
        const { operation, ...options } = await writer.planUndo(entry);
        await runApproved(writer, operation, { ...options, undoneEntryId: entry.id });
      };
      return { fixture, a, b, undo };
    }

    test('is undone with the rules of its datamodel, and those of the other one are left alone', async () => {
      const { fixture, a, b, undo } = await change();
      using _fixture = fixture;
      await deleteRules(fixture, a.subject, status.from);
      await deleteRules(fixture, b.subject, status.from);
      await advanceUntilSettled(fixture, undo());
      expect(await hasColumn(fixture, a, status.from)).toBe(true);
      expect(await readRules(fixture, a.subject)).toHaveLength(2);
      expect(await readRules(fixture, b.subject)).toHaveLength(0);
    });

    test('is not undone if others have deleted rules and it is unknown whether these were of its datamodel', async () => {
      const { fixture, a, b, undo } = await change();
      using _fixture = fixture;
      // Its title was changed, so the recorded rules may be those of A or of another datamodel.
      setTitle(fixture, a, 'Renamed');
      await deleteRules(fixture, a.subject, status.from);
      const count = fixture.getWriteRequests().length;
      expect(await advanceUntilSettled(fixture, getFailure(undo()))).toMatchObject({
        name: 'ConflictError',
        ref: { kind: 'columnRules', subject: a.subject, table: 'Orders', column: status.from },
      });
      expect(fixture.getWriteRequests()).toHaveLength(count);
      setTitle(fixture, a, a.title);
      await advanceUntilSettled(fixture, undo());
      expect(await hasColumn(fixture, a, status.from)).toBe(true);
      expect(await readRules(fixture, a.subject)).toHaveLength(2);
      expect(await readRules(fixture, b.subject)).toHaveLength(2);
    });
  },
);
