import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { getPartyId, type Rule } from '../../../src/contract/rule.ts';
import { type AccessBounds, getAccessBounds, effectiveAccess } from '../../../src/security/index.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { groups, parties, ruleSets, values } from './ruleSets.ts';
import { everything, only, rule } from './rules.ts';

type Party = (typeof parties)[number];

/** One choice for every open question. */
interface Reading {
  readonly lists: 'union' | 'intersection';
  /** Whether an empty list without allMembers means everything; otherwise it means nothing. */
  readonly emptyMeansEverything: boolean;
  /** Whether a party without a rule sees a column that has no default rule. */
  readonly seesWithoutRule: boolean;
}

const readings: readonly Reading[] = [false, true].flatMap((emptyMeansEverything) =>
  [false, true].flatMap((seesWithoutRule) =>
    (['union', 'intersection'] as const).map((lists) => ({ lists, emptyMeansEverything, seesWithoutRule })),
  ),
);

/**
 * True if a value is visible under one interpretation: decided for one value at a time, in the simplest way
 * (platform-facts.md, 3.3).
 */
function sees(set: readonly Rule[], { userId, groupIds }: Party, value: string, reading: Reading): boolean {
  const rulesFor = (type: string, ids: readonly (string | undefined)[]): readonly Rule[] =>
    set.filter(({ shares }) =>
      shares?.some((share) => share.type === type && (type === 'default' || ids.includes(getPartyId(share)))),
    );
  const user = rulesFor('user', userId === undefined ? [] : [userId]);
  const group = rulesFor('group', groupIds);
  if (user.length > 0 || group.length > 0) {
    return letsSee(user, value, reading) && letsSee(group, value, reading);
  }
  const defaults = rulesFor('default', []);
  return defaults.length === 0 ? reading.seesWithoutRule : letsSee(defaults, value, reading);
}

/** Whether rules of one type of share make a value visible; true if there are none. */
function letsSee(rules: readonly Rule[], value: string, { lists, emptyMeansEverything }: Reading): boolean {
  const kinds = rules.map((each) => {
    const { members = [], allMembers } = each;
    const isEmpty = (members?.length ?? 0) === 0;
    if (allMembers === true || (isEmpty && allMembers !== false && emptyMeansEverything)) {
      return { grant: 'list', has: true } as const;
    }
    if (isEmpty) {
      return { grant: 'nothing', has: false } as const;
    }
    const isBlock = 'exclusionary' in each && each.exclusionary === true;
    return { grant: isBlock ? 'block' : 'list', has: members?.includes(value) === true } as const;
  });
  if (kinds.some(({ grant, has }) => grant === 'nothing' || (grant === 'block' && has))) {
    return false;
  }
  const allowed = kinds.filter(({ grant }) => grant === 'list');
  return (
    allowed.length === 0 ||
    (lists === 'union' ? allowed.some(({ has }) => has) : allowed.every(({ has }) => has))
  );
}

function showsValue({ verdict, values: listed }: AccessBounds['atLeast'], value: string): boolean {
  return verdict === 'only' || verdict === 'none' ? listed.includes(value) : !listed.includes(value);
}

/**
 * Expects that a value is seen if the lower bound lets it through, and hidden if the upper bound does not. Returns which
 * of the cases it was, so that a test can show that all of them occurred.
 */
function expectInBounds(bounds: AccessBounds | undefined, value: string, isSeen: boolean): string {
  if (bounds === undefined) {
    expect.fail('There are no bounds');
  }
  const [atLeast, atMost] = [showsValue(bounds.atLeast, value), showsValue(bounds.atMost, value)];
  if (atLeast) {
    expect(isSeen, `"${value}" is certain to be seen`).toBe(true);
  }
  if (!atMost) {
    expect(isSeen, `"${value}" is certain to be hidden`).toBe(false);
  }
  return `${atLeast === atMost ? 'certain' : 'open'}, ${isSeen ? 'seen' : 'hidden'}`;
}

const everyCase = ['certain, hidden', 'certain, seen', 'open, hidden', 'open, seen'];

/**
 * Rules on one column; some are empty without allMembers, which clients interpret in two ways (platform-facts.md, 3.2).
 */
const rules = fc
  .tuple(ruleSets('Fact.Region'), fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }))
  .map(([set, unclear]) =>
    set.map((each, index) =>
      unclear[index] === true && index % 3 === 0 ? { ...each, members: [], allMembers: null } : each,
    ),
  );
const testedValues = [...values, 'elsewhere', 'never heard of'];

test('for every choice, the result equals the simple reference, and the bounds contain it', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(rules, fc.constantFrom(...parties), (set, party) => {
      for (const reading of readings) {
        const options = { groups: reading.lists };
        const [access] = effectiveAccess(set, party, options);
        const [bounds] = getAccessBounds(set, party, options);
        const [open] = getAccessBounds(set, party);
        expect([bounds === undefined, open === undefined]).toEqual([
          access === undefined,
          access === undefined,
        ]);
        for (const value of testedValues) {
          const isSeen = access === undefined || sees(set, party, value, reading);
          if (access !== undefined && access.verdict !== 'ambiguous') {
            expect(showsValue({ ...access, verdict: access.verdict }, value)).toBe(isSeen);
          }
          for (const limits of access === undefined ? [] : [bounds, open]) {
            seen.add(expectInBounds(limits, value, isSeen));
          }
        }
      }
    }),
    { numRuns: getPropertyRuns(400) },
  );
  expect([...seen].toSorted()).toEqual(everyCase);
});

test('if groups are unknown, bounds contain every membership, and certain results hold for all of them', () => {
  const memberships = groups.reduce<readonly (readonly string[])[]>(
    (all, group) => [...all, ...all.map((each) => [...each, group])],
    [[]],
  );
  const seen = new Set<string>();
  fc.assert(
    fc.property(rules, fc.constantFrom(...parties), (set, party) => {
      const [access] = effectiveAccess(set, { ...party, groupsUnknown: true });
      const [bounds] = getAccessBounds(set, { ...party, groupsUnknown: true });
      expect(bounds === undefined).toBe(access === undefined);
      if (access === undefined) {
        return;
      }
      const more = party.userId === undefined ? [[]] : memberships;
      for (const groupIds of more.map((each) => [...party.groupIds, ...each])) {
        for (const reading of readings) {
          for (const value of testedValues) {
            const isSeen = sees(set, { ...party, groupIds }, value, reading);
            seen.add(expectInBounds(bounds, value, isSeen));
            if (access.verdict !== 'ambiguous') {
              expect(isSeen).toBe(showsValue({ ...access, verdict: access.verdict }, value));
            }
          }
        }
      }
    }),
    { numRuns: getPropertyRuns(150) },
  );
  expect([...seen].toSorted()).toEqual(everyCase);
});

test('ten thousand groups, each with its own rules, on one column and on ten thousand columns', () => {
  const groupIds = Array.from({ length: 10_000 }, (_value, index) => `g${index}`);
  const groupRules = groupIds.map((id, index) => rule(only(`v${index}`, 'shared'), `group:${id}`));
  const [union] = effectiveAccess(groupRules, { userId: 'anna', groupIds }, { groups: 'union' });
  expect(union?.values).toHaveLength(10_001);
  expect(union?.because).toHaveLength(10_000);
  expect(effectiveAccess(groupRules, { groupIds }, { groups: 'intersection' })[0]?.values).toEqual([
    'shared',
  ]);
  const [bounds] = getAccessBounds(groupRules, { groupIds });
  expect([bounds?.atLeast.values, bounds?.atMost.values.length]).toEqual([['shared'], 10_001]);

  const columns = groupIds.map((id, index) =>
    rule({ ...everything, column: `Facts.c${index}` }, `group:${id}`),
  );
  const everywhere = effectiveAccess(columns, { groupIds });
  expect(everywhere).toHaveLength(10_000);
  expect(everywhere.every(({ verdict }) => verdict === 'all')).toBe(true);
});
