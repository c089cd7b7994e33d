import { expect, test } from 'vitest';
import { findOverlappingRules } from '../../../src/security/change/overlappingRules.ts';
import { formatMatrixCell } from '../../../src/security/matrix/cellText.ts';
import { everything, nothing, only, rule } from './rules.ts';

const findOverlaps = (...input: Parameters<typeof findOverlappingRules>): readonly string[] =>
  findOverlappingRules(...input).map(
    ({ table, column, party, grants }) =>
      `${table}.${column} ${party.type}:${party.id} ${formatMatrixCell(grants)}`,
  );
const north = rule(only('North'), 'group:sales');

test('several added rules that give one party different access to a column are found', () => {
  const adds = [north, rule(everything, 'group:sales', 'user:anna'), rule(nothing, 'group:sales')];
  expect(findOverlaps([], { adds, deletes: [] })).toEqual([
    'Stores.Region group:sales North | All | Nothing',
  ]);
});

test('a rule that stays beside an added one is found, unless it is deleted or the same', () => {
  const adds = [rule(only('South'), 'group:sales')];
  expect(findOverlaps([north], { adds, deletes: [] })).toEqual(['Stores.Region group:sales North | South']);
  expect(findOverlaps([north], { adds, deletes: [{ index: 0, rule: north }] })).toEqual([]);
  expect(findOverlaps([north], { adds: [rule(only('North'), 'group:sales')], deletes: [] })).toEqual([]);
});

test('other parties, other columns, and rules that do not change are no overlap', () => {
  const adds = [
    rule(only('South'), 'user:sales'),
    rule({ ...only('South'), column: 'Stores.City' }, 'group:sales'),
  ];
  expect(
    findOverlaps([north, rule(nothing, 'user:ben'), rule(everything, 'user:ben')], { adds, deletes: [] }),
  ).toEqual([]);
});
