import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changeManyRules,
  createRule,
  deleteColumnRules,
  deleteRule,
} from '../../../../src/changes/operations/ruleActions.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { createDocumentHandler } from '../../../../src/documents/kinds/kinds.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { UndoOperation } from '../../../../src/changes/journal/undo.ts';
import { getObjects, getText } from '../../../../src/changes/model/readJson.ts';
import { effectiveAccess } from '../../../../src/security/index.ts';
import { writeRuleTable } from '../../../../src/security/ruleTable/writeRuleTable.ts';
import { createLiveRuleReplacement } from '../../../../src/changes/rules/ruleWrites.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { Bench, connectionId, failure, operation, updateTable } from '../run/support.ts';
import { apply } from './apply.ts';

const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const live = { kind: 'live', title: 'Support Desk' } as const;
const place = { connectionId, within: [] };
type Window = ReturnType<Bench['open']>;

const getRules = async (bench: Bench, subject: RuleSubject): Promise<readonly JsonObject[]> =>
  getObjects(await bench.read({ kind: 'rules', subject }));

/** The content of the rules, without fields that differ each time they are created. */
const said = async (bench: Bench, subject: RuleSubject): Promise<readonly string[]> =>
  (await getRules(bench, subject)).map((rule) => writeRuleTable([rule])).sort();

async function latest({ history }: Window): Promise<HistoryEntry> {
  const [entry] = await history.readEntries(connectionId);
  if (entry === undefined) {
    throw new Error('Nothing was written down');
  }
  return entry;
}

async function carryOut({ writer }: Window, entry: HistoryEntry, back: UndoOperation) {
  if (back.operation.writes.length > 0) {
    const options = { expect: back.expect, undoes: entry.id, moved: back.moved };
    await apply(writer, back.operation, options);
  }
}

/** Advances time until a promise has settled. */
async function inTime<T>(bench: Bench, promise: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const watched = promise.finally(() => {
    state.isOver = true;
  });
  watched.catch(() => undefined);
  while (!state.isOver) {
    await bench.sandbox.clock.advance(10_000);
    await setImmediate();
  }
  return watched;
}

const rule = (member: string, user: string, column = 'City'): JsonObject => ({
  table: 'Stores',
  column,
  datatype: 'text',
  members: [member],
  allMembers: null,
  shares: [{ type: 'user', partyId: user }],
});

/** An existing rule, chosen by a number. */
async function one(bench: Bench, subject: RuleSubject, number: number): Promise<JsonObject> {
  const rules = await getRules(bench, subject);
  return rules[number % rules.length] ?? {};
}

/** A save of the rules of a column that changes one, deletes one and adds one. */
async function saveOfColumn(bench: Bench, subject: RuleSubject, number: number): Promise<Operation> {
  const { table, column } = await one(bench, subject, number);
  const source = await getRules(bench, subject);
  const before = source.filter((each) => each['table'] === table && each['column'] === column);
  const [first = {}, ...others] = before;
  const next = [
    { ...first, members: ['Changed'], allMembers: null },
    ...others.slice(1),
    { ...rule('New', 'zoe'), table: getText(table), column: getText(column) },
  ];
  const handler = createDocumentHandler({
    kind: 'columnRules',
    subject,
    table: getText(table),
    column: getText(column),
  });
  return operation(handler.createWrites({ source, before, next, secret: () => undefined }));
}

type Deed = (bench: Bench, subject: RuleSubject, number: number) => Promise<Operation>;

const deeds: Readonly<Record<string, Deed>> = {
  'a new rule': async (_bench, subject, number) =>
    createRule(place, subject, {
      table: 'Stores',
      column: 'City',
      datatype: 'text',
      grant: { kind: 'only', members: [`M${number}`] },
      parties: [{ type: 'user', id: `u${number}` }],
    }),
  'a deleted rule': async (bench, subject, number) =>
    deleteRule(place, subject, getText((await one(bench, subject, number))['_id']), 'It'),
  'a changed rule': async (bench, subject, number) => {
    const old = await one(bench, subject, number);
    const ruleId = getText(old['_id']);
    const body = { ...old, members: ['Changed'], allMembers: null };
    return operation(
      subject.kind === 'live'
        ? createLiveRuleReplacement(subject, old, body)
        : [
            {
              endpoint: 'extractRules.update',
              params: { ruleId },
              body,
              target: { kind: 'rule', subject, ruleId },
            },
          ],
    );
  },
  'all rules of a column': async (bench, subject, number) => {
    const { table, column } = await one(bench, subject, number);
    return deleteColumnRules(place, subject, getText(table), getText(column));
  },
  'a saved column': saveOfColumn,
  'a change of many rules': async (bench, subject, number) => {
    const rules = await getRules(bench, subject);
    const deletes = rules.slice(0, 1 + (number % rules.length)).map((each, index) => ({ rule: each, index }));
    const adds = ['anna', 'ben'].map((user) => rule(`M${number}`, user));
    return changeManyRules(place, subject, { adds, deletes }, 300);
  },
};

describe('rules', () => {
  const step = fc.constantFrom('undo the last', 'undo the change', 'restore');

  test.each(Object.keys(deeds))(
    'property: after any undo, redo and restore, the rules are those of before or after: %s',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom<RuleSubject>(extract, live),
          fc.nat(20),
          fc.array(step, { minLength: 1, maxLength: 4 }),
          async (subject, number, steps) => {
            using bench = new Bench();
            const window = bench.open();
            const before = await said(bench, subject);
            const wanted = await deeds[name]?.(bench, subject, number);
            await apply(window.writer, wanted ?? operation([]));
            const entry = await latest(window);
            const after = await said(bench, subject);
            expect(after).not.toEqual(before);
            let isDone = true;
            for (const next of ['restore', ...steps, 'restore', 'restore']) {
              const target = next === 'undo the last' ? await latest(window) : entry;
              if (next === 'undo the change' && !isDone) {
                continue;
              }
              const { writer } = window;
              const back = await (next === 'restore' ? writer.planRestore(target) : writer.planUndo(target));
              await carryOut(window, target, back);
              isDone = next === 'undo the last' ? !isDone : false;
              expect(await said(bench, subject), next).toEqual(isDone ? after : before);
            }
          },
        ),
        { numRuns: getPropertyRuns(4) },
      );
    },
  );

  test('a restored live rule stands alone, and replaces the other one', async () => {
    using bench = new Bench();
    const window = bench.open();
    const [old = {}] = (await getRules(bench, live)).filter(
      ({ members }) => itemsOfTexts(members).length === 2,
    );
    await apply(
      window.writer,
      operation(createLiveRuleReplacement(live, old, { ...old, members: ['France'] })),
    );
    const entry = await latest(window);
    const back = await window.writer.planRestore(entry);
    expect(back.operation.writes.map(({ endpoint, step: kind }) => [endpoint, kind])).toEqual([
      ['liveRules.create', 'replaced'],
      ['liveRules.delete', 'replaced'],
    ]);
    await carryOut(window, entry, back);
    const groupIds = getObjects(old['shares']).map(({ partyId }) => getText(partyId));
    for (const groups of ['union', 'intersection'] as const) {
      const access = effectiveAccess(await getRules(bench, live), { groupIds }, { groups });
      const own = access.find(({ table, column }) => table === old['table'] && column === old['column']);
      expect(own?.values).toEqual(old['members']);
    }
  });

  test('a restored rename leaves no second live rule', async () => {
    using bench = new Bench();
    const window = bench.open();
    const before = await said(bench, live);
    const [old = {}] = await getRules(bench, live);
    const renamed = createLiveRuleReplacement(live, old, { ...old, column: 'Renamed' });
    await apply(window.writer, operation([updateTable('Orders', { description: 'x' }), ...renamed]));
    const entry = await latest(window);
    for (let time = 0; time < 2; time += 1) {
      await carryOut(window, entry, await window.writer.planRestore(entry));
      expect(await said(bench, live)).toEqual(before);
    }
  });

  test('a rule that another user has deleted since is not deleted again', async () => {
    using bench = new Bench();
    const window = bench.open();
    await apply(window.writer, (await deeds['a new rule']?.(bench, extract, 1)) ?? operation([]));
    const entry = await latest(window);
    const made = (await getRules(bench, extract)).find(({ column }) => column === 'City');
    await bench.client.extractRules.delete({ ruleId: getText(made?.['_id']) });
    const back = await window.writer.planUndo(entry);
    expect(await failure(carryOut(window, entry, { ...back, operation: entry.operation }))).toMatchObject({
      name: 'ConflictError',
    });
    expect((await window.writer.planRestore(entry)).operation.writes).toEqual([]);
  });
});

const itemsOfTexts = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

describe('many rules behind a gateway with a low request size limit', () => {
  const many = 600;
  const rules = Array.from({ length: many }, (_, index) => rule(`City ${index}`, `u${index}`));

  async function deleted(bench: Bench) {
    const window = bench.open();
    await bench.client.extractRules.create(extract, rules);
    const before = await said(bench, extract);
    await apply(window.writer, deleteColumnRules(place, extract, 'Stores', 'City'));
    bench.sandbox.faults.set([{ kind: 'bodyLimit', bytes: 20_000 }]);
    return { window, before, entry: await latest(window) };
  }

  test('those of a column are restored, in as many requests as needed; a restore adds none', async () => {
    using bench = new Bench();
    const { window, before, entry } = await deleted(bench);
    await carryOut(window, entry, await window.writer.planUndo(entry));
    expect(await said(bench, extract)).toEqual(before);
    for (let time = 0; time < 2; time += 1) {
      expect((await window.writer.planRestore(entry)).operation.writes).toEqual([]);
    }
  });

  test('rules restored before an interruption are not restored again', async () => {
    using bench = new Bench();
    const { window, before, entry } = await deleted(bench);
    const back = await window.writer.planUndo(entry);
    let passing = 5;
    bench.lose = () => (passing-- > 0 ? undefined : 'request');
    await failure(inTime(bench, carryOut(window, entry, back)));
    bench.lose = () => undefined;
    const between = (await getRules(bench, extract)).filter(({ column }) => column === 'City').length;
    expect(between).toBeGreaterThan(0);
    expect(between).toBeLessThan(many);
    await carryOut(window, entry, await window.writer.planRestore(entry));
    expect(await said(bench, extract)).toEqual(before);
  });
});
