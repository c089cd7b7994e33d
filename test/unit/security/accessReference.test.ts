import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { getPartyId, type Rule } from '../../../src/contract/rule.ts';
import { type AccessBounds, getAccessBounds, effectiveAccess } from '../../../src/security/index.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { groups, parties, ruleSets, values } from './ruleSets.ts';
import { everything, only, rule } from './rules.ts';

type Party = (typeof parties)[number];

/** One answer to each question that the guide leaves open. */
interface Interpretation {
  readonly listCombination: 'union' | 'intersection';
  /** Whether an empty list without allMembers means everything; otherwise it means nothing. */
  readonly emptyMeansEverything: boolean;
  /** Whether a party without a rule sees a column that has no default rule. */
  readonly seesWithoutRule: boolean;
}

const interpretations: readonly Interpretation[] = [false, true].flatMap((emptyMeansEverything) =>
  [false, true].flatMap((seesWithoutRule) =>
    (['union', 'intersection'] as const).map((listCombination) => ({
      listCombination,
      emptyMeansEverything,
      seesWithoutRule,
    })),
  ),
);

/**
 * True if a value is visible under one interpretation: decided for one value at a time, in the simplest way
 * (platform-facts.md, 3.3).
 */
function isVisible(
  ruleSet: readonly Rule[],
  { userId, groupIds }: Party,
  value: string,
  interpretation: Interpretation,
): boolean {
  const getRulesFor = (type: string, ids: readonly (string | undefined)[]): readonly Rule[] =>
    ruleSet.filter(({ shares }) =>
      shares?.some((share) => share.type === type && (type === 'default' || ids.includes(getPartyId(share)))),
    );
  const userRules = getRulesFor('user', userId === undefined ? [] : [userId]);
  const groupRules = getRulesFor('group', groupIds);
  if (userRules.length > 0 || groupRules.length > 0) {
    return (
      isShownByRules(userRules, value, interpretation) && isShownByRules(groupRules, value, interpretation)
    );
  }
  const defaultRules = getRulesFor('default', []);
  return defaultRules.length === 0
    ? interpretation.seesWithoutRule
    : isShownByRules(defaultRules, value, interpretation);
}

/** Returns whether the rules of one type of share make a value visible; true if there are no rules. */
function isShownByRules(
  rules: readonly Rule[],
  value: string,
  { listCombination, emptyMeansEverything }: Interpretation,
): boolean {
  const kinds = rules.map((each) => {
    const { members = [], allMembers } = each;
    const isEmpty = (members?.length ?? 0) === 0;
    if (allMembers === true || (isEmpty && allMembers !== false && emptyMeansEverything)) {
      return { grant: 'list', includesValue: true } as const;
    }
    if (isEmpty) {
      return { grant: 'nothing', includesValue: false } as const;
    }
    const isExclusion = 'exclusionary' in each && each.exclusionary === true;
    return {
      grant: isExclusion ? 'exclusion' : 'list',
      includesValue: members?.includes(value) === true,
    } as const;
  });
  if (
    kinds.some(({ grant, includesValue }) => grant === 'nothing' || (grant === 'exclusion' && includesValue))
  ) {
    return false;
  }
  const allowed = kinds.filter(({ grant }) => grant === 'list');
  return (
    allowed.length === 0 ||
    (listCombination === 'union'
      ? allowed.some(({ includesValue }) => includesValue)
      : allowed.every(({ includesValue }) => includesValue))
  );
}

function showsValue({ verdict, values: listed }: AccessBounds['atLeast'], value: string): boolean {
  return verdict === 'only' || verdict === 'none' ? listed.includes(value) : !listed.includes(value);
}

/**
 * Expects that a value is seen if the lower bound lets it through, and hidden if the upper bound does not. Returns
 * which of the cases it was, so that a test can show that all of them occurred.
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
  return `${atLeast === atMost ? 'certain' : 'uncertain'}, ${isSeen ? 'seen' : 'hidden'}`;
}

const everyCase = ['certain, hidden', 'certain, seen', 'uncertain, hidden', 'uncertain, seen'];

/**
 * Rules on one column; some are empty without allMembers, which clients interpret in two ways (platform-facts.md, 3.2).
 */
const rules = fc
  .tuple(ruleSets('Fact.Region'), fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }))
  .map(([ruleSet, unclear]) =>
    ruleSet.map((each, index) =>
      unclear[index] === true && index % 3 === 0 ? { ...each, members: [], allMembers: null } : each,
    ),
  );
const testedValues = [...values, 'elsewhere', 'never heard of'];

test('for every interpretation, the result equals the simple reference, and the bounds contain it', () => {
  const occurredCases = new Set<string>();
  fc.assert(
    fc.property(rules, fc.constantFrom(...parties), (ruleSet, party) => {
      for (const interpretation of interpretations) {
        const options = { groups: interpretation.listCombination };
        const [access] = effectiveAccess(ruleSet, party, options);
        const [bounds] = getAccessBounds(ruleSet, party, options);
        const [boundsWithoutChoice] = getAccessBounds(ruleSet, party);
        expect([bounds === undefined, boundsWithoutChoice === undefined]).toEqual([
          access === undefined,
          access === undefined,
        ]);
        for (const value of testedValues) {
          const isSeen = access === undefined || isVisible(ruleSet, party, value, interpretation);
          if (access !== undefined && access.verdict !== 'ambiguous') {
            expect(showsValue({ ...access, verdict: access.verdict }, value)).toBe(isSeen);
          }
          for (const someBounds of access === undefined ? [] : [bounds, boundsWithoutChoice]) {
            occurredCases.add(expectInBounds(someBounds, value, isSeen));
          }
        }
      }
    }),
    { numRuns: getPropertyRuns(400) },
  );
  expect([...occurredCases].toSorted()).toEqual(everyCase);
});

test('if groups are unknown, bounds contain every membership, and certain results hold for all of them', () => {
  const memberships = groups.reduce<readonly (readonly string[])[]>(
    (all, group) => [...all, ...all.map((each) => [...each, group])],
    [[]],
  );
  const occurredCases = new Set<string>();
  fc.assert(
    fc.property(rules, fc.constantFrom(...parties), (ruleSet, party) => {
      const [access] = effectiveAccess(ruleSet, { ...party, groupsUnknown: true });
      const [bounds] = getAccessBounds(ruleSet, { ...party, groupsUnknown: true });
      expect(bounds === undefined).toBe(access === undefined);
      if (access === undefined) {
        return;
      }
      const possibleGroups = party.userId === undefined ? [[]] : memberships;
      for (const groupIds of possibleGroups.map((each) => [...party.groupIds, ...each])) {
        for (const interpretation of interpretations) {
          for (const value of testedValues) {
            const isSeen = isVisible(ruleSet, { ...party, groupIds }, value, interpretation);
            occurredCases.add(expectInBounds(bounds, value, isSeen));
            if (access.verdict !== 'ambiguous') {
              expect(isSeen).toBe(showsValue({ ...access, verdict: access.verdict }, value));
            }
          }
        }
      }
    }),
    { numRuns: getPropertyRuns(150) },
  );
  expect([...occurredCases].toSorted()).toEqual(everyCase);
});

test('ten thousand groups with their own rules are evaluated, on one column and on ten thousand columns', () => {
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

  const columnRules = groupIds.map((id, index) =>
    rule({ ...everything, column: `Facts.c${index}` }, `group:${id}`),
  );
  const columnAccess = effectiveAccess(columnRules, { groupIds });
  expect(columnAccess).toHaveLength(10_000);
  expect(columnAccess.every(({ verdict }) => verdict === 'all')).toBe(true);
});
