import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { RequiredRules } from '../../../../src/changes/rules/requiredRules.ts';
import { checkRequiredRules } from '../../../../src/changes/run/requiredRuleCheck.ts';

const getSubject = (model: number) =>
  ({ kind: 'extract', server: 'LocalHost', elasticube: `Model ${model}` }) as const;

/** Counts the reads of a member of an object. */
function countReads<T extends object>(object: T, member: keyof T, counter: { count: number }): T {
  return new Proxy(object, {
    get(target, name, receiver): unknown {
      counter.count += name === member ? 1 : 0;
      return Reflect.get(target, name, receiver);
    },
  });
}

const createRule = (index: number): JsonObject => ({
  _id: `rule ${index}`,
  table: 'New',
  column: `Column ${index}`,
  datatype: 'text',
  members: [],
  allMembers: false,
  shares: [{ type: 'default' }],
});

/** Renames the table Old to New in some datamodels, each with rules on the new name. */
function createRenames(modelCount: number, rules: readonly JsonObject[]) {
  const models = Array.from({ length: modelCount }, (_none, model) => model);
  const getTable = (model: number) =>
    ({ kind: 'table', datamodelId: `m${model}`, datasetId: 'd', tableId: `t${model}` }) as const;
  const writes = models.map(
    (model): Write => ({
      endpoint: 'tables.update',
      params: { datamodelId: `m${model}` },
      body: { name: 'New' },
      target: getTable(model),
    }),
  );
  const before = models.flatMap((model) => [
    { ref: getTable(model), document: { oid: `t${model}`, name: 'Old', columns: [] } },
    {
      ref: { kind: 'rules', subject: getSubject(model) } as const,
      document: rules,
      datamodels: [`m${model}`],
    },
  ]);
  return new RequiredRules(writes, before);
}

test('a write requires the rules of its own datamodel, and those of which the datamodel is unknown', () => {
  const table = { kind: 'table', datamodelId: 'm', datasetId: 'd', tableId: 't' } as const;
  const writes: readonly Write[] = [
    { endpoint: 'tables.update', params: { datamodelId: 'm' }, body: { name: 'New' }, target: table },
  ];
  const required = new RequiredRules(writes, [
    { ref: table, document: { oid: 't', name: 'Old', columns: [] } },
    ...[['m'], ['other'], [], undefined, ['other', 'm']].map((datamodels, model) => ({
      ref: { kind: 'rules', subject: getSubject(model) } as const,
      document: [createRule(model)],
      datamodels,
    })),
  ]);
  const subjects = required.getForWrite(0).map(({ subject }) => subject);
  expect(subjects).toHaveLength(3);
  expect(subjects).toEqual(expect.arrayContaining([0, 3, 4].map(getSubject)));
});

test.each([10, 40])('finding the rules of %i writes looks at each rule a few times', (count) => {
  const counter = { count: 0 };
  const rules = Array.from({ length: 10 }, (_none, index) => createRule(index));
  const required = createRenames(
    count,
    rules.map((rule) => countReads(rule, 'table', counter)),
  );
  const found = Array.from({ length: count }, (_none, index) => required.getForWrite(index));
  expect(found.map(({ length }) => length)).toEqual(found.map(() => rules.length));
  expect(counter.count).toBeLessThanOrEqual(8 * count * rules.length);
});

test.each([50, 200])('comparing %i rules with the current ones looks at each a few times', async (count) => {
  const rules = Array.from({ length: count }, (_none, index) => createRule(index));
  const counter = { count: 0 };
  const required = createRenames(1, rules)
    .getForWrite(0)
    .map((rule) => ({ ...rule, parsed: countReads(rule.parsed, 'columnKey', counter) }));
  expect(required).toHaveLength(count);
  await checkRequiredRules(required, { readDocument: () => Promise.resolve(rules) });
  expect(counter.count).toBeLessThanOrEqual(5 * count);
});
