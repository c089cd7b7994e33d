import type { Catalog } from '../../sql/language.ts';
import { toPartyKeys, computeColumnAccess, groupRulesByColumn, isUncertain } from '../columnAccess.ts';
import { lintRules } from '../lint/lintRules.ts';
import {
  readArray,
  isObject,
  isNonEmptyString,
  type PartyRef,
  getSharePartyId,
  readRules,
  type ParsedRule,
} from '../readRules.ts';
import { isAllValues, isNoValues, isSameValueSet, noValues, type ValueSet } from '../valueSet.ts';
import { noKnownValues } from '../values/knownValues.ts';
import type { AuditFinding } from './auditFinding.ts';

/**
 * Finds certain and likely problems in the rules of one datamodel: all lint findings, contradicting rules for one
 * party, and parties that the server has no name for.
 */
export function auditRules(rules: readonly unknown[], catalog?: Catalog): readonly AuditFinding[] {
  return [
    ...lintRules(rules, catalog, noKnownValues).map(({ index, code, severity, path, args }) => ({
      code,
      severity,
      args,
      index,
      path,
    })),
    ...findContradictions(readRules(rules)),
    ...findUnknownParties(rules),
  ];
}

/**
 * Finds rules for one party on one column that make each other pointless: *Nothing* wins over all others, and a list
 * whose values are all hidden by another rule leaves nothing (platform-facts.md, 3.3). Several default rules that
 * differ have a code of their own.
 */
function findContradictions(rules: readonly ParsedRule[]): readonly AuditFinding[] {
  const partyRules = rules.flatMap((rule) => rule.parties.map((party) => ({ rule, party })));
  const partyRulesByKey = Map.groupBy(partyRules, ({ rule: { table, column }, party }) =>
    JSON.stringify([table, column, party.type, party.id ?? null]),
  );
  return [...partyRulesByKey.values()].flatMap((group) => {
    const last = group.at(-1);
    return last === undefined
      ? []
      : findPartyContradictions(
          group.map(({ rule }) => rule),
          last.rule,
          last.party,
        );
  });
}

function findPartyContradictions(
  rules: readonly ParsedRule[],
  lastRule: ParsedRule,
  party: PartyRef,
): readonly AuditFinding[] {
  const grantedSets = rules.map(({ grant }) => grant).filter((grant) => grant !== 'unclear');
  const [first = noValues, ...others] = grantedSets;
  if (others.every((other) => isSameValueSet(first, other))) {
    return [];
  }
  const args = [lastRule.table, lastRule.column, party.type, party.id ?? ''];
  if (party.type === 'default') {
    return [{ code: 'several-defaults', severity: 'warning', args, index: lastRule.index, path: [] }];
  }
  if (!isContradictory(rules, grantedSets, party)) {
    return [];
  }
  return [{ code: 'contradiction', severity: 'warning', args, index: lastRule.index, path: [] }];
}

/** True if the party sees nothing although some rules grant values, or if *Everything* is combined with a list. */
function isContradictory(
  rules: readonly ParsedRule[],
  grantedSets: readonly ValueSet[],
  party: PartyRef,
): boolean {
  const queriedParty =
    party.type === 'user' ? { userId: party.id ?? '', groupIds: [] } : { groupIds: [party.id ?? ''] };
  const [column] = groupRulesByColumn(rules);
  // A union shows the most values, so a party that sees nothing in a union sees nothing however lists are combined.
  const access =
    column === undefined ? 'no-rule' : computeColumnAccess(column, toPartyKeys(queriedParty), 'union').access;
  const seesNothing = !isUncertain(access) && isNoValues(access);
  const hasList = grantedSets.some((set) => set.kind === 'only' && !isNoValues(set));
  return seesNothing || (hasList && grantedSets.some(isAllValues));
}

/**
 * Finds users and groups without a name: the server returns the names of those that it knows (platform-facts.md, 3.1,
 * `partyName`), and may accept a rule for a user who is unknown. Finds nothing if no party has a name.
 */
function findUnknownParties(rules: readonly unknown[]): readonly AuditFinding[] {
  const identifiedShares = readArray(rules).flatMap((rule, index) =>
    readArray(isObject(rule) ? rule['shares'] : []).flatMap((share, shareIndex) => {
      const id = isObject(share) ? getSharePartyId(share) : undefined;
      return isObject(share) && id !== undefined && share['type'] !== 'default'
        ? [
            {
              index,
              shareIndex,
              id,
              type: String(share['type']),
              hasName: isNonEmptyString(share['partyName']),
            },
          ]
        : [];
    }),
  );
  if (!identifiedShares.some(({ hasName }) => hasName)) {
    return [];
  }
  return identifiedShares
    .filter(({ hasName }) => !hasName)
    .map(({ index, shareIndex, id, type }) => ({
      code: 'party-unknown',
      severity: 'warning',
      args: [type, id],
      index,
      path: ['shares', shareIndex],
    }));
}
