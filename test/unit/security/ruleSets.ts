import * as fc from 'fast-check';
import type { Rule } from '../../../src/contract/rule.ts';

/** Realistic and misleading values: blanks, capitals, quotes, numbers, an emoji, the word null. */
export const values = [
  'North',
  'north',
  ' North',
  "O'Brien",
  '1',
  '01',
  '',
  'null',
  '🧭',
  'North,South',
] as const;

const content = fc.oneof(
  { weight: 5, arbitrary: createListContent(null, false) },
  { weight: 3, arbitrary: createListContent(null, true) },
  { weight: 1, arbitrary: createListContent(undefined, undefined) },
  { weight: 2, arbitrary: fc.constant({ members: [] as string[], allMembers: true, exclusionary: false }) },
  { weight: 1, arbitrary: createListContent(true, true) },
  { weight: 2, arbitrary: fc.constant({ members: [] as string[], allMembers: false, exclusionary: null }) },
);

function createListContent(allMembers: true | null | undefined, exclusionary: boolean | undefined) {
  return fc
    .subarray([...values, 'elsewhere'], { minLength: 1, maxLength: 5 })
    .map((members) => ({ members, allMembers, exclusionary }));
}

export const users = ['anna', 'ben', 'red'] as const;
export const groups = ['red', 'blue', 'Red'] as const;

const share = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('user'), fc.constantFrom(...users)) },
  { weight: 5, arbitrary: fc.tuple(fc.constant('group'), fc.constantFrom(...groups)) },
  { weight: 2, arbitrary: fc.constant(['default', undefined] as const) },
);

const shares = fc
  .tuple(fc.array(share, { maxLength: 3 }), fc.constantFrom('party', 'partyId'))
  .map(([pairs, key]) =>
    pairs.map(([type, party]) => ({ type, ...(party === undefined ? {} : { [key]: party }) })),
  );

/** Sets of rules on some columns, each written `Table.Column`; every rule has one certain meaning. */
export const ruleSets = (...columns: readonly string[]): fc.Arbitrary<Rule[]> =>
  fc.array(
    fc
      .record({ columnName: fc.constantFrom(...columns), content, shares })
      .map(({ columnName, content: parts, shares: ruleShares }) => {
        const [table = '', column = ''] = columnName.split('.');
        return { table, column, datatype: 'text', ...parts, shares: ruleShares };
      }),
    { maxLength: 9 },
  );

/** All parties that the rules of {@link ruleSets} can distinguish. */
export const parties: readonly { readonly userId?: string; readonly groupIds: readonly string[] }[] = [
  { groupIds: [] },
  { groupIds: ['red'] },
  { userId: 'anna', groupIds: [] },
  { userId: 'anna', groupIds: ['red'] },
  { userId: 'ben', groupIds: ['red', 'blue'] },
  { userId: 'carl', groupIds: ['red', 'blue', 'Red'] },
  { userId: 'red', groupIds: ['blue', 'Red'] },
];
