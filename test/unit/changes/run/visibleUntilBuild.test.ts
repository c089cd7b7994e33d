import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { english } from '../../../../src/base/localize.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import type { WriteState } from '../../../../src/changes/journal/entry.ts';
import { describeVisibleAfterStop } from '../../../../src/changes/messages/describeVisibleUntilBuild.ts';
import type { Operation, Write } from '../../../../src/changes/model/operation.ts';
import type { PlannedAccess } from '../../../../src/changes/model/plan.ts';
import { createViewpointUpdateWrite } from '../../../../src/changes/model/viewpointWrites.ts';
import {
  createColumnRulesDeletionWrite,
  createRuleUpdateWrite,
  createRuleWrites,
} from '../../../../src/changes/rules/ruleWrites.ts';
import {
  findVisibleUntilBuild,
  mayShowMoreUntilBuild,
} from '../../../../src/changes/run/visibleUntilBuild.ts';
import { computeAccessDifference } from '../../../../src/security/change/accessDifference.ts';
import { nothing, rule } from '../../security/rules.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const cubeSet = { ...retail, server: 'Set', elasticube: 'All' } as const;
/** The cast is safe: the rule contains no other values. */
const createRule = (id: string, column: string): JsonObject =>
  rule({ ...nothing, id, column }, 'default') as unknown as JsonObject;
const rules = [
  createRule('a', 'Customers.Segment'),
  createRule('b', 'Orders.Channel'),
  createRule('c', 'Stores.City'),
];
const before = [{ ref: { kind: 'rules', subject: retail } as const, document: rules }];
const build = { datamodel: 'Retail', isLive: false };

/** Everyone else gains these columns of Retail until the next build. */
const gain = (...columns: readonly string[]): PlannedAccess['subjects'][number] => {
  const { rows } = computeAccessDifference({
    before: { rules: columns.map((column) => createRule('x', column)) },
    after: { rules: [] },
  });
  const noDifference = computeAccessDifference({ before: { rules: [] }, after: { rules: [] } });
  return { title: 'Retail', difference: noDifference, untilBuild: { ...build, rows } };
};

/** Returns what is said after a stop, with the states of the writes. */
async function describeStop(
  writes: readonly Write[],
  states: readonly WriteState['state'][],
  access: PlannedAccess,
): Promise<readonly string[]> {
  const plan = { loadAccess: async () => access };
  const planHash = { payload: '', base: '', effects: '' };
  const visibleUntilBuild = await findVisibleUntilBuild(plan, writes, before, planHash);
  const operation: Operation = {
    connectionId: 'c',
    cause: 'apply',
    subject: { name: 'P', within: [] },
    ...visibleUntilBuild,
    writes,
  };
  const progress = { operation, writeStates: states.map((state): WriteState => ({ state }) as WriteState) };
  const texts = describeVisibleAfterStop(english, progress);
  expect(mayShowMoreUntilBuild(progress)).toBe(texts.length > 0);
  return texts;
}

const visible = (names: string) => [`Until Retail is built, more data might be visible: ${names}.`];

describe('after a stop, only what its writes may show is visible until the next build', () => {
  const deletions = ['a', 'b'].flatMap((id, index) =>
    createRuleWrites(retail, { adds: [], deletes: [{ index, rule: { _id: id } }] }),
  );
  const access = { subjects: [gain('Customers.Segment', 'Orders.Channel')], partyNames: new Map() };

  test('by the columns of their rules', async () => {
    expect(await describeStop(deletions, ['waiting', 'waiting'], access)).toEqual([]);
    expect(await describeStop(deletions, ['done', 'waiting'], access)).toEqual(visible('Customers.Segment'));
    expect(await describeStop(deletions, ['failed', 'unknown'], access)).toEqual(visible('Orders.Channel'));
    expect(await describeStop(deletions, ['done', 'done'], access)).toEqual(
      visible('Customers.Segment and Orders.Channel'),
    );
  });

  test('also by rules that leave a column, and if all rules of a column are deleted', async () => {
    const writes = [
      createRuleUpdateWrite(retail, createRule('a', 'Customers.Kind')),
      createColumnRulesDeletionWrite(retail, 'Orders', 'Channel'),
    ];
    expect(await describeStop(writes, ['done', 'waiting'], access)).toEqual(visible('Customers.Segment'));
    expect(await describeStop(writes, ['waiting', 'done'], access)).toEqual(visible('Orders.Channel'));
  });

  test('a column that no rule of the change is on is visible after any change of old rules', async () => {
    const others = { ...access, subjects: [gain('Products.Brand')] };
    const created = createRuleWrites(retail, { adds: [createRule('', 'Stores.Name')], deletes: [] });
    const writes = [...created, ...deletions];
    expect(await describeStop(writes, ['done', 'waiting', 'waiting'], others)).toEqual([]);
    expect(await describeStop(writes, ['done', 'waiting', 'done'], others)).toEqual(
      visible('Products.Brand'),
    );
  });

  test('rules of a cube set may be on a column of any datamodel, those of another datamodel are not', async () => {
    const deletion = (subject: RuleSubject) =>
      createColumnRulesDeletionWrite(subject, 'Customers', 'Segment');
    const writes = [deletion(cubeSet), deletion({ ...retail, elasticube: 'Other' })];
    expect(await describeStop(writes, ['done', 'waiting'], access)).toEqual(
      visible('Customers.Segment and Orders.Channel'),
    );
    expect(await describeStop(writes, ['waiting', 'done'], access)).toEqual([]);
  });

  test('viewpoints are visible once one was written', async () => {
    const viewpoint = createViewpointUpdateWrite({ viewpointId: 'v' }, { enabled: true });
    const shown = { ...access, viewpointsUntilBuild: [{ ...build, viewpoint: 'New' }] };
    const writes = [...deletions, viewpoint];
    expect(await describeStop(writes, ['done', 'waiting', 'waiting'], shown)).toEqual(
      visible('Customers.Segment'),
    );
    expect(await describeStop(writes, ['waiting', 'waiting', 'done'], shown)).toEqual(
      visible('viewpoint New'),
    );
  });

  test('a journal without the writes that show it names all of it after any of them', () => {
    const visibleUntilBuild = [{ ...build, data: ['Customers.Segment'], viewpoints: [] }];
    const operation: Operation = {
      connectionId: 'c',
      cause: 'apply',
      subject: { name: 'P', within: [] },
      visibleUntilBuild,
      writes: deletions,
    };
    const describeWith = (...states: readonly WriteState['state'][]) =>
      describeVisibleAfterStop(english, {
        operation,
        writeStates: states.map((state): WriteState => ({ state }) as WriteState),
      });
    expect(describeWith('waiting', 'waiting')).toEqual([]);
    expect(describeWith('waiting', 'done')).toEqual(visible('Customers.Segment'));
  });
});
