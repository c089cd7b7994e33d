import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { findChangedParts } from '../../../../src/project/apply/changedParts.ts';
import { createColumn, createCustomTable, createInstanceDocuments, createTable } from './compileSupport.ts';

const key = 'table/M/T';
const column = createColumn('T', 'K', { description: null });
const response = createTable('T', [column], { description: null, vTag: '1', configOptions: { a: 1 } });

/** @param writes the responses by endpoint; without a status, the document was read later */
const createEntry = (
  ...writes: readonly (readonly [
    endpoint: 'tables.create' | 'tables.update',
    answer: JsonObject | null,
    status?: number,
  ])[]
): HistoryEntry =>
  ({
    operation: { writes: writes.map(([endpoint]) => ({ endpoint, params: {} })) },
    writeStates: writes.map(([, answer, status]) => ({
      state: 'done',
      path: '',
      ms: 0,
      answer,
      ...(status === undefined ? {} : { status }),
    })),
  }) as unknown as HistoryEntry;

const find = (entry: HistoryEntry, current: JsonObject, isCreated = true): readonly string[] | undefined => {
  const documents = {
    cubeSets: [],
    viewpoints: [],
    customData: [],
    users: [],
    groups: [],
    datamodels: [],
    ...createInstanceDocuments([current]),
  };
  const parts = findChangedParts(entry, documents, new Set(isCreated ? [key] : [])).get(key);
  return parts && [...parts].toSorted();
};

describe('the parts that others have changed since an apply', () => {
  test('of a new table are those that differ from the response that created it', () => {
    const entry = createEntry(['tables.create', response, 201]);
    const { description: _description, ...members } = response;
    expect(find(entry, { ...members, vTag: '2' })).toEqual([]);
    expect(
      find(entry, {
        ...response,
        description: 'Theirs',
        configOptions: { a: 2 },
        columns: [{ ...column, hidden: true }, createColumn('T', 'L')],
      }),
    ).toEqual(['/columns/K', '/columns/L', '/configOptions', '/description']);
  });

  test('of a new table that was changed, too, are those that differ from the last response', () => {
    const entry = createEntry(
      ['tables.create', response, 201],
      ['tables.update', { oid: 'table T', description: 'Mine' }, 200],
    );
    expect(find(entry, { ...response, description: 'Mine' })).toEqual([]);
    expect(find(entry, response)).toEqual(['/description']);
    expect(find(entry, { ...response, description: 'Theirs' })).toEqual(['/description']);
  });

  test.each([
    ['was lost', createEntry(['tables.create', response])],
    ['was empty', createEntry(['tables.create', null, 201])],
    ['is not recorded', createEntry()],
  ])('are unknown of a new table if the response that created it %s', (_state, entry) => {
    expect(find(entry, { ...response, hidden: true })).toBeUndefined();
  });

  test('of a new table whose first response was lost are columns, if a later response has them', () => {
    const current = { ...response, description: 'Theirs', columns: [{ ...column, hidden: true }] };
    const create = (answer: JsonObject): HistoryEntry =>
      createEntry(['tables.create', response], ['tables.update', answer, 200]);
    expect(find(create({ oid: 'table T', description: 'Mine' }), current)).toEqual([]);
    expect(find(create(response), current)).toEqual(['/columns/K']);
  });

  test('are not the columns that a build has created', () => {
    const created = createCustomTable('T', []);
    expect(
      find(createEntry(['tables.create', created, 201]), createCustomTable('T', [createColumn('T', 'K')])),
    ).toEqual([]);
  });

  test('of a table that was only changed are columns, if the response has them', () => {
    const current = { ...response, description: 'Theirs', columns: [{ ...column, hidden: true }] };
    expect(find(createEntry(['tables.update', response, 200]), current, false)).toEqual(['/columns/K']);
    expect(find(createEntry(['tables.update', { oid: 'table T' }, 200]), current, false)).toEqual([]);
    expect(find(createEntry(), current, false)).toBeUndefined();
  });
});
