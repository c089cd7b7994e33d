import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EffectiveAccess, effectiveAccess } from '../../../src/security/index.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { parties, ruleSets, values } from './ruleSets.ts';
import { type Fact, SqlAccessReference } from './sqlAccessReference.ts';

const cells = [...values, null];
/** Every value of one column combined with every value of the other. */
const facts: readonly Fact[] = cells.flatMap((_value, region) =>
  cells.map((_other, segment) => ({ region, segment })),
);
const rules = ruleSets('Fact.Region', 'Fact.Segment', 'Fact.region', 'Other.Region');

/**
 * True if a verdict makes a value visible; without a matching rule nothing is restricted, as in the platform's engine.
 */
function showsValue({ verdict, values: listed }: EffectiveAccess, value: string | null): boolean {
  switch (verdict) {
    case 'only':
      return value !== null && listed.includes(value);
    case 'except':
      return value === null || !listed.includes(value);
    case 'none':
      return false;
    case 'all':
    case 'ambiguous':
      return true;
  }
}

function listVisibleRows(access: readonly EffectiveAccess[]): readonly number[] {
  const findAccess = (name: string) =>
    access.find(({ table, column }) => table === 'Fact' && column === name);
  const [region, segment] = [findAccess('Region'), findAccess('Segment')];
  return facts.flatMap((fact, id) =>
    (region === undefined || showsValue(region, cells[fact.region] ?? null)) &&
    (segment === undefined || showsValue(segment, cells[fact.segment] ?? null))
      ? [id]
      : [],
  );
}

const isUncertain = ({ verdict }: EffectiveAccess): boolean => verdict === 'ambiguous';

test('rules show a party exactly what SQL finds, row by row', () => {
  using reference = new SqlAccessReference(cells, facts);
  const verdicts = new Set<string>();
  let comparisonCount = 0;
  fc.assert(
    fc.property(rules, (ruleSet) => {
      for (const party of parties) {
        const accessWithoutChoice = effectiveAccess(ruleSet, party);
        for (const groups of ['union', 'intersection'] as const) {
          const access = effectiveAccess(ruleSet, party, { groups });
          const rows = reference.findVisibleRows(ruleSet, party, groups);
          expect(listVisibleRows(access)).toEqual(rows);
          expect(access.filter(isUncertain).flatMap(({ because }) => because)).toEqual([]);
          // A result that is certain without a choice holds for either choice.
          if (!accessWithoutChoice.some((each) => isUncertain(each) && each.because.length > 0)) {
            expect(listVisibleRows(accessWithoutChoice)).toEqual(rows);
          }
        }
        accessWithoutChoice.forEach(({ verdict }) => verdicts.add(verdict));
        comparisonCount += 1;
      }
    }),
    { numRuns: getPropertyRuns(350) },
  );
  expect([...verdicts].sort()).toEqual(['all', 'ambiguous', 'except', 'none', 'only']);
  expect(comparisonCount).toBe(getPropertyRuns(350) * parties.length);
});
