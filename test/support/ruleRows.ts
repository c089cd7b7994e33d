import type { JsonObject } from '../../src/base/json.ts';
import { type EffectiveAccess, effectiveAccess } from '../../src/security/index.ts';

/**
 * The rows of a table that each person sees, one number per query (person and interpretation of the platform). The
 * table has all pairs of values of the columns C and D; each bit of a number is a row.
 */
export type VisibleRows = readonly number[];

const values = ['a', 'b', 'c', 'other'] as const;
const users = [undefined, 'u1', 'u2', 'u3'];
const groupSets = [[], ['g1'], ['g2'], ['g1', 'g2']];

/** All combinations of users and groups that rules for u1, u2, u3, g1 and g2 can distinguish. */
const people = users.flatMap((userId) =>
  groupSets.map((groupIds) => ({ groupIds, ...(userId === undefined ? {} : { userId }) })),
);

/** The ways of combining lists of several groups, and whether an uncertain verdict shows everything or nothing. */
const readings = (['union', 'intersection'] as const).flatMap((groups) =>
  [true, false].map((doubt) => ({ groups, doubt })),
);

const queries = readings.flatMap((reading) => people.map((person) => ({ ...reading, person })));

/** The values of one column that each query returns, one bit per value. */
type Shown = readonly number[];

const known = new Map<string, Shown>();
const knownAtMost = 200_000;

function getVisibleBits(rules: readonly JsonObject[], column: string): Shown {
  const own = rules.filter((rule) => rule['column'] === column);
  const key = JSON.stringify(own.map(({ _id, ...rule }) => rule));
  const found = known.get(key);
  if (found !== undefined) {
    return found;
  }
  const shown = queries.map(({ person, groups, doubt }) => {
    const [access] = effectiveAccess(own, person, { groups });
    return values.reduce((bits, value, index) => bits | (shows(access, value, doubt) ? 1 << index : 0), 0);
  });
  if (known.size >= knownAtMost) {
    known.clear();
  }
  known.set(key, shown);
  return shown;
}

function shows(access: EffectiveAccess | undefined, value: string, doubt: boolean): boolean {
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
      return doubt;
  }
}

export function getVisibleRows(rules: readonly JsonObject[]): VisibleRows {
  const [inC, inD] = [getVisibleBits(rules, 'C'), getVisibleBits(rules, 'D')];
  return inC.map((bits, asking) =>
    values.reduce(
      (rows, _value, index) =>
        (bits & (1 << index)) === 0 ? rows : rows | ((inD[asking] ?? 0) << (index * values.length)),
      0,
    ),
  );
}

/** Returns the rows that may be visible during a change of rules: those that the old or the new rules show. */
export const getAllowedRows = (before: VisibleRows, after: VisibleRows): VisibleRows =>
  before.map((rows, index) => rows | (after[index] ?? 0));

/** Describes which people see rows that are not allowed, and which rows. */
export const findWiderAccess = (seen: VisibleRows, allowed: VisibleRows): readonly string[] =>
  seen.flatMap((rows, index) => {
    const more = rows & ~(allowed[index] ?? 0);
    return more === 0 ? [] : [`${JSON.stringify(queries[index])} ${more.toString(2)}`];
  });
