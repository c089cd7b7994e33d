import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type RuleSubject, getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { livePrefix, serverManagedRuleFields } from '../../contract/rule.ts';
import {
  createColumnRulesDeletionWrite,
  createRuleCreationWrite,
  createRuleDeletionWrite,
  createRuleWrites,
  type RuleChange,
} from '../rules/ruleWrites.ts';
import type { Operation, OperationCause } from '../model/operation.ts';
import { type OperationLocation, createOperation } from '../model/operationLocation.ts';
import { omitMembers } from '../model/jsonMembers.ts';

/** A user or group, or everyone else (`default`). */
export type RuleParty =
  | { readonly type: 'user' | 'group'; readonly id: string }
  | { readonly type: 'default' };

/** The values of a column that a rule grants to its parties (platform-facts.md, 3.2). */
export type RuleGrant =
  | { readonly kind: 'everything' | 'nothing' }
  | { readonly kind: 'only' | 'except'; readonly members: readonly string[] };

/** The content of a new rule. */
export interface RuleInput {
  readonly table: string;
  readonly column: string;
  readonly datatype: 'text' | 'numeric';
  readonly grant: RuleGrant;
  readonly parties: readonly RuleParty[];
}

/**
 * Creates the document of a rule for an extract datamodel, a cube set or a live datamodel. A live rule names its
 * parties by `partyId`, and has `live` and `fullname` (rest-api.md, "Data security rule"). It has `exclusionary` only
 * if it hides values: that field of live rules is in the vendor's contract (platform-facts.md, 6.2), but not in the
 * guide.
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
    // True grants all values, false without members grants none, and with members it must be null
    // (rest-api.md, "Data security rule").
    allMembers: { everything: true, nothing: false, only: null, except: null }[grant.kind],
    ...(isLive && grant.kind !== 'except' ? {} : { exclusionary: grant.kind === 'except' }),
    shares,
  };
}

/** Creates the operation that adds a rule and further rules on the same column. */
export const createRuleCreationOperation = (
  location: OperationLocation,
  subject: RuleSubject,
  input: RuleInput,
  ...otherInputs: readonly RuleInput[]
): Operation =>
  createRulesCreationOperation(
    location,
    subject,
    [input, ...otherInputs].map((ruleInput) => createRuleDocument(subject, ruleInput)),
    `${input.table}.${input.column}`,
    'create',
  );

/** Creates the operation that copies a rule for other parties, without the members that the server assigned. */
export const createRuleDuplicationOperation = (
  location: OperationLocation,
  subject: RuleSubject,
  rule: JsonObject,
  parties: readonly RuleParty[],
): Operation => {
  const content = omitMembers(rule, '_id', ...serverManagedRuleFields);
  const key = subject.kind === 'live' ? 'partyId' : 'party';
  const shares = parties.map((party) =>
    party.type === 'default' ? { type: 'default' } : { [key]: party.id, type: party.type },
  );
  return createRulesCreationOperation(
    location,
    subject,
    [{ ...content, shares }],
    `${toText(rule['table'])}.${toText(rule['column'])}`,
    'duplicate',
  );
};

/** Creates the operation that deletes one rule. What its column shows then depends on the remaining rules. */
export const createRuleDeletionOperation = (
  location: OperationLocation,
  subject: RuleSubject,
  ruleId: string,
  name: string,
): Operation => createOperation(location, 'delete', name, [createRuleDeletionWrite(subject, ruleId)]);

/** Creates the operation that deletes all rules of a column, which then restricts no one (platform-facts.md, 3.3). */
export const createColumnRulesDeletionOperation = (
  location: OperationLocation,
  subject: RuleSubject,
  table: string,
  column: string,
): Operation =>
  createOperation(location, 'delete', `${table}.${column}`, [
    createColumnRulesDeletionWrite(subject, table, column),
  ]);

/**
 * Creates the operation that changes many rules of a datamodel or cube set without widening access in between.
 * @param maxBytes the maximum body of one request, in bytes of UTF-8
 * @throws RuleChangeRefusedError for a rule to update or delete that has no ID
 */
export const createBulkRuleOperation = (
  location: OperationLocation,
  subject: RuleSubject,
  change: RuleChange,
  maxBytes?: number,
): Operation =>
  createOperation(location, 'bulk', getSubjectTitle(subject), createRuleWrites(subject, change, maxBytes));

/**
 * Creates the operation that adds rules to several extract datamodels and cube sets, one after the other, so that the
 * rules of each are changed in a safe order and read back. The bulk request for several cubes
 * (rest-api.md, "Data security, extract datamodels") is not used, since it may fail at an unknown point.
 */
export const createRuleCopyOperation = (
  location: OperationLocation,
  subjects: readonly Extract<RuleSubject, { kind: 'extract' }>[],
  rules: readonly JsonObject[],
  name: string,
): Operation => {
  const getRulesOfCube = ({ server, elasticube }: Extract<RuleSubject, { kind: 'extract' }>) =>
    rules.map(({ _id, fullname: _fullname, live: _live, ...rule }) => ({ ...rule, server, elasticube }));
  const writes = subjects.flatMap((subject) =>
    createRuleWrites(subject, { adds: getRulesOfCube(subject), deletes: [] }),
  );
  return createOperation(location, 'duplicate', name, writes);
};

function createRulesCreationOperation(
  location: OperationLocation,
  subject: RuleSubject,
  rules: readonly JsonObject[],
  name: string,
  cause: OperationCause,
): Operation {
  return createOperation(location, cause, name, [createRuleCreationWrite(subject, rules)]);
}

const toText = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
