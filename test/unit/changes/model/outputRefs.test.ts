import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import type { OutputRef, ValuePath, Write } from '../../../../src/changes/model/operation.ts';
import {
  MissingOutputError,
  getValueAt,
  resolveOutputs,
  setValueAt,
} from '../../../../src/changes/model/outputRefs.ts';
import { getRuleIdChanges, resolveRestoredIds } from '../../../../src/changes/model/ruleIdChanges.ts';

const value = { oid: 'x', columns: [{ name: 'A', oid: '1' }, 'B', { name: 'C', oid: '3' }], empty: null };

describe('a path', () => {
  test.each<readonly [ValuePath, JsonValue | undefined]>([
    [[], value],
    [['oid'], 'x'],
    [['columns', 0, 'oid'], '1'],
    [['columns', 'C', 'oid'], '3'],
    [['columns', 'B'], undefined],
    [['columns', 9, 'oid'], undefined],
    [['nothing', 'oid'], undefined],
    [['oid', 'length'], undefined],
    [['empty', 'oid'], undefined],
    [['toString'], undefined],
  ])('%j leads to a value, or to none', (path, expected) => {
    expect(getValueAt(value, path)).toEqual(expected);
  });

  test.each<readonly [ValuePath, JsonValue]>([
    [[], 'new'],
    [['oid'], { ...value, oid: 'new' }],
    [['columns', 1], { ...value, columns: [value.columns[0] ?? null, 'new', value.columns[2] ?? null] }],
    [['empty', 'a', 'b'], { ...value, empty: { a: { b: 'new' } } }],
    [['other'], { ...value, other: 'new' }],
    [['columns', 7], value],
  ])('%j sets a value in a copy', (path, expected) => {
    const before = structuredClone(value);
    expect(setValueAt(value, path, 'new')).toEqual(expected);
    expect(value).toEqual(before);
  });
});

describe('a write that needs IDs from earlier writes', () => {
  const write: Write = {
    endpoint: 'relations.create',
    params: { datamodelId: '', other: 'o' },
    body: { columns: [{ table: '' }, { table: 't' }] },
    outputRefs: [
      { into: ['params', 'datamodelId'], write: 0, from: ['oid'] },
      { into: ['body', 'columns', 0, 'table'], write: 1, from: ['oid'] },
    ],
  };

  test('gets them from the responses', () => {
    expect(resolveOutputs(write, [{ oid: 'm' }, { oid: 't0' }])).toEqual({
      ...write,
      params: { datamodelId: 'm', other: 'o' },
      body: { columns: [{ table: 't0' }, { table: 't' }] },
    });
  });

  test('gets a body for them if it had none', () => {
    const { body: _body, ...others } = write;
    const outputRefs: readonly OutputRef[] = [{ into: ['body', 'id'], write: 0, from: [] }];
    expect(resolveOutputs({ ...others, outputRefs }, ['x']).body).toEqual({ id: 'x' });
  });

  test.each([undefined, null, {}, { oid: 7 }, { oid: '' }])('is not sent if a response is %j', (response) => {
    expect(() => resolveOutputs(write, [{ oid: 'm' }, response])).toThrow(MissingOutputError);
  });
});

describe('the rules whose ID has changed', () => {
  const subject = { kind: 'live', title: 'Desk' } as const;
  const target = { kind: 'rules', subject } as const;
  const creation: Write = { endpoint: 'liveRules.create', params: {}, target, step: 'replaced' };
  const deletion: Write = {
    endpoint: 'liveRules.delete',
    params: { ruleId: 'old' },
    target: { kind: 'rule', subject, ruleId: 'old' },
    step: 'replaced',
  };
  const { step: _additionStep, ...addition } = creation;
  const { step: _removalStep, ...removal } = deletion;
  const isDone = () => true;
  const find = (
    writes: readonly Write[],
    responses: readonly (JsonValue | undefined)[],
    options: Partial<Parameters<typeof getRuleIdChanges>[2]> = {},
  ) =>
    getRuleIdChanges(
      { connectionId: 'c', cause: 'save', subject: { name: '', within: [] }, writes },
      responses,
      { isDone, ...options },
    ).map(({ oldId, newId }) => [oldId, newId]);

  test('are the new versions of replaced rules, once the old ones are deleted', () => {
    expect(find([creation, deletion], [[{ _id: 'new' }]])).toEqual([['old', 'new']]);
    expect(find([creation, deletion], [[{ _id: 'new' }]], { isDone: (index) => index === 0 })).toEqual([]);
    expect(find([addition, deletion], [[{ _id: 'new' }]])).toEqual([]);
    expect(find([creation, removal], [[{ _id: 'new' }]])).toEqual([]);
  });

  test.each([[undefined], [[]], [[{ _id: '' }]], [[{ _id: 'old' }]], [[{ _id: 7 }]]])(
    'are none if the response is %j',
    (response) => {
      expect(find([creation, deletion], [response])).toEqual([]);
    },
  );

  test('include restored rules, but not other restored items', () => {
    const restoredIds = [
      { old: 'a', write: 0, from: [0, '_id'] },
      { old: 'b', write: 1, from: ['oid'] },
    ];
    const table: Write = { endpoint: 'tables.create', params: {} };
    expect(find([addition, table], [[{ _id: 'new' }], { oid: 'other' }], { restoredIds })).toEqual([
      ['a', 'new'],
    ]);
  });

  test('and other restored items are known only if the response has a new ID', () => {
    const restoredIds = ['a', 'b', 'c', 'd'].map((old, write) => ({ old, write, from: ['oid'] }));
    expect(resolveRestoredIds(restoredIds, [{ oid: 'a2' }, undefined, { oid: 'c' }, { oid: 7 }])).toEqual([
      ['a', 'a2'],
    ]);
    expect(resolveRestoredIds(undefined, [])).toEqual([]);
  });
});
