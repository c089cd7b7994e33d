import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashEffects } from '../../../../src/changes/run/effectsHash.ts';
import { computeAccessDifference } from '../../../../src/security/change/accessDifference.ts';
import { Memberships } from '../../../../src/security/membership/memberships.ts';

/** A rule of the instance; more parties, groups, and columns than a plan compares. */
interface ReturnedRule {
  readonly table: string;
  readonly column: string;
  readonly datatype: 'text';
  readonly members: readonly string[];
  readonly allMembers: null;
  readonly shares: readonly { readonly type: string; readonly partyId?: string }[];
}

/** What an instance returns, with lists in any order. */
interface ReturnedLists {
  readonly rules: readonly ReturnedRule[];
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly { readonly name: string }[];
  }[];
  readonly relations: readonly { readonly columns: readonly { table: string; column: string }[] }[];
  /** The groups of each user, by their ID; `undefined` if they are unknown. */
  readonly groupsByUser: readonly (readonly [string, readonly string[]])[] | undefined;
}

const [hub, deletedRelationTable] = ['T0', 'T1'] as const;
const tableNames = [hub, deletedRelationTable, 'T2', 'T3', 'T4'];
const columnNames = ['Id', 'A', 'B', 'C'];
const groupIds = Array.from({ length: 30 }, (_, index) => `g${String(index)}`);
const userIds = Array.from({ length: 8 }, (_, index) => `u${String(index)}`);

const share = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('group'), partyId: fc.constantFrom(...groupIds) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('user'), partyId: fc.constantFrom(...userIds) }) },
  { weight: 1, arbitrary: fc.constant({ type: 'default' }) },
);
const rule: fc.Arbitrary<ReturnedRule> = fc.record({
  table: fc.constantFrom(...tableNames),
  column: fc.constantFrom(...columnNames.slice(1)),
  datatype: fc.constant('text' as const),
  members: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
  allMembers: fc.constant(null),
  shares: fc.array(share, { minLength: 1, maxLength: 6 }),
});
const returnedLists: fc.Arbitrary<ReturnedLists> = fc.record({
  rules: fc.array(rule, { minLength: 5, maxLength: 40 }),
  tables: fc.constant(
    tableNames.map((name) => ({ name, columns: columnNames.map((column) => ({ name: column })) })),
  ),
  relations: fc.constant(
    tableNames.slice(1).map((table) => ({
      columns: [
        { table: hub, column: 'Id' },
        { table, column: 'Id' },
      ],
    })),
  ),
  groupsByUser: fc.option(
    fc.tuple(...userIds.map((id) => fc.tuple(fc.constant(id), fc.subarray(groupIds, { maxLength: 12 })))),
    { nil: undefined },
  ),
});

/** Hashes the effects of deleting a relation and some rules. */
function hash({ rules, tables, relations, groupsByUser }: ReturnedLists): string {
  const groups = groupsByUser && new Map(groupsByUser);
  const difference = computeAccessDifference({
    before: { rules, catalog: { complete: true, tables, relations } },
    after: {
      rules: rules.filter(({ column }) => column !== 'A'),
      catalog: {
        complete: true,
        tables,
        relations: relations.filter(
          ({ columns }) => !columns.some(({ table }) => table === deletedRelationTable),
        ),
      },
    },
    memberships: groups && new Memberships((id) => groups.get(id), [...groups.values()]),
  });
  return hashEffects({ breaks: [] }, { subjects: [{ title: 'Retail', difference }], partyNames: new Map() });
}

/** Returns a function that reorders lists in a way that depends on a seed only. */
function createShuffle(seed: number): <Item>(items: readonly Item[]) => readonly Item[] {
  let state = seed;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647);
  return (items) =>
    items
      .map((item) => [next(), item] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, item]) => item);
}

function shuffleLists(
  { rules, tables, relations, groupsByUser }: ReturnedLists,
  seed: number,
): ReturnedLists {
  const shuffle = createShuffle(seed);
  return {
    rules: shuffle(rules).map((each) => ({
      ...each,
      members: shuffle(each.members),
      shares: shuffle(each.shares),
    })),
    tables: shuffle(tables).map((table) => ({ ...table, columns: shuffle(table.columns) })),
    relations: shuffle(relations).map(({ columns }) => ({ columns: shuffle(columns) })),
    groupsByUser: groupsByUser && shuffle(groupsByUser).map(([id, groups]) => [id, shuffle(groups)] as const),
  };
}

test('the hash of effects does not depend on the order of the returned lists', () => {
  fc.assert(
    fc.property(returnedLists, fc.integer({ min: 1, max: 2_147_483_646 }), (original, seed) => {
      expect(hash(shuffleLists(original, seed))).toBe(hash(original));
    }),
    { numRuns: 40 },
  );
});

test('the hash of effects changes if one of the rules that a change deletes shows something else', () => {
  fc.assert(
    fc.property(returnedLists, fc.integer({ min: 1, max: 2_147_483_646 }), (original, seed) => {
      const rules = original.rules.filter(({ column }) => column !== 'A');
      const createRule = (members: readonly string[]): ReturnedRule => ({
        table: hub,
        column: 'A',
        datatype: 'text',
        members,
        allMembers: null,
        shares: [{ type: 'group', partyId: 'g0' }],
      });
      const createLists = (...members: readonly string[]): ReturnedLists => ({
        ...original,
        rules: [...rules, createRule(members)],
      });
      expect(hash(shuffleLists(createLists('b'), seed))).not.toBe(hash(createLists('a')));
    }),
    { numRuns: 20 },
  );
});
