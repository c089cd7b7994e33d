import type { JsonObject } from '../../base/json.ts';
import { createContentFields, createShareFields } from '../../security/ruleFields.ts';
import type { PartyRef } from '../../security/readRules.ts';
import { noValues } from '../../security/valueSet.ts';
import {
  deniesAll,
  type ParsedRuleDocument,
  parseRuleDocument,
  getUpdatedRuleScopeKey,
  getPartyKey,
  getScopeKey,
} from './parsedRuleDocument.ts';
import { getParsedRuleAfter, type ColumnRules, getItemColumns, getItemParties } from './itemOrder.ts';
import type { RuleItem } from './ruleItems.ts';
import type { RuleRequest } from './ruleRequest.ts';
import type { RuleTarget } from './ruleTarget.ts';

/** The maximum number of parties in one joint deny rule. */
const maxParties = 500;

/**
 * Up to this many items of one column are denied individually; more share joint deny rules, which need fewer requests.
 */
const maxSingleDenyRules = 2;

/**
 * Creates the requests for temporary deny rules, so that all parties of the items see nothing while these change:
 * a rule that grants no values takes precedence over every other (platform-facts.md, 3.3).
 *
 * A POST may overwrite a rule for the same parties, and that must not happen unexpectedly. So either each item is
 * denied in place of its own rule; or many items of a column share joint deny rules, for sets of parties that no other
 * rule of the column has. Joint rules need a server that can delete single rules, and are not used for live datamodels,
 * since some servers allow each party in only one rule.
 */
export function createTemporaryDenyRequests(
  items: readonly RuleItem[],
  columnRules: ColumnRules,
  { target, canDelete }: { readonly target: RuleTarget; readonly canDelete: boolean },
): readonly RuleRequest[] {
  const requests: RuleRequest[] = [];
  const byColumn = Map.groupBy(items, (item) => getItemColumns(item).join('\n'));
  for (const columnItems of byColumn.values()) {
    const itemsWithoutDefault = columnItems.filter((item) =>
      getItemParties(item).every(({ type }) => type !== 'default'),
    );
    const jointRequests =
      target.kind === 'extract' && canDelete && itemsWithoutDefault.length > maxSingleDenyRules
        ? createJointDenyRequests(itemsWithoutDefault, columnRules, target)
        : [];
    requests.push(...jointRequests);
    for (const item of jointRequests.length > 0
      ? columnItems.filter((columnItem) => !itemsWithoutDefault.includes(columnItem))
      : columnItems) {
      requests.push(...createInPlaceDenyRequests(item, target.kind));
    }
  }
  return requests;
}

/**
 * Creates the request that denies an item in place of its current rule or, if it has none, of its new rule; none if the
 * current rule already denies all values to these parties.
 */
function createInPlaceDenyRequests(item: RuleItem, kind: RuleTarget['kind']): readonly RuleRequest[] {
  const { before } = item;
  const after = getParsedRuleAfter(item);
  const rule = before ?? after;
  if (rule === undefined) {
    return [];
  }
  const isReplaced = kind === 'extract' && before !== undefined && after !== undefined;
  const parties = isReplaced && before.columnKey === after.columnKey ? getItemParties(item) : rule.parties;
  const denyRule = createDenyRule(rule.document, parties, kind);
  if (
    denyRule === undefined ||
    (before !== undefined && deniesAll(before) && denyRule.partiesKey === before.partiesKey)
  ) {
    return [];
  }
  return kind === 'extract' && before !== undefined
    ? [
        {
          kind: 'update',
          id: before.id,
          rule: { ...before.document, ...denyRule.document },
          // No rule is added in the scope, so a new one there belongs to another user.
          denyScope: getUpdatedRuleScopeKey(denyRule),
        },
      ]
    : [{ kind: 'create', rule: omitId(denyRule.document), denyScope: getScopeKey(denyRule) }];
}

/**
 * Creates the requests for joint deny rules for all parties of the items; empty if one would have the same parties as
 * another rule.
 */
function createJointDenyRequests(
  items: readonly RuleItem[],
  { current }: ColumnRules,
  target: RuleTarget,
): readonly RuleRequest[] {
  const [firstItem] = items;
  const rule = firstItem?.before ?? (firstItem === undefined ? undefined : getParsedRuleAfter(firstItem));
  const columnKeys = new Set(items.flatMap(getItemColumns));
  if (rule === undefined || columnKeys.size > 1) {
    return [];
  }
  const usedScopes = new Set(
    [...current, ...target.wantedRules.map(({ parsed }) => parsed)].map(getScopeKey),
  );
  const parties = [
    ...new Map(items.flatMap(getItemParties).map((party) => [getPartyKey(party), party])).values(),
  ];
  const requests: RuleRequest[] = [];
  for (let start = 0; start < parties.length; start += maxParties) {
    const denyRule = createDenyRule(rule.document, parties.slice(start, start + maxParties), 'extract');
    if (denyRule === undefined || usedScopes.has(getScopeKey(denyRule))) {
      return [];
    }
    requests.push({ kind: 'create', rule: omitId(denyRule.document), denyScope: getScopeKey(denyRule) });
  }
  return requests;
}

/** Creates the request that adds a deny rule in the scope of a live rule: some servers overwrite the live rule. */
export function createDenyInScopeRequest(rule: ParsedRuleDocument): RuleRequest {
  const denyRule = createDenyRule(rule.document, rule.parties, 'live');
  return { kind: 'create', rule: omitId(denyRule?.document ?? rule.document), denyScope: getScopeKey(rule) };
}

const omitId = ({ _id, ...rule }: JsonObject): JsonObject => rule;

/** Creates a deny rule for the parties on the column of a rule. */
function createDenyRule(
  rule: JsonObject,
  parties: readonly PartyRef[],
  kind: RuleTarget['kind'],
): ParsedRuleDocument | undefined {
  const { _id, table, column, datatype = 'text', server, elasticube, fullname, live } = rule;
  const fields = { _id, table, column, datatype, server, elasticube, fullname, live };
  const definedFields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const shares = parties.map((party) => createShareFields(party, kind));
  // The cast is safe: rules are parsed from JSON or built from strings and arrays.
  const denyRule = {
    ...definedFields,
    ...createContentFields(noValues, kind),
    exclusionary: false,
    shares,
  } as unknown as JsonObject;
  const { exclusionary: _exclusionary, ...liveRule } = denyRule;
  return parseRuleDocument(kind === 'live' ? liveRule : denyRule);
}
