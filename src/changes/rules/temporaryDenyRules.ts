import type { JsonObject } from '../../base/json.ts';
import { createContentFields, createShareFields } from '../../security/convert/convertRules.ts';
import type { NamedParty } from '../../security/readRule.ts';
import { noValues } from '../../security/valueSet.ts';
import {
  deniesAll,
  type HeldRule,
  toHeldRule,
  getInPlaceSpotKey,
  getPartyKey,
  getSpotKey,
} from './heldRule.ts';
import { getRuleAfter, type ColumnRules, getItemColumns, getParties } from './itemOrder.ts';
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
 * *Nothing* takes precedence over every other rule (platform-facts.md, 3.3).
 *
 * A POST may overwrite a rule for the same parties, and that must not happen unexpectedly. So either each item is
 * denied in place of its own rule; or many items of a column share joint deny rules, for sets of parties that no other
 * rule of the column has. Joint rules need a server that can delete single rules, and are not used for live datamodels,
 * since some servers allow each party in only one rule.
 */
export function createTemporaryDenyRules(
  items: readonly RuleItem[],
  columns: ColumnRules,
  { target, canDelete }: { readonly target: RuleTarget; readonly canDelete: boolean },
): readonly RuleRequest[] {
  const requests: RuleRequest[] = [];
  const byColumn = Map.groupBy(items, (item) => getItemColumns(item).join('\n'));
  for (const some of byColumn.values()) {
    const named = some.filter((item) => getParties(item).every(({ type }) => type !== 'default'));
    const joint =
      target.kind === 'extract' && canDelete && named.length > maxSingleDenyRules
        ? createJointDenyRules(named, columns, target)
        : [];
    requests.push(...joint);
    for (const item of joint.length > 0 ? some.filter((each) => !named.includes(each)) : some) {
      requests.push(...createInPlaceDenyRules(item, target.kind));
    }
  }
  return requests;
}

/** Creates the request that denies an item in place of its current rule or, if it has none, of its new rule. */
function createInPlaceDenyRules(item: RuleItem, kind: RuleTarget['kind']): readonly RuleRequest[] {
  const { before } = item;
  const after = getRuleAfter(item);
  const rule = before ?? after;
  if (rule === undefined) {
    return [];
  }
  const isMoved = kind === 'extract' && before !== undefined && after !== undefined;
  const parties = isMoved && before.column === after.column ? getParties(item) : rule.parties;
  const denied = createDenyRule(rule.rule, parties, kind);
  if (
    denied === undefined ||
    (before !== undefined && deniesAll(before) && denied.shares === before.shares)
  ) {
    return [];
  }
  return kind === 'extract' && before !== undefined
    ? [
        {
          kind: 'update',
          id: before.id,
          rule: { ...before.rule, ...denied.rule },
          temporary: getInPlaceSpotKey(denied),
        },
      ]
    : [{ kind: 'create', rule: omitId(denied.rule), temporary: getSpotKey(denied) }];
}

/** Creates joint deny rules for all parties of the items; empty if one would have the same parties as another rule. */
function createJointDenyRules(
  items: readonly RuleItem[],
  { current }: ColumnRules,
  target: RuleTarget,
): readonly RuleRequest[] {
  const [first] = items;
  const rule = first?.before ?? (first === undefined ? undefined : getRuleAfter(first));
  const columns = new Set(items.flatMap(getItemColumns));
  if (rule === undefined || columns.size > 1) {
    return [];
  }
  const usedSpots = new Set(
    [...current, ...target.wanted.map(({ held }) => held)]
      .filter(({ column }) => columns.has(column))
      .map(getSpotKey),
  );
  const parties = [
    ...new Map(items.flatMap(getParties).map((party) => [getPartyKey(party), party])).values(),
  ];
  const requests: RuleRequest[] = [];
  for (let start = 0; start < parties.length; start += maxParties) {
    const denied = createDenyRule(rule.rule, parties.slice(start, start + maxParties), 'extract');
    if (denied === undefined || usedSpots.has(getSpotKey(denied))) {
      return [];
    }
    requests.push({ kind: 'create', rule: omitId(denied.rule), temporary: getSpotKey(denied) });
  }
  return requests;
}

/** Creates the request that replaces a live rule with a deny rule for the same parties. */
export function createFreezeRequest(rule: HeldRule): RuleRequest {
  const denied = createDenyRule(rule.rule, rule.parties, 'live');
  return { kind: 'create', rule: omitId(denied?.rule ?? rule.rule), temporary: getSpotKey(rule) };
}

const omitId = ({ _id, ...rule }: JsonObject): JsonObject => rule;

/** Creates a deny rule for the parties on the column of a rule. */
function createDenyRule(
  rule: JsonObject,
  parties: readonly NamedParty[],
  kind: RuleTarget['kind'],
): HeldRule | undefined {
  const { _id, table, column, datatype = 'text', server, elasticube, fullname, live } = rule;
  const fields = { _id, table, column, datatype, server, elasticube, fullname, live };
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const shares = parties.map((party) => createShareFields(party, kind));
  // The cast is safe: rules are parsed from JSON or made of texts and lists.
  const denied = {
    ...known,
    ...createContentFields(noValues, kind),
    exclusionary: false,
    shares,
  } as unknown as JsonObject;
  const { exclusionary: _exclusionary, ...ofLive } = denied;
  return toHeldRule(kind === 'live' ? ofLive : denied);
}
