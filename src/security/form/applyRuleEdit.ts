import { assertNever } from '../../base/assertNever.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { livePrefix } from '../../contract/terms.ts';
import { isJsonArray, propertyOf, withArrayAt, withProperty } from '../../json/text/parts.ts';
import { isLive, partyKey, partyOf, readRuleFields, rulesOf } from './readRuleFields.ts';
import type { NewRule, RuleEdit, RuleKind, RuleParty, RuleSetEdit } from './ruleEdit.ts';

/** The document, one rule or a set of rules, after what a person did in the form. */
export function applyRuleSetEdit(document: JsonValue, edit: RuleSetEdit): JsonValue {
  const rules = rulesOf(document);
  const back = (changed: readonly JsonValue[]): JsonValue =>
    isJsonArray(document) ? changed : (changed[0] ?? document);
  switch (edit.kind) {
    case 'rule':
      return back(rules.map((rule, place) => (place === edit.rule ? applyRuleEdit(rule, edit.edit) : rule)));
    case 'addRule':
      return back([...rules, ruleLike(rules[0], edit.rule)]);
    case 'removeRules':
      return back(rules.filter((_rule, place) => !edit.rules.includes(place)));
    case 'splitRule':
      return back(split(rules, edit.rule, edit.party));
    default:
      return assertNever(edit);
  }
}

function applyRuleEdit(rule: JsonValue, edit: RuleEdit): JsonValue {
  switch (edit.kind) {
    case 'column': {
      const named = withProperty(withProperty(rule, 'table', edit.table), 'column', edit.column);
      return edit.datatype === undefined ? named : withProperty(named, 'datatype', edit.datatype);
    }
    case 'ruleKind':
      return withKind(rule, edit.value);
    case 'members':
      return withMembers(rule, edit.values);
    case 'parties':
      return withParties(rule, edit.values);
    default:
      return assertNever(edit);
  }
}

/**
 * Makes a rule one of a kind (spec, "Kinds of rule"; platform-facts 3.2). The key `exclusionary` is not made where it
 * says nothing: the spec does not know it on live rules, the contract (v1.0) does.
 */
function withKind(rule: JsonValue, kind: RuleKind): JsonValue {
  const listsValues = kind === 'only' || kind === 'except';
  const all = listsValues ? null : kind === 'everything';
  const old = propertyOf(rule, 'exclusionary');
  const exclusionary = kind === 'except' ? true : old === undefined ? undefined : false;
  const emptied = listsValues
    ? rule
    : withArrayAt(rule, 'members', (members) => (members.length === 0 ? members : []));
  return withProperty(withProperty(emptied, 'allMembers', all), 'exclusionary', exclusionary);
}

/** Values are listed by rules that list values: a rule for all or none of them becomes one (spec, "allMembers"). */
function withMembers(rule: JsonValue, values: readonly string[]): JsonValue {
  const listing =
    values.length > 0 && propertyOf(rule, 'allMembers') !== null
      ? withProperty(rule, 'allMembers', null)
      : rule;
  return withArrayAt(listing, 'members', (old) => {
    const free = [...old];
    // An entry that stays is kept as it was spelled: a number remains one until its text is changed.
    const kept = values.map((value): JsonValue => {
      const index = free.findIndex(
        (member) => member === value || (typeof member === 'number' && JSON.stringify(member) === value),
      );
      return index === -1 ? value : (free.splice(index, 1)[0] ?? value);
    });
    return kept.length === old.length && kept.every((value, index) => value === old[index]) ? old : kept;
  });
}

/** Extract rules are written with `party`, live rules with `partyId` (spec); a rule that was read keeps its way. */
function withParties(rule: JsonValue, parties: readonly RuleParty[]): JsonValue {
  return withArrayAt(rule, 'shares', (old) => {
    const known = new Map(
      old.flatMap((share) => {
        const party = partyOf(share);
        return party === undefined ? [] : [[partyKey(party), share] as const];
      }),
    );
    const odd = old.filter((share) => partyOf(share) === undefined);
    const key = partyIdName(rule, old);
    return [...odd, ...parties.map((party) => known.get(partyKey(party)) ?? shareOf(party, key))];
  });
}

function partyIdName(rule: JsonValue, shares: readonly JsonValue[]): 'party' | 'partyId' {
  const spelled = shares.find(
    (share) => propertyOf(share, 'party') !== undefined || propertyOf(share, 'partyId') !== undefined,
  );
  if (spelled !== undefined) {
    return propertyOf(spelled, 'party') === undefined ? 'partyId' : 'party';
  }
  return isLive(rule) ? 'partyId' : 'party';
}

const shareOf = ({ type, id }: RuleParty, key: 'party' | 'partyId'): JsonObject =>
  type === 'default' ? { type } : { [key]: id ?? '', type };

/** A new rule of the same datamodel as another. */
function ruleLike(other: JsonValue | undefined, rule: NewRule): JsonValue {
  const sibling = other ?? {};
  const address = isLive(sibling) ? liveAddress(sibling) : extractAddress(sibling);
  const base: JsonObject = {
    ...address,
    table: rule.table,
    column: rule.column,
    datatype: rule.datatype,
    members: [...rule.members],
    allMembers: null,
    shares: [],
  };
  const kind = withKind(base, rule.ruleKind);
  const key = partyIdName(
    sibling,
    isJsonArray(propertyOf(sibling, 'shares')) ? (propertyOf(sibling, 'shares') as readonly JsonValue[]) : [],
  );
  return withProperty(
    kind,
    'shares',
    rule.parties.map((party) => shareOf(party, key)),
  );
}

const liveAddress = (sibling: JsonValue): JsonObject => ({
  fullname: propertyOf(sibling, 'fullname') ?? livePrefix,
  live: true,
});

function extractAddress(sibling: JsonValue): JsonObject {
  const { server, datamodel } = readRuleFields(sibling);
  // A rule whose address is in the path of its request does not repeat it (spec, "server", "elasticube").
  return server === '' && datamodel === '' ? {} : { server: server, elasticube: datamodel };
}

function split(rules: readonly JsonValue[], place: number, party: RuleParty): readonly JsonValue[] {
  const rule = rules[place];
  if (rule === undefined) {
    return rules;
  }
  const { parties } = readRuleFields(rule);
  const rest = parties.filter((other) => partyKey(other) !== partyKey(party));
  if (rest.length === parties.length || rest.length === 0) {
    return rules;
  }
  const shares = propertyOf(rule, 'shares');
  const own = isJsonArray(shares)
    ? shares.filter((share) => {
        const other = partyOf(share);
        return other !== undefined && partyKey(other) === partyKey(party);
      })
    : [];
  // The copy is a rule that the server does not know yet: it has no id (spec, "_id").
  const copy = withProperty(withProperty(rule, '_id', undefined), 'shares', [...own]);
  return rules.flatMap((other, index) => (index === place ? [withParties(other, rest), copy] : [other]));
}
