import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createCellEditOperation } from '../../../../src/changes/operations/ruleMatrixActions.ts';
import { getValueKey } from '../../../../src/security/matrix/cellText.ts';
import type { CellEdit } from '../../../../src/security/matrix/matrixDraft.ts';
import { getMatrixColumnKey, toMatrixParty } from '../../../../src/security/matrix/ruleMatrix.ts';

const location = { connectionId: 'c1', within: [] };
const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const createRule = (user: string, members: readonly string[]): JsonObject => ({
  _id: `rule of ${user}`,
  table: 'Stores',
  column: 'Region',
  datatype: 'text',
  members: [...members],
  allMembers: null,
  exclusionary: false,
  shares: [{ type: 'user', party: user }],
});
const getValue = (members: readonly string[]) =>
  members.length === 0 ? [] : [{ kind: 'only', values: new Set(members) } as const];

/** The edit of a cell; an empty list of members means that the cell has no rule. */
function createEdit(user: string, base: readonly string[], members: readonly string[]): CellEdit {
  const value = getValue(members);
  const column = {
    key: getMatrixColumnKey('Stores', 'Region'),
    table: 'Stores',
    column: 'Region',
    datatype: 'text',
  } as const;
  return {
    party: toMatrixParty({ type: 'user', id: user }),
    column,
    value,
    canonicalKey: getValueKey(value),
    baseKey: getValueKey(getValue(base)),
  };
}
const createOperation = (rules: readonly JsonObject[], ...edits: readonly CellEdit[]) =>
  createCellEditOperation(location, subject, rules, edits);
const getEndpoints = (...args: Parameters<typeof createOperation>) => {
  const created = createOperation(...args);
  return typeof created === 'string' ? created : created.writes.map(({ endpoint }) => endpoint);
};

test('a new value of a cell is an update of its rule, a value in an empty cell a new rule, and no value a deletion', () => {
  const rules = [createRule('u1', ['North'])];
  expect(getEndpoints(rules, createEdit('u1', ['North'], ['South']))).toEqual(['extractRules.update']);
  expect(getEndpoints(rules, createEdit('u2', [], ['South']))).toEqual(['extractRules.create']);
  expect(getEndpoints(rules, createEdit('u1', ['North'], []))).toEqual(['extractRules.delete']);
});

test('cells that already have the wanted value need no request, even if another user has set it meanwhile', () => {
  expect(createOperation([])).toBe('unchanged');
  expect(createOperation([createRule('u1', ['South'])], createEdit('u1', ['North'], ['South']))).toBe(
    'unchanged',
  );
  expect(createOperation([], createEdit('u1', ['North'], []))).toBe('unchanged');
});

test('nothing is written over a cell to which another user has given another value', () => {
  const rules = [createRule('u1', ['East']), createRule('u2', ['North'])];
  const edits = [createEdit('u2', ['North'], ['South']), createEdit('u1', ['North'], ['South'])];
  expect(createOperation(rules, ...edits)).toBe('conflict');
  expect(createOperation([], createEdit('u1', ['North'], ['South']))).toBe('conflict');
});
