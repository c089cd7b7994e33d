import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, stringify } from '../../../../src/base/json.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { getRuleEdits, collectRules } from '../../../../src/changes/rules/ruleEdits.ts';
import { findRuleWriteGroup, getRuleWriteGroups } from '../../../../src/changes/rules/ruleWriteGroup.ts';
import {
  createColumnRulesDeletionWrite,
  createLiveRuleReplacementWrites,
  createRuleCreationWrite,
  createRuleDeletionWrite,
  createRuleUpdateWrite,
  createRuleWrites,
  isLiveReplacement,
} from '../../../../src/changes/rules/ruleWrites.ts';
import { createTableUpdate } from '../run/support.ts';

const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Shop' } as const;
const live = { kind: 'live', title: 'Desk' } as const;
const createRule = (_id: string, column = 'C'): JsonObject => ({
  _id,
  table: 'T',
  column,
  members: ['é'],
  shares: [],
});

describe('the writes of a change of many rules', () => {
  test('update, add, and delete', () => {
    const writes = createRuleWrites(extract, {
      updates: [{ before: createRule('u'), after: { ...createRule('u'), members: [] } }],
      adds: [createRule('a')],
      deletes: [{ index: 0, rule: createRule('d') }],
    });
    const target = { kind: 'rules', subject: extract };
    expect(writes).toEqual([
      createRuleUpdateWrite(extract, { ...createRule('u'), members: [] }),
      { ...createRuleCreationWrite(extract, [createRule('a')]), batch: {} },
      { endpoint: 'extractRules.delete', params: {}, target, batch: { ids: ['d'] } },
    ]);
    const liveWrites = createRuleWrites(live, {
      adds: [createRule('a')],
      deletes: [{ index: 0, rule: createRule('d') }],
    });
    expect(liveWrites.map(({ endpoint }) => endpoint)).toEqual(['liveRules.create', 'liveRules.delete']);
    expect(createRuleWrites(extract, { adds: [], deletes: [] })).toEqual([]);
  });

  test.each([undefined, '', 7])('refuse to delete, update, or replace a rule with the ID %j', (id) => {
    const { _id, ...withoutId } = createRule('');
    const rule = id === undefined ? withoutId : { ...withoutId, _id: id };
    const updates = [{ before: rule, after: rule }];
    for (const create of [
      () => createRuleWrites(extract, { adds: [], deletes: [{ index: 3, rule }] }),
      () => createRuleWrites(extract, { adds: [], deletes: [], updates }),
      () => createRuleWrites(live, { adds: [], deletes: [], updates }),
      () => createLiveRuleReplacementWrites(live, rule, createRule('new')),
    ]) {
      expect(create).toThrow(expect.objectContaining({ code: 'no-identifier', rule }));
    }
  });

  test('have bodies of the allowed size, as few as possible, and all rules in order', () => {
    const size = new TextEncoder().encode(stringify(createRule('0'))).length;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 1, max: 5 * size }),
        (count, maxBytes) => {
          const adds = Array.from({ length: count }, (_none, index) => createRule(String(index)));
          const writes = createRuleWrites(extract, { adds, deletes: [] }, maxBytes);
          const bodies = writes.map(({ body = null }) => getObjects(body));
          expect(bodies.flat()).toEqual(adds);
          // Brackets around the rules, and a comma between two of them.
          const rulesPerBody = Math.max(1, Math.floor((maxBytes - 1) / (size + 1)));
          expect(bodies.map(({ length }) => length)).toEqual(
            Array.from({ length: Math.ceil(count / rulesPerBody) }, (_none, index) =>
              Math.min(rulesPerBody, count - index * rulesPerBody),
            ),
          );
          expect(writes.every(({ batch }) => batch?.maxBytes === maxBytes)).toBe(true);
        },
      ),
    );
  });

  test('delete at most a thousand rules each', () => {
    const deletes = Array.from({ length: 2001 }, (_none, index) => ({
      index,
      rule: createRule(`r${index}`),
    }));
    const ids = createRuleWrites(extract, { adds: [], deletes }).map(({ batch }) => batch?.ids ?? []);
    expect(ids.map(({ length }) => length)).toEqual([1000, 1000, 1]);
    expect(ids.flat()).toEqual(deletes.map((each) => getText(each.rule['_id'])));
  });
});

test('only the two writes that replace one live rule are a replacement', () => {
  const [created, deleted, ...others] = createLiveRuleReplacementWrites(
    live,
    createRule('old'),
    createRule('new'),
  );
  if (created === undefined || deleted === undefined) {
    throw new Error('There are no writes');
  }
  expect(others).toEqual([]);
  expect(deleted.params).toEqual({ ruleId: 'old' });
  const { step: _created, ...addition } = created;
  const { step: _deleted, ...removal } = deleted;
  expect(isLiveReplacement([created, deleted])).toBe(true);
  for (const writes of [
    [],
    [created],
    [addition, deleted],
    [created, removal],
    [deleted, created],
    [created, created],
    [deleted, deleted],
    [created, deleted, removal],
  ]) {
    expect(isLiveReplacement(writes)).toBe(false);
  }
});

describe('the writes of one change of rules', () => {
  const liveCreation = createRuleCreationWrite(live, []);
  const extractCreation = createRuleCreationWrite(extract, []);
  const columnDeletion = createColumnRulesDeletionWrite(extract, 'T', 'C');
  const tableUpdate = createTableUpdate('Orders', {});

  test('are consecutive, and of one datamodel', () => {
    const writes = [
      extractCreation,
      extractCreation,
      liveCreation,
      extractCreation,
      tableUpdate,
      extractCreation,
      columnDeletion,
      extractCreation,
    ];
    expect(getRuleWriteGroups(writes).map(({ writeIndices }) => writeIndices)).toEqual([
      [0, 1],
      [2],
      [3],
      [5],
      [7],
    ]);
    expect(findRuleWriteGroup(writes, 1)).toEqual({ subject: extract, writeIndices: [0, 1] });
    expect(findRuleWriteGroup(writes, 4)).toBeUndefined();
    expect(findRuleWriteGroup(writes, 6)).toBeUndefined();
    expect(findRuleWriteGroup(writes, 9)).toBeUndefined();
    expect(getRuleWriteGroups([])).toEqual([]);
  });

  test('are edits that add, change, and delete known rules', () => {
    const previous = [createRule('a'), createRule('b'), createRule('c')];
    const writes = [
      createRuleCreationWrite(extract, [createRule('', 'D')]),
      createRuleUpdateWrite(extract, { ...createRule('a'), members: ['y'] }),
      createRuleUpdateWrite(extract, createRule('z')),
      createRuleDeletionWrite(extract, 'b'),
      { ...createRuleDeletionWrite(extract, ''), params: {}, batch: { ids: ['c', 'gone'] } },
      { ...createRuleCreationWrite(extract, [createRule('', 'E')]), step: 'replaced' as const },
      { ...createRuleCreationWrite(extract, [createRule('', 'F')]), step: 'guard' as const },
    ];
    const { edits, denyScopes } = getRuleEdits(
      { subject: extract, writeIndices: [...writes.keys()] },
      writes,
      previous,
    );
    expect(edits).toEqual([
      { after: createRule('', 'D'), discardsFormerFields: false, writeIndex: 0 },
      { before: createRule('a'), after: { ...createRule('a'), members: ['y'] }, writeIndex: 1 },
      { before: undefined, after: createRule('z'), writeIndex: 2 },
      { before: createRule('b'), writeIndex: 3 },
      { before: createRule('c'), writeIndex: 4 },
      { after: createRule('', 'E'), discardsFormerFields: true, writeIndex: 5 },
    ]);
    expect(denyScopes).toHaveLength(1);
    expect(denyScopes[0]).toContain('F');
  });

  test('are based on all rules of the datamodel that were read, each once', () => {
    const { _id, ...withoutId } = createRule('');
    const documents = [
      {
        ref: { kind: 'columnRules', subject: extract, table: 'T', column: 'C' },
        document: [createRule('a'), withoutId],
      },
      { ref: { kind: 'rules', subject: live }, document: [createRule('live')] },
      { ref: { kind: 'rule', subject: extract, ruleId: 'b' }, document: createRule('b') },
      { ref: { kind: 'rule', subject: extract, ruleId: 'gone' } },
      {
        ref: { kind: 'rules', subject: extract },
        document: [createRule('a'), { ...createRule('b'), members: ['later'] }],
      },
      { ref: { kind: 'datamodel', datamodelId: 'm' }, document: [createRule('x')] },
    ] as const;
    expect(collectRules(documents, extract)).toEqual([
      createRule('a'),
      { ...createRule('b'), members: ['later'] },
      withoutId,
    ]);
  });
});
