import { assertNever } from '../../base/assertNever.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { livePrefix } from '../../contract/terms.ts';
import { parsePartyNumber } from '../numberedParty.ts';
import { isJsonArray, getProperty, withArrayAt, withProperty } from '../../json/text/copyOnWrite.ts';
import {
  isLiveFormRule,
  getFormPartyKey,
  readShareParty,
  readRuleFields,
  getDocumentRules,
} from './readRuleFields.ts';
import type {
  FormCellEdit,
  FormGrant,
  FormParty,
  NewFormRule,
  RuleFormEdit,
  RuleKind,
  RuleSetFormEdit,
} from './ruleEdit.ts';

/** Applies an edit from the form to the document, which is one rule or a set of rules. */
export function applyRuleSetEdit(document: JsonValue, edit: RuleSetFormEdit): JsonValue {
  const rules = getDocumentRules(document);
  const toDocument = (changedRules: readonly JsonValue[]): JsonValue =>
    isJsonArray(document) ? changedRules : (changedRules[0] ?? document);
  switch (edit.kind) {
    case 'rule':
      return toDocument(
        rules.map((rule, index) => (index === edit.rule ? applyRuleEdit(rule, edit.edit) : rule)),
      );
    case 'addRule':
      return toDocument([...rules, createSiblingRule(rules[0], edit.rule)]);
    case 'removeRules':
      return toDocument(rules.filter((_rule, index) => !edit.rules.includes(index)));
    case 'splitRule':
      return toDocument(splitRule(rules, edit.rule, edit.party));
    case 'cells':
      return edit.cells.reduce(applyCellEdit, document);
    default:
      return assertNever(edit);
  }
}

function applyRuleEdit(rule: JsonValue, edit: RuleFormEdit): JsonValue {
  switch (edit.kind) {
    case 'column': {
      const renamedRule = withProperty(withProperty(rule, 'table', edit.table), 'column', edit.column);
      return edit.datatype === undefined ? renamedRule : withProperty(renamedRule, 'datatype', edit.datatype);
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
 * Sets the kind of a rule (rest-api.md, "Kinds of rule"; platform-facts.md, 3.2). The property `exclusionary` is added
 * only if it is true, since not every server accepts it in live rules: the guide doesn't list it for them, although the
 * vendor's contract does (platform-facts.md, 6.2).
 */
function withKind(rule: JsonValue, kind: RuleKind): JsonValue {
  const listsValues = kind === 'only' || kind === 'except';
  const allMembers = listsValues ? null : kind === 'everything';
  const oldExclusionary = getProperty(rule, 'exclusionary');
  const exclusionary = kind === 'except' ? true : oldExclusionary === undefined ? undefined : false;
  const adjustedRule = listsValues ? rule : withArrayAt(rule, 'members', () => []);
  return withProperty(withProperty(adjustedRule, 'allMembers', allMembers), 'exclusionary', exclusionary);
}

/**
 * Sets the members of a rule. A rule that grants all or no values becomes one that lists values, since only those have
 * members (rest-api.md, "Data security rule").
 */
function withMembers(rule: JsonValue, values: readonly string[]): JsonValue {
  const listRule =
    values.length > 0 && getProperty(rule, 'allMembers') !== null
      ? withProperty(rule, 'allMembers', null)
      : rule;
  return withArrayAt(listRule, 'members', (oldMembers) => {
    const unmatchedMembers = [...oldMembers];
    // An unchanged number stays a number; any other member that is not a string becomes one.
    const newMembers = values.map((value): JsonValue => {
      const index = unmatchedMembers.findIndex(
        (member) => member === value || (typeof member === 'number' && JSON.stringify(member) === value),
      );
      return index === -1 ? value : (unmatchedMembers.splice(index, 1)[0] ?? value);
    });
    return newMembers.length === oldMembers.length &&
      newMembers.every((value, index) => value === oldMembers[index])
      ? oldMembers
      : newMembers;
  });
}

/**
 * Sets the parties of a rule. Extract rules use `party`, live rules `partyId` (rest-api.md, "Data security rule"); a
 * rule that has parties keeps the key that it uses.
 */
function withParties(rule: JsonValue, parties: readonly FormParty[]): JsonValue {
  return withArrayAt(rule, 'shares', (oldShares) => {
    const sharesByParty = new Map(
      oldShares.flatMap((share) => {
        const party = readShareParty(share);
        return party === undefined ? [] : [[getFormPartyKey(party), share] as const];
      }),
    );
    const unreadableShares = oldShares.filter((share) => readShareParty(share) === undefined);
    const idProperty = choosePartyIdProperty(rule, oldShares);
    return [
      ...unreadableShares,
      ...parties.map((party) => sharesByParty.get(getFormPartyKey(party)) ?? createShare(party, idProperty)),
    ];
  });
}

function choosePartyIdProperty(rule: JsonValue, shares: readonly JsonValue[]): 'party' | 'partyId' {
  const shareWithId = shares.find(
    (share) => getProperty(share, 'party') !== undefined || getProperty(share, 'partyId') !== undefined,
  );
  if (shareWithId !== undefined) {
    return getProperty(shareWithId, 'party') === undefined ? 'partyId' : 'party';
  }
  return isLiveFormRule(rule) ? 'partyId' : 'party';
}

function createShare({ type, id = '' }: FormParty, idProperty: 'party' | 'partyId'): JsonObject {
  const number = parsePartyNumber(id);
  return type === 'default'
    ? { type }
    : { [idProperty]: number === undefined ? id : { bound: number }, type };
}

/** Creates a rule in the same datamodel as another rule. */
function createSiblingRule(siblingRule: JsonValue | undefined, rule: NewFormRule): JsonValue {
  const sibling = siblingRule ?? {};
  const binding = isLiveFormRule(sibling) ? getLiveBinding(sibling) : getExtractBinding(sibling);
  const ruleWithoutKind: JsonObject = {
    ...binding,
    table: rule.table,
    column: rule.column,
    datatype: rule.datatype,
    members: [...rule.members],
    allMembers: null,
    shares: [],
  };
  const ruleWithKind = withKind(ruleWithoutKind, rule.ruleKind);
  const idProperty = choosePartyIdProperty(
    sibling,
    isJsonArray(getProperty(sibling, 'shares'))
      ? (getProperty(sibling, 'shares') as readonly JsonValue[])
      : [],
  );
  return withProperty(
    ruleWithKind,
    'shares',
    rule.parties.map((party) => createShare(party, idProperty)),
  );
}

const getLiveBinding = (sibling: JsonValue): JsonObject => ({
  fullname: getProperty(sibling, 'fullname') ?? livePrefix,
  live: true,
});

function getExtractBinding(sibling: JsonValue): JsonObject {
  const { server, datamodel } = readRuleFields(sibling);
  // A rule whose datamodel is in the path of the request does not repeat it
  // (rest-api.md, "Data security rule, extract datamodel").
  return server === '' && datamodel === '' ? {} : { server, elasticube: datamodel };
}

function splitRule(rules: readonly JsonValue[], ruleIndex: number, party: FormParty): readonly JsonValue[] {
  const rule = rules[ruleIndex];
  if (rule === undefined) {
    return rules;
  }
  const { parties } = readRuleFields(rule);
  const otherParties = parties.filter((other) => getFormPartyKey(other) !== getFormPartyKey(party));
  if (otherParties.length === parties.length || otherParties.length === 0) {
    return rules;
  }
  const shares = getProperty(rule, 'shares');
  const partyShares = isJsonArray(shares)
    ? shares.filter((share) => {
        const shareParty = readShareParty(share);
        return shareParty !== undefined && getFormPartyKey(shareParty) === getFormPartyKey(party);
      })
    : [];
  // The server assigns the ID of a new rule, so the copy must not have one (rest-api.md, "Data security rule" 1).
  const copy = withProperty(withProperty(rule, '_id', undefined), 'shares', [...partyShares]);
  return rules.flatMap((candidate, index) =>
    index === ruleIndex ? [withParties(candidate, otherParties), copy] : [candidate],
  );
}

/**
 * Changes the content of a grid cell, which is the access of a party to a column. A rule for this party alone is
 * changed where it is, so that its comments and its ID are kept; a rule that is also for other parties doesn't change
 * for them.
 */
function applyCellEdit(document: JsonValue, { party, column, value }: FormCellEdit): JsonValue {
  const [firstIndex, ...otherIndexes] = findRuleIndexes(document, party, column);
  const [firstGrant, ...otherGrants] = value;
  // In reverse order, since removing a rule shifts the indexes of those after it.
  const withoutOthers = otherIndexes
    .reverse()
    .reduce((changed, index) => removeParty(changed, index, party), document);
  if (firstIndex === undefined) {
    return addRules(withoutOthers, { party, column, value });
  }
  return firstGrant === undefined
    ? removeParty(withoutOthers, firstIndex, party)
    : addRules(setGrant(withoutOthers, firstIndex, party, firstGrant), { party, column, value: otherGrants });
}

/** Returns the indexes of the rules of a cell. */
const findRuleIndexes = (
  document: JsonValue,
  party: FormParty,
  { table, column }: FormCellEdit['column'],
): number[] =>
  getDocumentRules(document).flatMap((rule, index) =>
    // Compared first: reading all fields of all rules for each of many pasted cells would be slow.
    getProperty(rule, 'table') === table &&
    getProperty(rule, 'column') === column &&
    readRuleFields(rule).parties.some((other) => isSameParty(other, party))
      ? [index]
      : [],
  );

const isSameParty = (a: FormParty, b: FormParty): boolean => getFormPartyKey(a) === getFormPartyKey(b);

const readParties = (document: JsonValue, index: number): readonly FormParty[] =>
  readRuleFields(getDocumentRules(document)[index] ?? null).parties;

function removeParty(document: JsonValue, index: number, party: FormParty): JsonValue {
  const otherParties = readParties(document, index).filter((other) => !isSameParty(other, party));
  return otherParties.length === 0
    ? applyRuleSetEdit(document, { kind: 'removeRules', rules: [index] })
    : applyRuleSetEdit(document, {
        kind: 'rule',
        rule: index,
        edit: { kind: 'parties', values: otherParties },
      });
}

/**
 * Sets what a rule grants to one of its parties. If the rule has other parties, this one gets its own rule after it.
 */
function setGrant(document: JsonValue, index: number, party: FormParty, grant: FormGrant): JsonValue {
  const isShared = readParties(document, index).some((other) => !isSameParty(other, party));
  const splitDocument = isShared
    ? applyRuleSetEdit(document, { kind: 'splitRule', rule: index, party })
    : document;
  const rule = isShared ? index + 1 : index;
  const documentWithKind = applyRuleSetEdit(splitDocument, {
    kind: 'rule',
    rule,
    edit: { kind: 'ruleKind', value: getRuleKind(grant) },
  });
  return applyRuleSetEdit(documentWithKind, {
    kind: 'rule',
    rule,
    edit: { kind: 'members', values: grant.values },
  });
}

const addRules = (document: JsonValue, { party, column, value }: FormCellEdit): JsonValue =>
  value.reduce(
    (changed, grant) =>
      applyRuleSetEdit(changed, {
        kind: 'addRule',
        rule: { ...column, ruleKind: getRuleKind(grant), members: grant.values, parties: [party] },
      }),
    document,
  );

/** Returns the kind of rule for a grant: without values, `except` grants everything and `only` grants nothing. */
function getRuleKind({ kind, values }: FormGrant): RuleKind {
  if (values.length > 0) {
    return kind;
  }
  return kind === 'except' ? 'everything' : 'nothing';
}
