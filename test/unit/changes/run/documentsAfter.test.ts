import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import type { WriteState } from '../../../../src/changes/journal/entry.ts';
import { getDocumentsBefore, isCompleteResponse } from '../../../../src/changes/run/documentsAfter.ts';
import { StoppedError, getSubjectsChangedByOthers } from '../../../../src/changes/run/writeErrors.ts';
import { createOperation, createTableRef, createTableUpdate } from './support.ts';

const orders = createTableRef('Orders');
const ruleRef = { kind: 'rule', subject: { kind: 'live', title: 'Desk' }, ruleId: 'r' } as const;
const createDoneState = (answer?: JsonValue): WriteState => ({
  state: 'done',
  path: '',
  ms: 0,
  ...(answer === undefined ? {} : { answer }),
});

describe('a response is the complete document', () => {
  const rule = { _id: 'r', members: ['x'], shares: [{ type: 'user', partyId: 'u' }] };
  test.each<readonly [string, JsonValue | undefined, JsonValue | undefined, boolean]>([
    ['with all members that it had', { a: 2, b: 1 }, { a: 1, b: 1 }, true],
    ['with further members', { a: 2, c: 1 }, { a: 1 }, true],
    ['but not without one of them', { a: 2 }, { a: 1, b: 1 }, false],
    ['but not as text', 'a', { a: 1 }, false],
    ['but not without a response', undefined, { a: 1 }, false],
    ['but not if there was no document', { a: 1 }, undefined, false],
  ])('%s', (_text, response, previous, expected) => {
    expect(isCompleteResponse(response, previous, orders)).toBe(expected);
  });

  test.each<readonly [string, JsonObject, JsonObject, boolean]>([
    ['of the same rule', rule, rule, true],
    ['but not of a rule with another ID', { ...rule, _id: 's' }, rule, false],
    ['but not with its parties in another field', { ...rule, shares: [{ party: 'u' }] }, rule, false],
    [
      'with its parties in one of two fields',
      rule,
      { ...rule, shares: [{ party: 'u' }, { partyId: 'u' }] },
      true,
    ],
    ['without parties', { ...rule, shares: [{ type: 'default' }] }, rule, true],
    ['with parties that are no list', { ...rule, shares: null }, rule, true],
  ])('%s', (_text, response, previous, expected) => {
    expect(isCompleteResponse(response, previous, ruleRef)).toBe(expected);
    expect(isCompleteResponse(response, previous, orders)).toBe(true);
  });
});

describe('the documents right before a write', () => {
  const before = [
    { ref: orders, document: { oid: '1', name: 'A' } },
    { ref: createTableRef('Stores'), document: { oid: '2', name: 'B' } },
  ];
  const operation = createOperation(
    ['Orders', 'Stores', 'Orders', 'Orders'].map((table) => createTableUpdate(table, {})),
  );
  const getNames = (index: number, ...states: readonly WriteState[]) =>
    getDocumentsBefore(index, operation, { before, states }).map(
      ({ document }) => (document as JsonObject)['name'],
    );
  const [first, second] = [
    createDoneState({ oid: '1', name: 'A1' }),
    createDoneState({ oid: '2', name: 'B1' }),
  ];

  test('are as their own earlier writes left them', () => {
    expect(getNames(0, first, second)).toEqual(['A', 'B']);
    expect(getNames(1, first, second)).toEqual(['A1', 'B']);
    expect(getNames(2, first, second)).toEqual(['A1', 'B1']);
    expect(getNames(3, first, second, createDoneState({ oid: '1', name: 'A2' }))).toEqual(['A2', 'B1']);
  });

  test.each([
    createDoneState(),
    createDoneState({ name: 'A1' }),
    createDoneState('text'),
    { state: 'sending' } as const,
  ])('are as before if the result of an earlier write is %j', (state) => {
    expect(getNames(1, state)).toEqual(['A', 'B']);
  });
});

describe('the report of an operation', () => {
  const failed = { state: 'failed', path: '', ms: 0 } as const;
  const createReport = (...writes: readonly WriteState[]) => ({
    entryId: 'e',
    operation: createOperation(writes.map(() => createTableUpdate('Orders', {}))),
    writeStates: writes,
    documents: [],
  });

  test.each<readonly [string, readonly WriteState[], boolean]>([
    ['if its only write failed', [failed], true],
    ['if others still wait', [failed, { state: 'waiting' }], true],
    ['but not if a write is done', [createDoneState(), failed], false],
    ['but not if an outcome is unknown', [{ ...failed, state: 'unknown' }], false],
    ['but not while a write is being sent', [{ state: 'sending' }], false],
    ['but not if a part of a write was done', [{ ...failed, partly: true }], false],
    ['but not if access is denied', [{ ...failed, denied: 'open' }], false],
  ])('says that nothing was changed %s', (_text, writes, expected) => {
    expect(new StoppedError(createReport(...writes), new Error('No')).changedNothing).toBe(expected);
  });

  test('names the datamodels whose rules others have changed at the same time', () => {
    const { subject } = ruleRef;
    const writes = [
      { ...createTableUpdate('Orders', {}), target: ruleRef },
      { ...createTableUpdate('Orders', {}), target: { kind: 'rules', subject } as const },
      createTableUpdate('Orders', {}),
    ];
    const doneBesideOthers = { ...createDoneState(), metOthers: true } as WriteState;
    const getSubjects = (...states: readonly WriteState[]) =>
      getSubjectsChangedByOthers({ operation: createOperation(writes), writeStates: states });
    expect(getSubjects(createDoneState(), doneBesideOthers, createDoneState())).toEqual([subject]);
    expect(getSubjects(doneBesideOthers, { state: 'waiting' }, doneBesideOthers)).toEqual([subject]);
    expect(getSubjects(createDoneState(), createDoneState(), createDoneState())).toEqual([]);
    expect(getSubjects()).toEqual([]);
  });
});
