import { getValueKey } from '../matrix/cellText.ts';
import { type Grant, type PartyRef, readRules } from '../readRules.ts';
import { getTablePartyKey } from '../ruleTable/unresolvedParties.ts';
import type { ColumnName } from '../tableAccess.ts';
import type { RuleDifference } from './ruleDifference.ts';

/** A party that has several rules with different access on one column after a change. */
export interface OverlappingRules extends ColumnName {
  readonly party: PartyRef;
  /** The different grants: those of existing rules first. */
  readonly grants: readonly Grant[];
}

/**
 * Finds the parties of added rules that will have several rules with different access on one column, because other
 * added rules or existing rules name them too: their combined effect may be uncertain (platform-facts.md, 3.3).
 */
export function findOverlappingRules(
  current: readonly unknown[],
  { adds, deletes }: Pick<RuleDifference, 'adds' | 'deletes'>,
): readonly OverlappingRules[] {
  const deletedRules = new Set<unknown>(deletes.map(({ rule }) => rule));
  const collectGrants = (rules: readonly unknown[]) =>
    readRules(rules).flatMap(({ table, column, grant, parties }) =>
      parties.map((party) => ({
        key: JSON.stringify([
          table,
          column,
          getTablePartyKey({ type: party.type, idOrName: party.id ?? '' }),
        ]),
        table,
        column,
        party,
        grant,
      })),
    );
  const addedGrants = collectGrants(adds);
  const existingByKey = Map.groupBy(
    collectGrants(current.filter((rule) => !deletedRules.has(rule))),
    ({ key }) => key,
  );
  return [...Map.groupBy(addedGrants, ({ key }) => key)].flatMap(([key, partyGrants]) => {
    const [first] = partyGrants;
    const grants = [...(existingByKey.get(key) ?? []), ...partyGrants].map(({ grant }) => grant);
    const differentGrants = [...new Map(grants.map((grant) => [getValueKey([grant]), grant])).values()];
    return first === undefined || differentGrants.length < 2
      ? []
      : [{ table: first.table, column: first.column, party: first.party, grants: differentGrants }];
  });
}
