import { readRules } from '../readRules.ts';
import type { TableParty, TableRule } from './tableRule.ts';

/** A user or group in a table. */
type TableUserOrGroup = TableParty & { readonly type: 'user' | 'group' };

/** Returns the users and groups of a table that no rule of the datamodel names, so that their IDs must be looked up. */
export function getUnresolvedParties(
  rules: readonly TableRule[],
  currentRules: readonly unknown[],
): readonly TableUserOrGroup[] {
  const knownKeys = new Set(
    readRules(currentRules).flatMap(({ parties }) =>
      parties.map(({ type, id = '' }) => getTablePartyKey({ type, idOrName: id })),
    ),
  );
  const partiesByKey = new Map(
    rules.flatMap(({ parties }) => parties.map((party) => [getTablePartyKey(party), party] as const)),
  );
  return [...partiesByKey].flatMap(([key, party]) =>
    isUserOrGroup(party) && !knownKeys.has(key) ? [party] : [],
  );
}

const isUserOrGroup = (party: TableParty): party is TableUserOrGroup => party.type !== 'default';

export const getTablePartyKey = ({ type, idOrName }: TableParty): string => JSON.stringify([type, idOrName]);
