import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type RuleSubject, getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { livePrefix } from '../../contract/rule.ts';
import type { RuleDifference } from '../../security/change/ruleDifference.ts';
import { columnRulesDeletion, ruleCreation, ruleDeletion, ruleWrites } from '../rules/ruleWrites.ts';
import type { Operation, OperationCause } from '../model/operation.ts';
import { type OperationLocation, createOperation } from '../model/operationLocation.ts';

export type RuleParty =
  | { readonly type: 'user' | 'group'; readonly id: string }
  | { readonly type: 'default' };

/** The part of a column that a rule lets its parties see, as encoded by platform-facts.md, 3.2. */
export type RuleGrant =
  | { readonly kind: 'everything' | 'nothing' }
  | { readonly kind: 'only' | 'except'; readonly members: readonly string[] };

export interface RuleInput {
  readonly table: string;
  readonly column: string;
  readonly datatype: 'text' | 'numeric';
  readonly grant: RuleGrant;
  readonly parties: readonly RuleParty[];
}

/**
 * Creates the document of a rule for an extract model, a cube set or a live model: each has its own word for the party,
 * and a live rule its own flag and name (rest-api.md, "Data security rule"). A live rule has `exclusionary` only if it
 * hides values: the guide does not know the field there, the contract (platform-facts.md, 6.2) does.
 */
export function createRuleDocument(subject: RuleSubject, input: RuleInput): JsonObject {
  const { table, column, datatype, grant } = input;
  const isLive = subject.kind === 'live';
  const shares = input.parties.map((party) =>
    party.type === 'default'
      ? { type: 'default' }
      : { [isLive ? 'partyId' : 'party']: party.id, type: party.type },
  );
  return {
    ...(isLive ? { fullname: `${livePrefix}${subject.title}`, live: true } : {}),
    table,
    column,
    datatype,
    members: 'members' in grant ? grant.members : [],
    // True covers all values, false with no member forbids all, and with members it must be null
    // (rest-api.md, "Data security rule").
    allMembers: { everything: true, nothing: false, only: null, except: null }[grant.kind],
    ...(isLive && grant.kind !== 'except' ? {} : { exclusionary: grant.kind === 'except' }),
    shares,
  };
}

export const createRule = (place: OperationLocation, subject: RuleSubject, input: RuleInput): Operation =>
  addRule(place, subject, createRuleDocument(subject, input), `${input.table}.${input.column}`, 'create');

/** Copies the rule for other parties, without the members that the server assigned. */
export const duplicateRule = (
  place: OperationLocation,
  subject: RuleSubject,
  rule: JsonObject,
  parties: readonly RuleParty[],
): Operation => {
  const { _id, created: _created, lastModified: _modified, importedIdIdentifier: _imported, ...rest } = rule;
  const key = subject.kind === 'live' ? 'partyId' : 'party';
  const shares = parties.map((party) =>
    party.type === 'default' ? { type: 'default' } : { [key]: party.id, type: party.type },
  );
  return addRule(
    place,
    subject,
    { ...rest, shares },
    `${text(rule['table'])}.${text(rule['column'])}`,
    'duplicate',
  );
};

/** Deletes one rule. What its column shows then depends on the remaining rules. */
export const deleteRule = (
  place: OperationLocation,
  subject: RuleSubject,
  ruleId: string,
  name: string,
): Operation => createOperation(place, 'delete', name, [ruleDeletion(subject, ruleId)]);

/** Deletes all rules of one column: without any, it restricts no one (platform-facts.md, 3.3). */
export const deleteColumnRules = (
  place: OperationLocation,
  subject: RuleSubject,
  table: string,
  column: string,
): Operation =>
  createOperation(place, 'delete', `${table}.${column}`, [columnRulesDeletion(subject, table, column)]);

/**
 * Changes many rules of a datamodel or cube set as one operation that doesn't widen anyone's access in between.
 * @param maxBytes the maximum body of one request
 * @throws RangeError for a rule to delete that has no ID
 */
export const changeManyRules = (
  place: OperationLocation,
  subject: RuleSubject,
  change: Pick<RuleDifference, 'adds' | 'deletes'>,
  maxBytes?: number,
): Operation =>
  createOperation(place, 'bulk', getSubjectTitle(subject), ruleWrites(subject, change, maxBytes));

/**
 * Adds rules to several extract datamodels and cube sets, one after the other, so that each is changed in a safe order
 * and its rules are read afterwards. The request for several cubes at once
 * (rest-api.md, "Data security, extract datamodels") may stop between two of them at an unknown point.
 */
export const addRuleToSeveral = (
  place: OperationLocation,
  subjects: readonly Extract<RuleSubject, { kind: 'extract' }>[],
  rules: readonly JsonObject[],
  name: string,
): Operation => {
  const rulesFor = ({ server, elasticube }: Extract<RuleSubject, { kind: 'extract' }>) =>
    rules.map(({ _id, fullname: _fullname, live: _live, ...rule }) => ({ ...rule, server, elasticube }));
  const writes = subjects.flatMap((subject) => ruleWrites(subject, { adds: rulesFor(subject), deletes: [] }));
  return createOperation(place, 'duplicate', name, writes);
};

function addRule(
  place: OperationLocation,
  subject: RuleSubject,
  rule: JsonObject,
  name: string,
  cause: OperationCause,
): Operation {
  return createOperation(place, cause, name, [ruleCreation(subject, [rule])]);
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
