import { getRuleAction } from '../../changes/rules/ruleAction.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import type { ApiResponse } from '../../client/apiResponse.ts';
import {
  createExtractRuleChangePayload,
  createExtractRulePayload,
  createLiveRulePayload,
} from '../../client/payloads/rulePayload.ts';
import { type JsonObject, type JsonValue, isJsonObject, getMember } from '../../base/json.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { serverManagedRuleFields, serverManagedShareFields } from '../../contract/rule.ts';
import type { Write } from '../../changes/model/operation.ts';
import {
  createLiveRuleReplacementWrites,
  createRuleCreationWrite,
  createRuleDeletionWrite,
  createRuleUpdateWrite,
} from '../../changes/rules/ruleWrites.ts';
import { jsonEquals } from '../../base/canonicalJson.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { DocumentRefusedError } from '../refusals.ts';
import {
  type DocumentKindDescriptor,
  type CompletedWrites,
  getListItems,
  requireObjectValue,
  checkOnlyEditable,
} from './documentKind.ts';

type RuleRef = Extract<DocumentRef, { kind: 'rule' }>;
type ColumnRulesRef = Extract<DocumentRef, { kind: 'columnRules' }>;
type ExtractSubject = Extract<RuleSubject, { kind: 'extract' }>;

/** Fields that identify a rule or are assigned by the server: users can't edit these. */
const fixedFields: readonly string[] = [
  '_id',
  'server',
  'elasticube',
  'fullname',
  'live',
  ...serverManagedRuleFields,
];
export const isEditableRuleField = (name: string): boolean => !fixedFields.includes(name);

/** One rule. The API has no request for a single rule: it is read from the list of its datamodel or cube set. */
export const ruleKind: DocumentKindDescriptor<RuleRef> = {
  language: 'jsonc',
  isEditable: isEditableRuleField,
  getSourceKey: ({ subject }) => getRefKey({ kind: 'rules', subject }),
  fetch: (client, { subject }, signal) => fetchRuleDocuments(client, subject, signal),
  getVisiblePart: (source, { ruleId }) => findRule(getListItems(source), ruleId),
  createWrites(ref, { source, before, next }) {
    const rule = requireObjectValue(next);
    checkOnlyEditable(before, rule, isEditableRuleField);
    const storedRule = findRule(getListItems(source), ref.ruleId);
    if (storedRule === undefined) {
      throw new DocumentRefusedError('gone');
    }
    return isSameRule(storedRule, rule) ? [] : createChangeWrites(ref.subject, storedRule, rule);
  },
  applyWrites: (_ref, completed) => applyRuleWrites(completed),
};

/** The rules of one column. A save sends the fewest writes that turn the server's rules into these. */
export const columnRulesKind: DocumentKindDescriptor<ColumnRulesRef> = {
  language: 'jsonc',
  getSourceKey: (ref) =>
    getRefKey(ref.subject.kind === 'live' ? { kind: 'rules', subject: ref.subject } : ref),
  fetch: (client, { subject, table, column }, signal) =>
    subject.kind === 'live'
      ? fetchRuleDocuments(client, subject, signal)
      : client.extractRules.listByColumn({ ...getCubeFields(subject), table, column }, signal),
  getVisiblePart: (source, ref) => getListItems(source).filter((rule) => belongsToColumn(rule, ref)),
  createWrites(ref, { source, before, next }) {
    if (!Array.isArray(next)) {
      throw new DocumentRefusedError('wrong-shape', { paths: [[]] });
    }
    const rules = next.map((rule: JsonValue, index) => requireObjectValue(rule, [index]));
    const storedRules = getListItems(source)
      .filter(isJsonObject)
      .filter((rule) => belongsToColumn(rule, ref));
    checkRuleSet(ref, storedRules, getListItems(before), rules);
    const newRules = rules.filter((rule) => getRuleId(rule) === undefined);
    return [
      ...(newRules.length === 0 ? [] : [createCreationWrite(ref.subject, newRules)]),
      ...rules.flatMap((rule) => {
        const storedRule = findRule(storedRules, getRuleId(rule) ?? '');
        return storedRule === undefined || isSameRule(storedRule, rule)
          ? []
          : createChangeWrites(ref.subject, storedRule, rule);
      }),
      ...findRemovedRules(storedRules, rules).map((rule) =>
        createRuleDeletionWrite(ref.subject, getRuleId(rule) ?? ''),
      ),
    ];
  },
  applyWrites: (_ref, completed) => applyRuleWrites(completed),
};

const getRuleId = (rule: JsonValue): string | undefined => {
  const id = getMember(rule, '_id');
  return typeof id === 'string' && id !== '' ? id : undefined;
};

const findRule = (rules: readonly JsonValue[], id: string): JsonObject | undefined =>
  rules.filter(isJsonObject).find((rule) => getRuleId(rule) === id);

const belongsToColumn = (rule: JsonValue, { table, column }: ColumnRulesRef): boolean =>
  getMember(rule, 'table') === table && getMember(rule, 'column') === column;

const serverShareFields: readonly string[] = serverManagedShareFields;

const isSameRule = (a: JsonObject, b: JsonObject): boolean =>
  jsonEquals(withNormalizedShares(a), withNormalizedShares(b), (name) => !isEditableRuleField(name));

/**
 * Uses the key `partyId` for every party, since requests and responses use different keys (platform-facts.md, 3.1), and
 * omits the fields of shares that the server manages.
 */
const withNormalizedShares = (rule: JsonObject): JsonObject => ({
  ...rule,
  shares: getListItems(rule['shares']).map((share): JsonValue => {
    const { party, ...fields } = isJsonObject(share) ? share : {};
    const fieldsToCompare = Object.entries(fields).filter(([name]) => !serverShareFields.includes(name));
    return { ...(party === undefined ? {} : { partyId: party }), ...Object.fromEntries(fieldsToCompare) };
  }),
});

const getCubeFields = ({ server, elasticube }: ExtractSubject) => ({ server, elasticube });

/** Reads the rules of a datamodel or cube set. */
export const fetchRuleDocuments = (
  client: PlatformClient,
  subject: RuleSubject,
  signal?: AbortSignal,
): Promise<ApiResponse<unknown>> =>
  subject.kind === 'live'
    ? client.liveRules.list({ title: subject.title }, signal)
    : client.extractRules.list(getCubeFields(subject), signal);

/**
 * Checks that each rule belongs to this column, that each `_id` exists on the server and occurs once, and that only
 * editable fields of the rules were changed.
 * @throws DocumentRefusedError
 */
function checkRuleSet(
  ref: ColumnRulesRef,
  storedRules: readonly JsonValue[],
  before: readonly JsonValue[],
  rules: readonly JsonObject[],
): void {
  const seenIds = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    if (!belongsToColumn(rule, ref)) {
      const name = rule['table'] === ref.table ? 'column' : 'table';
      throw new DocumentRefusedError('not-editable', { paths: [[index, name]] });
    }
    const id = getRuleId(rule);
    if (id === undefined) {
      continue;
    }
    const previousRule = findRule(before, id) ?? findRule(storedRules, id);
    if (previousRule === undefined || findRule(storedRules, id) === undefined || seenIds.has(id)) {
      throw new DocumentRefusedError('unknown-item', { paths: [[index, '_id']] });
    }
    seenIds.add(id);
    checkOnlyEditable(previousRule, rule, isEditableRuleField, [index]);
  }
}

/** Returns the stored rules that are no longer in the list. */
function findRemovedRules(
  storedRules: readonly JsonObject[],
  rules: readonly JsonObject[],
): readonly JsonObject[] {
  const keptIds = new Set(rules.map(getRuleId));
  return storedRules.filter((rule) => getRuleId(rule) !== undefined && !keptIds.has(getRuleId(rule)));
}

/**
 * Creates the writes that change a rule: a PUT for an extract rule. A live rule can't be updated, so it is replaced by
 * a new one.
 */
const createChangeWrites = (
  subject: RuleSubject,
  storedRule: JsonObject,
  rule: JsonObject,
): readonly Write[] =>
  subject.kind === 'live'
    ? createLiveRuleReplacementWrites(subject, storedRule, createLiveRulePayload(rule, subject.title))
    : [
        createRuleUpdateWrite(
          subject,
          createExtractRuleChangePayload({ ...rule, ...getCubeFields(subject) }, getRuleId(storedRule) ?? ''),
        ),
      ];

/** Creates the write that adds rules with the fields that the platform accepts. */
export const createCreationWrite = (subject: RuleSubject, rules: readonly JsonObject[]): Write =>
  createRuleCreationWrite(
    subject,
    rules.map((rule) =>
      subject.kind === 'live' ? createLiveRulePayload(rule, subject.title) : createExtractRulePayload(rule),
    ),
  );

/**
 * Updates the IDs of the rules in an edited list; returns any other value unchanged. Rules that were restored or
 * replaced since the list was read have other IDs and other server-assigned fields: both are copied from the current
 * rules.
 */
export const withCurrentIds = (
  { subject }: ColumnRulesRef,
  next: JsonValue,
  server: { readonly source: JsonValue; readonly getCurrentRuleId: (rule: RuleRef) => string },
): JsonValue =>
  Array.isArray(next)
    ? next.map((rule: JsonValue): JsonValue => {
        const ruleId = getRuleId(rule);
        const currentId =
          ruleId === undefined ? undefined : server.getCurrentRuleId({ kind: 'rule', subject, ruleId });
        const storedRule =
          currentId === ruleId ? undefined : findRule(getListItems(server.source), currentId ?? '');
        return storedRule === undefined || !isJsonObject(rule)
          ? rule
          : {
              ...pickFields(rule, isEditableRuleField),
              ...pickFields(storedRule, (name) => !isEditableRuleField(name)),
            };
      })
    : next;

const pickFields = (rule: JsonObject, isIncluded: (name: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => isIncluded(name)));

/**
 * Returns the list of rules after the writes, according to their responses. Added rules are appended at the end, so
 * that the deletion of a rule does not remove its replacement, which may have the same `_id`.
 */
export function applyRuleWrites({ source, writes, responses }: CompletedWrites): JsonValue {
  let rules = getListItems(source);
  const addedRules: JsonValue[] = [];
  for (const [index, write] of writes.entries()) {
    const { params, body } = write;
    const action = getRuleAction(write);
    const response = responses[index];
    const id = params['ruleId'];
    if (action === 'create') {
      addedRules.push(...(Array.isArray(response) ? (response as JsonValue[]) : getListItems(body)));
    } else if (action === 'delete') {
      rules = rules.filter((rule) => getRuleId(rule) !== id);
    } else {
      const changedRule = isJsonObject(response) && getRuleId(response) === id ? response : (body ?? null);
      rules = rules.map((rule) => (getRuleId(rule) === id ? changedRule : rule));
    }
  }
  return [...rules, ...addedRules];
}
