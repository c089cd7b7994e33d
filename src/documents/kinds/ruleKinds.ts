import { ruleActionOf } from '../../changes/rules/ruleAction.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import type { Answer } from '../../client/answer.ts';
import {
  extractRuleChangePayload,
  newExtractRulePayload,
  newLiveRulePayload,
} from '../../client/payloads/rulePayload.ts';
import { type JsonObject, type JsonValue, isJsonObject, memberOf } from '../../base/json.ts';
import { refKey } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { serverMadeRuleFields, serverMadeShareFields } from '../../contract/rule.ts';
import type { Write } from '../../changes/model/operation.ts';
import {
  liveRuleReplacement,
  ruleCreation,
  ruleDeletion,
  ruleUpdate,
} from '../../changes/rules/ruleWrites.ts';
import { sameJson } from '../../base/canonicalJson.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { DocumentRefusal } from '../refusals.ts';
import { type DocumentKind, type Done, itemsOf, objectOf, onlyEdited } from './documentKind.ts';

type RuleRef = Extract<DocumentRef, { kind: 'rule' }>;
type ColumnRulesRef = Extract<DocumentRef, { kind: 'columnRules' }>;
type ExtractSubject = Extract<RuleSubject, { kind: 'extract' }>;

/** What a rule is of, and what the server makes of it: a change of the rule leaves these alone. */
const fixed: readonly string[] = ['_id', 'server', 'elasticube', 'fullname', 'live', ...serverMadeRuleFields];
const isEditable = (name: string): boolean => !fixed.includes(name);

/** One rule. Rules have no address of their own: they are found in the list of their subject. */
export const ruleKind: DocumentKind<RuleRef> = {
  language: 'jsonc',
  isEditable,
  sourceKey: ({ subject }) => refKey({ kind: 'rules', subject }),
  ask: (client, { subject }, signal) => listRules(client, subject, signal),
  show: (source, { ruleId }) => ruleIn(itemsOf(source), ruleId),
  writes(ref, { source, before, next }) {
    const rule = objectOf(next);
    onlyEdited(before, rule, isEditable);
    const stored = ruleIn(itemsOf(source), ref.ruleId);
    if (stored === undefined) {
      throw new DocumentRefusal('gone');
    }
    return sameRule(stored, rule) ? [] : changeOf(ref.subject, stored, rule);
  },
  after: (_ref, done) => rulesAfter(done),
};

/** The rules of one column; a save is the least that makes the server's set this one. */
export const columnRulesKind: DocumentKind<ColumnRulesRef> = {
  language: 'jsonc',
  sourceKey: (ref) => refKey(ref.subject.kind === 'live' ? { kind: 'rules', subject: ref.subject } : ref),
  ask: (client, { subject, table, column }, signal) =>
    subject.kind === 'live'
      ? listRules(client, subject, signal)
      : client.extractRules.listByColumn({ ...namesOf(subject), table, column }, signal),
  show: (source, ref) => itemsOf(source).filter((rule) => isOfColumn(rule, ref)),
  writes(ref, { source, before, next }) {
    if (!Array.isArray(next)) {
      throw new DocumentRefusal('wrong-shape', { paths: [[]] });
    }
    const rules = next.map((rule: JsonValue, index) => objectOf(rule, [index]));
    const stored = itemsOf(source)
      .filter(isJsonObject)
      .filter((rule) => isOfColumn(rule, ref));
    checkSet(ref, stored, itemsOf(before), rules);
    const added = rules.filter((rule) => idOf(rule) === undefined);
    return [
      ...(added.length === 0 ? [] : [creationOf(ref.subject, added)]),
      ...rules.flatMap((after) => {
        const now = ruleIn(stored, idOf(after) ?? '');
        return now === undefined || sameRule(now, after) ? [] : changeOf(ref.subject, now, after);
      }),
      ...withoutKept(stored, rules).map((rule) => ruleDeletion(ref.subject, idOf(rule) ?? '')),
    ];
  },
  after: (_ref, done) => rulesAfter(done),
};

const idOf = (rule: JsonValue): string | undefined => {
  const id = memberOf(rule, '_id');
  return typeof id === 'string' && id !== '' ? id : undefined;
};

const ruleIn = (rules: readonly JsonValue[], id: string): JsonObject | undefined =>
  rules.filter(isJsonObject).find((rule) => idOf(rule) === id);

const isOfColumn = (rule: JsonValue, { table, column }: ColumnRulesRef): boolean =>
  memberOf(rule, 'table') === table && memberOf(rule, 'column') === column;

const madeShareFields: readonly string[] = serverMadeShareFields;

const sameRule = (a: JsonObject, b: JsonObject): boolean =>
  sameJson(withPlainShares(a), withPlainShares(b), (name) => !isEditable(name));

/** Parties are spelled one way where they are written and another where they are read (platform-facts 3.1). */
const withPlainShares = (rule: JsonObject): JsonObject => ({
  ...rule,
  shares: itemsOf(rule['shares']).map((share): JsonValue => {
    const { party, ...fields } = isJsonObject(share) ? share : {};
    const plain = Object.entries(fields).filter(([name]) => !madeShareFields.includes(name));
    return { ...(party === undefined ? {} : { partyId: party }), ...Object.fromEntries(plain) };
  }),
});

const namesOf = ({ server, elasticube }: ExtractSubject) => ({ server, elasticube });

const listRules = (
  client: PlatformClient,
  subject: RuleSubject,
  signal?: AbortSignal,
): Promise<Answer<unknown>> =>
  subject.kind === 'live'
    ? client.liveRules.list({ title: subject.title }, signal)
    : client.extractRules.list(namesOf(subject), signal);

/**
 * Each rule is of this column, each `_id` is one that the server has, once, and nothing of a rule is changed that a
 * write cannot carry.
 * @throws DocumentRefusal
 */
function checkSet(
  ref: ColumnRulesRef,
  stored: readonly JsonValue[],
  before: readonly JsonValue[],
  rules: readonly JsonObject[],
): void {
  const seen = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    if (!isOfColumn(rule, ref)) {
      const name = rule['table'] === ref.table ? 'column' : 'table';
      throw new DocumentRefusal('not-editable', { paths: [[index, name]] });
    }
    const id = idOf(rule);
    if (id === undefined) {
      continue;
    }
    const former = ruleIn(before, id) ?? ruleIn(stored, id);
    if (former === undefined || ruleIn(stored, id) === undefined || seen.has(id)) {
      throw new DocumentRefusal('unknown-item', { paths: [[index, '_id']] });
    }
    seen.add(id);
    onlyEdited(former, rule, isEditable, [index]);
  }
}

/** The rules that have an `_id` which none of the others has any more. */
function withoutKept(stored: readonly JsonObject[], rules: readonly JsonObject[]): readonly JsonObject[] {
  const kept = new Set(rules.map(idOf));
  return stored.filter((rule) => idOf(rule) !== undefined && !kept.has(idOf(rule)));
}

/** PUT of an extract rule; a live one has none, so that another takes its place. */
const changeOf = (subject: RuleSubject, stored: JsonObject, rule: JsonObject): readonly Write[] =>
  subject.kind === 'live'
    ? liveRuleReplacement(subject, stored, newLiveRulePayload(rule, subject.title))
    : [ruleUpdate(subject, extractRuleChangePayload({ ...rule, ...namesOf(subject) }, idOf(stored) ?? ''))];

const creationOf = (subject: RuleSubject, rules: readonly JsonObject[]): Write =>
  ruleCreation(
    subject,
    rules.map((rule) =>
      subject.kind === 'live' ? newLiveRulePayload(rule, subject.title) : newExtractRulePayload(rule),
    ),
  );

/**
 * A text names rules as they were called when it was made. Those that were undone or replaced since are called
 * otherwise, and what the server makes of them is another: both are taken from the rules of now.
 */
export const withCurrentIds = (
  { subject }: ColumnRulesRef,
  next: JsonValue,
  now: { readonly source: JsonValue; readonly currentRule: (rule: RuleRef) => string },
): JsonValue =>
  Array.isArray(next)
    ? next.map((rule: JsonValue): JsonValue => {
        const ruleId = idOf(rule);
        const current = ruleId === undefined ? undefined : now.currentRule({ kind: 'rule', subject, ruleId });
        const stored = current === ruleId ? undefined : ruleIn(itemsOf(now.source), current ?? '');
        return stored === undefined || !isJsonObject(rule)
          ? rule
          : { ...fieldsOf(rule, isEditable), ...fieldsOf(stored, (name) => !isEditable(name)) };
      })
    : next;

const fieldsOf = (rule: JsonObject, isTaken: (name: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => isTaken(name)));

/**
 * The list of rules after the writes, as their answers tell. What is added comes last: a rule that took the place of
 * another may have its `_id`.
 */
function rulesAfter({ source, writes, answers }: Done): JsonValue {
  let rules = itemsOf(source);
  const added: JsonValue[] = [];
  for (const [index, write] of writes.entries()) {
    const { params, body } = write;
    const action = ruleActionOf(write);
    const answer = answers[index];
    const id = params['ruleId'];
    if (action === 'create') {
      added.push(...(Array.isArray(answer) ? (answer as JsonValue[]) : itemsOf(body)));
    } else if (action === 'delete') {
      rules = rules.filter((rule) => idOf(rule) !== id);
    } else {
      const changed = isJsonObject(answer) && idOf(answer) === id ? answer : (body ?? null);
      rules = rules.map((rule) => (idOf(rule) === id ? changed : rule));
    }
  }
  return [...rules, ...added];
}
