import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getColumnKey, parseColumnKey } from '../../../src/security/copy/columnMapping.ts';
import { createCopiedRules, type CopyOptions } from '../../../src/security/copy/createCopiedRules.ts';
import { readNamedParties } from '../../../src/security/copy/namedParties.ts';
import { readRules } from '../../../src/security/readRules.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { allBut, everything, nothing, only, rule } from './rules.ts';
import { ruleSets } from './ruleSets.ts';

const catalog = {
  complete: true,
  tables: [
    {
      name: 'Stores',
      columns: [{ name: 'region' }, { name: 'Country' }, { name: 'Open' }, { name: 'OPEN' }],
    },
  ],
};
const options: CopyOptions = { catalog, kind: 'live', columns: {}, rewritesExclusions: false };
const rules = [
  rule(only('North', 'South'), 'group:red'),
  rule(allBut('South'), 'user:anna'),
  rule(nothing, 'default'),
  rule({ ...only('DE'), column: 'Stores.Country' }, 'user:anna'),
  rule({ ...everything, column: 'Stores.open' }, 'user:anna'),
  rule({ ...everything, column: 'Shops.Name' }, 'user:anna'),
];

const copyAndFormat = (overrides: Partial<CopyOptions> = {}, list: readonly unknown[] = rules) => {
  const copied = createCopiedRules(list, { ...options, ...overrides });
  return {
    ...copied,
    mapping: copied.mapping.map(
      ({ source, target, ruleCount, matchedBy }) =>
        `${source.table}.${source.column} ${target === undefined ? '-' : `${target.table}.${target.column}`} ${ruleCount} ${matchedBy ?? ''}`,
    ),
    rules: copied.rules.map(
      ({ table, column, grant }) => `${table}.${column} ${grant.kind} ${[...grant.values].join('|')}`,
    ),
  };
};

describe('rules for another datamodel', () => {
  it('find the column of their name, ignoring case only if it is unambiguous', () => {
    expect(copyAndFormat().mapping).toEqual([
      'Stores.Region Stores.region 3 case',
      'Stores.Country Stores.Country 1 name',
      'Stores.open - 1 ',
      'Shops.Name - 1 ',
    ]);
  });

  it('go to the column that the user chooses, or are dropped', () => {
    const columns = {
      [getColumnKey({ table: 'Shops', column: 'Name' })]: { table: 'Stores', column: 'OPEN' },
      [getColumnKey({ table: 'Stores', column: 'Region' })]: null,
    };
    expect(copyAndFormat({ columns }).mapping).toEqual([
      'Stores.Region - 3 ',
      'Stores.Country Stores.Country 1 name',
      'Stores.open - 1 ',
      'Shops.Name Stores.OPEN 1 user',
    ]);
    expect(copyAndFormat({ columns }).exclusionCount).toBe(0);
  });

  it('keep the type of their values, if it is one that rules have', () => {
    const createRuleOfType = (datatype: unknown) => ({ ...rule(only('1'), 'user:anna'), datatype });
    const types = ['text', 'numeric', 'datetime', 7].map(
      (datatype) => createCopiedRules([createRuleOfType(datatype)], options).rules[0]?.datatype,
    );
    expect(types).toEqual(['text', 'numeric', undefined, undefined]);
  });

  it("turn hidden values into lists of the others only with the user's consent", () => {
    expect(copyAndFormat().exclusionCount).toBe(1);
    expect(copyAndFormat().rules.filter((each) => each.includes('except S'))).toEqual([
      'Stores.region except South',
    ]);
    expect(copyAndFormat({ rewritesExclusions: true }).rules.slice(0, 3)).toEqual([
      'Stores.region only North|South',
      'Stores.region only North',
      'Stores.region only ',
    ]);
    expect(copyAndFormat({ kind: 'extract', rewritesExclusions: true }).rules[1]).toBe(
      'Stores.region except South',
    );
  });

  it('with an unclear meaning are reported; without a catalog of the target, columns are mapped by name', () => {
    const unclearRule = { ...rule(only('x'), 'default'), members: [], allMembers: null };
    expect(copyAndFormat({ catalog: undefined }, [unclearRule]).unclearColumns).toEqual(['Stores.Region']);
    expect(copyAndFormat({ catalog: undefined }).mapping.every((line) => line.endsWith('name'))).toBe(true);
  });

  it('property: no rule is lost or added, and a rewritten rule shows no value that the old one hid', () => {
    const counts = { shown: 0, hidden: 0, rewritten: 0 };
    fc.assert(
      fc.property(ruleSets('Stores.Region', 'Stores.Segment'), (list) => {
        const copied = createCopiedRules(list, { ...options, catalog: undefined, kind: 'extract' });
        expect(copied.rules.length + copied.unclearColumns.length).toBe(list.length);
        const rewritten = createCopiedRules(list, {
          ...options,
          catalog: undefined,
          rewritesExclusions: true,
        });
        rewritten.rules.forEach(({ grant, table, column }, index) => {
          const originalRule = copied.rules[index];
          expect([table, column]).toEqual([originalRule?.table, originalRule?.column]);
          const showsValue = (value: string, copiedRule: typeof originalRule): boolean =>
            copiedRule !== undefined &&
            copiedRule.grant.values.has(value) === (copiedRule.grant.kind === 'only');
          for (const { grant: sourceGrant } of readRules(list)) {
            for (const value of sourceGrant === 'unclear' ? [] : sourceGrant.values) {
              const isShown = grant.values.has(value) === (grant.kind === 'only');
              counts[isShown ? 'shown' : 'hidden'] += 1;
              if (isShown) {
                expect(showsValue(value, originalRule), `rule ${index} showed ${value}`).toBe(true);
              }
            }
          }
          counts.rewritten += grant.kind === originalRule?.grant.kind ? 0 : 1;
        });
      }),
      { numRuns: getPropertyRuns(100) },
    );
    expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(50);
  });
});

describe('names', () => {
  it('of columns are parsed back from their keys', () => {
    expect(parseColumnKey(getColumnKey({ table: 'A"]', column: '🧭' }))).toEqual({
      table: 'A"]',
      column: '🧭',
    });
    for (const invalidKey of ['', '{', '{}', '5', '"ab"', '[]', '["a"]', '[1,2]', '["a",2]', '[1,"b"]']) {
      expect(parseColumnKey(invalidKey)).toBeNull();
    }
  });

  it('of parties are listed once each, if the server provides them', () => {
    const share = { type: 'group', partyId: 'g1', partyName: 'Sales' };
    expect(
      readNamedParties([{ shares: [share, { type: 'user', party: 'u' }] }, { shares: [share] }, null]),
    ).toEqual([{ type: 'group', id: 'g1', name: 'Sales' }]);
  });
});
