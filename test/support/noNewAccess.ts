import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { ListCombination } from '../../src/security/columnAccess.ts';
import { effectiveAccess } from '../../src/security/index.ts';
import { readRules } from '../../src/security/readRules.ts';

/**
 * Expects that the current rules show no party a value that neither the old nor the new rules show it, on any column, for
 * both ways of combining the lists of several groups.
 */
export function expectNoNewAccess(
  currentRules: readonly JsonObject[],
  oldRules: readonly JsonObject[],
  newRules: readonly JsonObject[],
): void {
  const rules = readRules([...oldRules, ...newRules]);
  const values = [
    ...new Set(rules.flatMap(({ grant }) => (grant === 'unclear' ? [] : [...grant.values]))),
    'Anything else',
  ];
  const columns = [...new Set(rules.map(({ table, column }) => `${table}.${column}`))];
  for (const party of getTestParties(rules)) {
    for (const groups of ['union', 'intersection'] as const) {
      const [isSeen, ...allowed] = [currentRules, oldRules, newRules].map((ruleSet) =>
        createVisibilityCheck(ruleSet, party, groups),
      );
      for (const column of columns) {
        const newlyVisible = values.filter(
          (value) =>
            isSeen?.(column, value) === true && !allowed.some((isAllowed) => isAllowed(column, value)),
        );
        expect(newlyVisible, JSON.stringify({ party, groups, column })).toEqual([]);
      }
    }
  }
}

interface TestParty {
  readonly userId?: string;
  readonly groupIds: readonly string[];
}

/** Returns the parties to check: users, groups, pairs of groups, users in groups, and one that has no rule. */
function getTestParties(rules: ReturnType<typeof readRules>): readonly TestParty[] {
  const getNamedIds = (type: string): readonly string[] => [
    ...new Set(
      rules.flatMap(({ parties }) =>
        parties.flatMap((party) => (party.type === type ? (party.id ?? []) : [])),
      ),
    ),
  ];
  const [users, groups] = [getNamedIds('user'), getNamedIds('group')];
  const pairs = groups.flatMap((group, index) => groups.slice(index).map((other) => [group, other]));
  return [
    { groupIds: [] },
    ...users.map((userId) => ({ userId, groupIds: [] })),
    ...pairs.map((groupIds) => ({ groupIds })),
    ...users.flatMap((userId) => groups.map((group) => ({ userId, groupIds: [group] }))),
  ];
}

/** Returns a function that checks whether a party sees a value of a column; uncertain access counts as seeing it. */
function createVisibilityCheck(rules: readonly JsonObject[], party: TestParty, groups: ListCombination) {
  const access = effectiveAccess(rules, party, { groups });
  return (name: string, value: string): boolean => {
    const columnAccess = access.find(({ table, column }) => `${table}.${column}` === name);
    switch (columnAccess?.verdict) {
      case 'none':
        return false;
      case 'only':
        return columnAccess.values.includes(value);
      case 'except':
        return !columnAccess.values.includes(value);
      case 'all':
      case 'ambiguous':
      case undefined:
        return true;
    }
  };
}
