import { type JsonObject, stringify } from '../../base/json.ts';
import { type RuleSubject } from '../../catalog/ruleSubject.ts';
import { serverManagedRuleFields } from '../../contract/rule.ts';
import type { DeletedRule } from '../../security/change/ruleDifference.ts';
import { isNonEmptyString, type UnknownObject } from '../../security/readRules.ts';
import { isPartOfReplacement } from '../model/liveRuleReplacement.ts';
import type { RuleBatch, Write } from '../model/operation.ts';
import { omitMembers } from '../model/jsonMembers.ts';
import { RuleChangeRefusedError } from './ruleTarget.ts';

/** The default maximum body of one request, in bytes of UTF-8; the API guide specifies no limit. */
export const defaultBatchBytes = 256 * 1024;

/** The maximum number of deletions in one write, which the history shows as one step. */
const maxDeletionsPerWrite = 1000;

/** A change of many rules. */
export interface RuleChange {
  readonly adds: readonly UnknownObject[];
  readonly deletes: readonly DeletedRule[];
  /** Rules that change, with their IDs. */
  readonly updates?: readonly { readonly before: JsonObject; readonly after: JsonObject }[];
}

/**
 * Creates the writes of a change of many rules, for everything that changes rules in bulk: imports, the grid of rules,
 * the apply of a project, copies, replaced parties, and undos. Rules of an extract datamodel are updated in place;
 * instead of a live rule, a new one is added and the old one deleted (rest-api.md, "Data security, live datamodels").
 * The order of the requests, and the needed temporary deny rules, are computed when they are sent
 * (`src/changes/rules`).
 * @throws RuleChangeRefusedError for a rule without an ID, which can't be updated or deleted
 */
export function createRuleWrites(
  subject: RuleSubject,
  { adds, deletes, updates = [] }: RuleChange,
  maxBytes = defaultBatchBytes,
): readonly Write[] {
  if (subject.kind === 'live' && updates.length > 0) {
    const change = {
      adds: [...adds, ...updates.map(({ after }) => omitMembers(after, '_id', ...serverManagedRuleFields))],
      deletes: [...deletes, ...updates.map(({ before }, index) => ({ rule: before, index }))],
    };
    return createRuleWrites(subject, change, maxBytes);
  }
  return [
    ...updates.map(({ after }) => createRuleUpdateWrite(subject, after)),
    ...chunkRules(adds, maxBytes).map((rules) => createBulkCreationWrite(subject, rules, maxBytes)),
    ...chunkIds(deletes.map(({ rule }) => getRequiredId(rule))).map((ids) =>
      createBulkDeletionWrite(subject, { ids }),
    ),
  ];
}

/**
 * Creates the writes that replace a live rule with another, since it can't be updated
 * (rest-api.md, "Data security, live datamodels").
 * @param oldRule the current rule, with its `_id`
 * @param newRule the new rule; IDs and fields that the server assigns are removed when it is sent
 * @throws RuleChangeRefusedError if the current rule has no ID
 */
export function createLiveRuleReplacementWrites(
  subject: Extract<RuleSubject, { kind: 'live' }>,
  oldRule: JsonObject,
  newRule: JsonObject,
): readonly Write[] {
  const ruleId = getRequiredId(oldRule);
  return [
    { ...createRuleCreationWrite(subject, [newRule]), step: 'replaced' },
    { ...createRuleDeletionWrite(subject, ruleId), step: 'replaced' },
  ];
}

/** Returns whether an operation replaces one live rule with another. */
export const isLiveReplacement = ([created, deleted, ...others]: readonly Write[]): boolean =>
  created?.endpoint === 'liveRules.create' &&
  isPartOfReplacement(created) &&
  deleted?.endpoint === 'liveRules.delete' &&
  isPartOfReplacement(deleted) &&
  others.length === 0;

/** Creates the write that adds rules to a datamodel or cube set. */
export const createRuleCreationWrite = (subject: RuleSubject, rules: readonly JsonObject[]): Write => ({
  endpoint: subject.kind === 'live' ? 'liveRules.create' : 'extractRules.create',
  params: getSubjectParams(subject),
  target: { kind: 'rules', subject },
  body: rules,
});

/**
 * Creates the write that replaces an extract rule in place.
 * @throws RuleChangeRefusedError if the rule has no ID
 */
export function createRuleUpdateWrite(subject: RuleSubject, rule: JsonObject): Write {
  const ruleId = getRequiredId(rule);
  return {
    endpoint: 'extractRules.update',
    params: { ruleId },
    body: rule,
    target: { kind: 'rule', subject, ruleId },
  };
}

/** Creates the write that deletes one rule. */
export const createRuleDeletionWrite = (subject: RuleSubject, ruleId: string): Write => ({
  endpoint: subject.kind === 'live' ? 'liveRules.delete' : 'extractRules.delete',
  params: { ruleId },
  target: { kind: 'rule', subject, ruleId },
});

/** Creates the write that deletes all rules of a column in one request. */
export const createColumnRulesDeletionWrite = (
  subject: RuleSubject,
  table: string,
  column: string,
): Write => ({
  endpoint: subject.kind === 'live' ? 'liveRules.deleteByColumn' : 'extractRules.deleteByColumn',
  params: { ...getSubjectParams(subject), table, column },
  target: { kind: 'columnRules', subject, table, column },
});

const getSubjectParams = (subject: RuleSubject): Record<string, string> =>
  subject.kind === 'live'
    ? { title: subject.title }
    : { server: subject.server, elasticube: subject.elasticube };

const createBulkCreationWrite = (
  subject: RuleSubject,
  rules: readonly UnknownObject[],
  maxBytes: number,
): Write => ({
  // The cast is safe: rules are parsed from JSON or built from strings and arrays.
  ...createRuleCreationWrite(subject, rules as readonly JsonObject[]),
  batch: maxBytes === defaultBatchBytes ? {} : { maxBytes },
});

const createBulkDeletionWrite = (subject: RuleSubject, batch: RuleBatch): Write => ({
  endpoint: subject.kind === 'live' ? 'liveRules.delete' : 'extractRules.delete',
  params: {},
  target: { kind: 'rules', subject },
  batch,
});

function getRequiredId(rule: UnknownObject): string {
  const id = rule['_id'];
  if (!isNonEmptyString(id)) {
    // The cast is safe: only rules of a server are updated or deleted.
    throw new RuleChangeRefusedError('no-identifier', rule as JsonObject);
  }
  return id;
}

/**
 * Splits rules into request bodies of up to `maxBytes`, in order. A single rule that exceeds the limit is sent alone.
 */
function chunkRules(
  rules: readonly UnknownObject[],
  maxBytes: number,
): readonly (readonly UnknownObject[])[] {
  const chunks: UnknownObject[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const rule of rules) {
    const size = new TextEncoder().encode(stringify(rule)).length + 1;
    if (bytes + size > maxBytes) {
      chunks.push([]);
      bytes = 1;
    }
    chunks.at(-1)?.push(rule);
    bytes += size;
  }
  return chunks;
}

const chunkIds = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / maxDeletionsPerWrite) }, (_chunk, index) =>
    ids.slice(index * maxDeletionsPerWrite, (index + 1) * maxDeletionsPerWrite),
  );
