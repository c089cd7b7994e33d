import type { JsonObject } from '../../base/json.ts';
import { contentFields, shareFields } from '../../security/convert/convertRules.ts';
import type { NamedParty } from '../../security/readRule.ts';
import { nothing } from '../../security/valueSet.ts';
import { denies, type HeldRule, holdRule, inPlaceSpotOf, partyText, spotOf } from './heldRule.ts';
import { afterOf, type ColumnRules, columnsOf, partiesOf } from './itemOrder.ts';
import type { RuleItem } from './ruleItems.ts';
import type { RuleRequest } from './ruleRequest.ts';
import type { RuleTarget } from './ruleTarget.ts';

/** The most parties in one joint deny rule. */
const partiesAtMost = 500;

/** So many items of one column are denied one by one; more share a rule, which is one request for all of them. */
const oneByOneAtMost = 2;

/**
 * Requests after which everybody whom the items concern sees nothing, by rules that stay until all else is done:
 * *Nothing* wins over every other rule (docs/platform.md, "Combination").
 *
 * No request may take another rule's place by surprise, whatever a POST does with a rule for the same parties. So an
 * item is denied in its own place, where that is what is wanted; or many of a column share a rule for a set of parties
 * that no other rule of the column has, where the server is known to delete single rules again. Live datamodels know no such joint rule: some allow a party in one rule only.
 */
export function denialsOf(
  items: readonly RuleItem[],
  columns: ColumnRules,
  { target, canDelete }: { readonly target: RuleTarget; readonly canDelete: boolean },
): readonly RuleRequest[] {
  const requests: RuleRequest[] = [];
  const byColumn = Map.groupBy(items, (item) => columnsOf(item).join('\n'));
  for (const some of byColumn.values()) {
    const named = some.filter((item) => partiesOf(item).every(({ type }) => type !== 'default'));
    const joint =
      target.kind === 'extract' && canDelete && named.length > oneByOneAtMost
        ? jointly(named, columns, target)
        : [];
    requests.push(...joint);
    for (const item of joint.length > 0 ? some.filter((each) => !named.includes(each)) : some) {
      requests.push(...inPlace(item, target.kind));
    }
  }
  return requests;
}

/** *Nothing* in the place of the rule that an item begins with, or where its new rule will be. */
function inPlace(item: RuleItem, kind: RuleTarget['kind']): readonly RuleRequest[] {
  const { before } = item;
  const after = afterOf(item);
  const rule = before ?? after;
  if (rule === undefined) {
    return [];
  }
  const isMoved = kind === 'extract' && before !== undefined && after !== undefined;
  const parties = isMoved && before.column === after.column ? partiesOf(item) : rule.parties;
  const denied = denial(rule.rule, parties, kind);
  if (denied === undefined || (before !== undefined && denies(before) && denied.shares === before.shares)) {
    return [];
  }
  return kind === 'extract' && before !== undefined
    ? [
        {
          kind: 'update',
          id: before.id,
          rule: { ...before.rule, ...denied.rule },
          temporary: inPlaceSpotOf(denied),
        },
      ]
    : [{ kind: 'create', rule: withoutId(denied.rule), temporary: spotOf(denied) }];
}

/** Joint rules for all parties of the items; none where such a rule would be for the same parties as another. */
function jointly(
  items: readonly RuleItem[],
  { current }: ColumnRules,
  target: RuleTarget,
): readonly RuleRequest[] {
  const [first] = items;
  const rule = first?.before ?? (first === undefined ? undefined : afterOf(first));
  const columns = new Set(items.flatMap(columnsOf));
  if (rule === undefined || columns.size > 1) {
    return [];
  }
  const taken = new Set(
    [...current, ...target.wanted.map(({ held }) => held)]
      .filter(({ column }) => columns.has(column))
      .map(spotOf),
  );
  const parties = [...new Map(items.flatMap(partiesOf).map((party) => [partyText(party), party])).values()];
  const requests: RuleRequest[] = [];
  for (let start = 0; start < parties.length; start += partiesAtMost) {
    const denied = denial(rule.rule, parties.slice(start, start + partiesAtMost), 'extract');
    if (denied === undefined || taken.has(spotOf(denied))) {
      return [];
    }
    requests.push({ kind: 'create', rule: withoutId(denied.rule), temporary: spotOf(denied) });
  }
  return requests;
}

/** Denies a rule's parties in its place, for as long as others that they would fall back on are changed. */
export function freeze(rule: HeldRule): RuleRequest {
  const denied = denial(rule.rule, rule.parties, 'live');
  return { kind: 'create', rule: withoutId(denied?.rule ?? rule.rule), temporary: spotOf(rule) };
}

const withoutId = ({ _id, ...rule }: JsonObject): JsonObject => rule;

function denial(
  rule: JsonObject,
  parties: readonly NamedParty[],
  kind: RuleTarget['kind'],
): HeldRule | undefined {
  const { _id, table, column, datatype = 'text', server, elasticube, fullname, live } = rule;
  const fields = { _id, table, column, datatype, server, elasticube, fullname, live };
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const shares = parties.map((party) => shareFields(party, kind));
  // What rules hold came out of JSON or is made of texts and lists.
  const denied = {
    ...known,
    ...contentFields(nothing, kind),
    exclusionary: false,
    shares,
  } as unknown as JsonObject;
  const { exclusionary: _exclusionary, ...ofLive } = denied;
  return holdRule(kind === 'live' ? ofLive : denied);
}
