import { toCanonicalText } from '../../base/canonicalJson.ts';
import { type JsonValue, parseLossless, stringify } from '../../base/json.ts';
import { sortByText } from '../../base/sortByText.ts';
import type { AccessDifferenceRow, VisibleValues } from '../../security/change/accessDifferenceRow.ts';
import { hashJson } from '../model/documentHash.ts';
import type { Plan, PlannedAccess } from '../model/plan.ts';
import { isSamePlanHash } from './runChecks.ts';
import { type PlanHash, PlanNeededError } from './writeErrors.ts';

/**
 * Returns a hash of what a plan says about its effects: what breaks, and who gains and who loses access. Doesn't
 * contain the names of users and groups, and doesn't depend on the order in which the server lists rules.
 * @param access `unknown` if it could not be computed; `undefined` if no one's access changes
 */
export const hashEffects = (
  { breaks }: Pick<Plan, 'breaks'>,
  access: PlannedAccess | 'unknown' | undefined,
): string =>
  hashJson(
    toJsonInFixedOrder({
      breaks,
      access: typeof access === 'object' ? toComparable(access) : (access ?? null),
    }),
  );

/**
 * Returns whether a plan has the effects with a hash; true if there is no hash.
 * @throws ApiError if its effects on access can't be computed, unless that was the case for the hash, too
 */
export async function matchesEffectsHash(
  plan: Pick<Plan, 'breaks' | 'loadAccess'>,
  effectsHash: string | undefined,
): Promise<boolean> {
  if (effectsHash === undefined) {
    return true;
  }
  let access: PlannedAccess | undefined;
  try {
    access = await plan.loadAccess();
  } catch (error) {
    if (effectsHash === hashEffects(plan, 'unknown')) {
      return true;
    }
    throw error;
  }
  return effectsHash === hashEffects(plan, access);
}

/**
 * Checks that a plan is the one that the user has confirmed.
 * @throws PlanNeededError if its payload, its documents, or its effects differ
 * @throws ApiError as {@link matchesEffectsHash}
 */
export async function checkConfirmed(
  { plan, planHash }: { readonly plan: Plan; readonly planHash: PlanHash },
  confirmed: PlanHash,
): Promise<void> {
  if (!(isSamePlanHash(confirmed, planHash) && (await matchesEffectsHash(plan, confirmed.effects)))) {
    throw new PlanNeededError(plan, planHash);
  }
}

const toComparable = ({ partyNames: _partyNames, subjects, ...access }: PlannedAccess) => ({
  ...access,
  subjects: subjects.map(({ difference, untilBuild, ...subject }) => ({
    ...subject,
    difference: { ...difference, rows: difference.rows.map(toComparableRow) },
    ...(untilBuild === undefined
      ? {}
      : { untilBuild: { ...untilBuild, rows: untilBuild.rows.map(toComparableRow) } }),
  })),
});

/** Leaves out the rules that a difference is computed from: their order and IDs don't matter. */
const toComparableRow = (row: AccessDifferenceRow) =>
  row.kind === 'column'
    ? { ...row, before: toVisibleValues(row.before), after: toVisibleValues(row.after) }
    : { ...row, before: toVisibleRows(row.before), after: toVisibleRows(row.after) };

const toVisibleRows = ({
  conditions,
  ...rows
}: Extract<AccessDifferenceRow, { kind: 'tables' }>['before']) => ({
  ...rows,
  conditions: conditions.map((condition) => ({ name: condition.name, ...toVisibleValues(condition) })),
});

const toVisibleValues = ({ access, bounds }: VisibleValues) => ({ access, bounds });

/** Converts a value to JSON, with lists and sets in an order that depends only on what they contain. */
function toJsonInFixedOrder(value: unknown): JsonValue {
  if (Array.isArray(value) || value instanceof Set) {
    return sortByText([...(value as Iterable<unknown>)].map(toJsonInFixedOrder), toCanonicalText);
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, member]) =>
          member === undefined ? [] : [[name, toJsonInFixedOrder(member)]],
        ),
      )
    : parseLossless(stringify(value ?? null));
}
