import type { JsonObject } from '../../src/base/json.ts';
import { type EffectiveAccess, effectiveAccess } from '../../src/security/index.ts';

/**
 * The rows of a table that are visible, as one bit mask per query: a person under one interpretation of the rules. The
 * table has all pairs of values of the columns C and D; each bit is a row.
 */
export type VisibleRows = readonly number[];

const values = ['a', 'b', 'c', 'other'] as const;
const users = [undefined, 'u1', 'u2', 'u3'];
const groupSets = [[], ['g1'], ['g2'], ['g1', 'g2']];

/** All combinations of users and groups that rules for u1, u2, u3, g1 and g2 can distinguish. */
const people = users.flatMap((userId) =>
  groupSets.map((groupIds) => ({ groupIds, ...(userId === undefined ? {} : { userId }) })),
);

/**
 * The ways of combining lists of several groups, and whether uncertain access counts as access to everything or
 * nothing.
 */
const interpretations = (['union', 'intersection'] as const).flatMap((groups) =>
  [true, false].map((showsUncertain) => ({ groups, showsUncertain })),
);

const queries = interpretations.flatMap((interpretation) =>
  people.map((person) => ({ ...interpretation, person })),
);

/** The values of one column that are visible, as one bit mask per query. */
type VisibleBits = readonly number[];

const cache = new Map<string, VisibleBits>();
const maxCacheSize = 200_000;

function getVisibleBits(rules: readonly JsonObject[], column: string): VisibleBits {
  const columnRules = rules.filter((rule) => rule['column'] === column);
  const key = JSON.stringify(columnRules.map(({ _id, ...rule }) => rule));
  const cached = cache.get(key);
  if (cached !== undefined) {
    return cached;
  }
  const visibleBits = queries.map(({ person, groups, showsUncertain }) => {
    const [access] = effectiveAccess(columnRules, person, { groups });
    return values.reduce(
      (bits, value, index) => bits | (isVisible(access, value, showsUncertain) ? 1 << index : 0),
      0,
    );
  });
  if (cache.size >= maxCacheSize) {
    cache.clear();
  }
  cache.set(key, visibleBits);
  return visibleBits;
}

function isVisible(access: EffectiveAccess | undefined, value: string, showsUncertain: boolean): boolean {
  switch (access?.verdict) {
    case undefined:
    case 'all':
      return true;
    case 'none':
      return false;
    case 'only':
      return access.values.includes(value);
    case 'except':
      return !access.values.includes(value);
    case 'ambiguous':
      return showsUncertain;
  }
}

export function getVisibleRows(rules: readonly JsonObject[]): VisibleRows {
  const [inC, inD] = [getVisibleBits(rules, 'C'), getVisibleBits(rules, 'D')];
  return inC.map((bits, queryIndex) =>
    values.reduce(
      (rows, _value, index) =>
        (bits & (1 << index)) === 0 ? rows : rows | ((inD[queryIndex] ?? 0) << (index * values.length)),
      0,
    ),
  );
}

/** Returns the rows that may be visible during a change of rules: those that the old or the new rules show. */
export const getAllowedRows = (before: VisibleRows, after: VisibleRows): VisibleRows =>
  before.map((rows, index) => rows | (after[index] ?? 0));

/** Describes which people see rows that are not allowed, and which rows. */
export const findWiderAccess = (visible: VisibleRows, allowed: VisibleRows): readonly string[] =>
  visible.flatMap((rows, index) => {
    const extraRows = rows & ~(allowed[index] ?? 0);
    return extraRows === 0 ? [] : [`${JSON.stringify(queries[index])} ${extraRows.toString(2)}`];
  });
