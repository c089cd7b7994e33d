import {
  readArray,
  getGrant,
  isObject,
  isInvalidFlag,
  isNonEmptyString,
  getSharePartyId,
  type UnknownObject,
} from '../readRules.ts';
import { createFinding, type RuleFinding } from './finding.ts';

interface IndexedRule {
  readonly rule: UnknownObject;
  readonly index: number;
}

/**
 * Returns a key for the datamodel and column of a rule: `server` and `elasticube` or `fullname`, `table` and `column`
 * (decisions.md, "Stable interfaces"), all of them case sensitive (rest-api.md, "Data security rule" 2).
 */
export function getBindingKey(rule: UnknownObject): string {
  const { fullname, server, elasticube, table, column } = rule;
  const datamodel = isNonEmptyString(fullname)
    ? [fullname]
    : [server ?? null, elasticube ?? null].map(toKeyPart);
  return JSON.stringify([datamodel, table, column]);
}

const toKeyPart = (value: unknown): unknown => (isNonEmptyString(value) ? value : null);

/** Finds problems that concern several rules: missing default rules and duplicates. */
export function lintRuleSet(rules: readonly IndexedRule[]): readonly RuleFinding[] {
  const columnRules = rules.filter(
    ({ rule }) => isNonEmptyString(rule['table']) && isNonEmptyString(rule['column']),
  );
  return [...Map.groupBy(columnRules, ({ rule }) => getBindingKey(rule)).values()].flatMap(
    (rulesOnColumn) => [...lintMissingDefault(rulesOnColumn), ...lintDuplicates(rulesOnColumn)],
  );
}

/**
 * Reports a column without a default rule, at its first rule: the access of parties that no rule names is then
 * undefined (platform-facts.md, 3.3).
 */
function lintMissingDefault(rulesOnColumn: readonly IndexedRule[]): readonly RuleFinding[] {
  const [first] = rulesOnColumn;
  const hasDefault = rulesOnColumn.some((rule) => getShareKeys(rule).includes(getShareKey('default')));
  return first === undefined || hasDefault
    ? []
    : [
        createFinding(
          first.index,
          'no-default-rule',
          ['column'],
          [String(first.rule['table']), String(first.rule['column'])],
        ),
      ];
}

/** Reports each party that has the same access from an earlier rule, or the whole rule if all its parties do. */
function lintDuplicates(rulesOnColumn: readonly IndexedRule[]): readonly RuleFinding[] {
  const ruleIndexByGrant = new Map<string, number>();
  return rulesOnColumn.flatMap((indexedRule) => {
    const { rule, index } = indexedRule;
    const contentKey = getContentKey(rule, index);
    const shareKeys = getShareKeys(indexedRule);
    const earlierGrants = shareKeys.map((key) => ({
      earlierIndex: ruleIndexByGrant.get(contentKey + key),
    }));
    for (const key of shareKeys) {
      if (!ruleIndexByGrant.has(contentKey + key)) {
        ruleIndexByGrant.set(contentKey + key, index);
      }
    }
    const repeatedGrants = earlierGrants.flatMap(({ earlierIndex }, shareIndex) =>
      earlierIndex === undefined ? [] : [{ earlierIndex, shareIndex }],
    );
    if (repeatedGrants.length === earlierGrants.length) {
      return repeatedGrants
        .slice(0, 1)
        .map(({ earlierIndex }) => createFinding(index, 'duplicate-rule', [], [String(earlierIndex + 1)]));
    }
    return repeatedGrants.map(({ earlierIndex, shareIndex }) =>
      createFinding(index, 'duplicate-rule', ['shares', shareIndex], [String(earlierIndex + 1)]),
    );
  });
}

/** Returns a key for what a rule grants, independent of the order of its values. */
function getContentKey(rule: UnknownObject, index: number): string {
  const grant = getGrant(rule);
  if (grant !== 'unclear') {
    return JSON.stringify([grant.kind, [...grant.values].sort()]);
  }
  const { members, allMembers, exclusionary } = rule;
  // A rule with unreadable members equals no other rule.
  return readArray(members).length === 0 && !isInvalidFlag(allMembers) && !isInvalidFlag(exclusionary)
    ? JSON.stringify(['unclear', allMembers === false, exclusionary === true])
    : JSON.stringify(['unreadable', index]);
}

const getShareKey = (type: unknown, id?: string): string => JSON.stringify([type, id ?? null]);

/** Returns a key for each entry of `shares`, in the same order; for a rule without entries, one key for "nobody". */
function getShareKeys({ rule, index }: IndexedRule): readonly string[] {
  const shares = readArray(rule['shares']);
  if (shares.length === 0) {
    return [getShareKey('nobody')];
  }
  return shares.map((share, shareIndex) => {
    const { type, ...party } = isObject(share) ? share : {};
    if (type === 'default') {
      return getShareKey(type);
    }
    const partyId = getSharePartyId(party);
    // A share whose party is unreadable equals no other share.
    return isNonEmptyString(type) && partyId !== undefined
      ? getShareKey(type, partyId)
      : getShareKey('unreadable', `${index} ${shareIndex}`);
  });
}
