import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { GroupCombination } from '../../src/security/columnAccess.ts';
import { effectiveAccess } from '../../src/security/index.ts';
import { readRules } from '../../src/security/readRule.ts';

/**
 * Expects that no one sees anything that neither the old nor the new rules show, on any column, however groups are
 * combined.
 */
export function expectNoNewAccess(
  now: readonly JsonObject[],
  old: readonly JsonObject[],
  next: readonly JsonObject[],
): void {
  const rules = readRules([...old, ...next]);
  const values = [
    ...new Set(rules.flatMap(({ grant }) => (grant === 'unclear' ? [] : [...grant.values]))),
    'Anything else',
  ];
  const columns = [...new Set(rules.map(({ table, column }) => `${table}.${column}`))];
  for (const person of getPeople(rules)) {
    for (const groups of ['union', 'intersection'] as const) {
      const [isSeen, ...allowed] = [now, old, next].map((some) => getVisibleValues(some, person, groups));
      for (const column of columns) {
        const extra = values.filter(
          (value) =>
            isSeen?.(column, value) === true && !allowed.some((isAllowed) => isAllowed(column, value)),
        );
        expect(extra, JSON.stringify({ person, groups, column })).toEqual([]);
      }
    }
  }
}

interface Person {
  readonly userId?: string;
  readonly groupIds: readonly string[];
}

/** Everyone named by rules, each group and pair of groups, each user in each group, and a stranger. */
function getPeople(rules: ReturnType<typeof readRules>): readonly Person[] {
  const named = (type: string): readonly string[] => [
    ...new Set(
      rules.flatMap(({ parties }) =>
        parties.flatMap((party) => (party.type === type ? (party.id ?? []) : [])),
      ),
    ),
  ];
  const [users, groups] = [named('user'), named('group')];
  const pairs = groups.flatMap((one, index) => groups.slice(index).map((other) => [one, other]));
  return [
    { groupIds: [] },
    ...users.map((userId) => ({ userId, groupIds: [] })),
    ...pairs.map((groupIds) => ({ groupIds })),
    ...users.flatMap((userId) => groups.map((group) => ({ userId, groupIds: [group] }))),
  ];
}

/** The values of a column that a person sees; an uncertain verdict counts as everything. */
function getVisibleValues(rules: readonly JsonObject[], person: Person, groups: GroupCombination) {
  const access = effectiveAccess(rules, person, { groups });
  return (name: string, value: string): boolean => {
    const found = access.find(({ table, column }) => `${table}.${column}` === name);
    switch (found?.verdict) {
      case 'none':
        return false;
      case 'only':
        return found.values.includes(value);
      case 'except':
        return !found.values.includes(value);
      case 'all':
      case 'ambiguous':
      case undefined:
        return true;
    }
  };
}
