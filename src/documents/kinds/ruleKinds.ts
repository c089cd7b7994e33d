import type { PlatformClient } from '../../api/platformClient.ts';
import type { Answer } from '../../api/answer.ts';
import {
  extractRuleChangePayload,
  newExtractRulePayload,
  newLiveRulePayload,
} from '../../api/payloads/rulePayload.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { refKey } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { serverMadeRuleFields } from '../../contract/rule.ts';
import { replaceLiveRule } from '../../writes/liveRuleReplacement.ts';
import type { Write } from '../../writes/operation.ts';
import { type RuleRequests, ruleSetWrites } from '../../writes/ruleSetWrites.ts';
import { sameJson } from '../../base/canonicalJson.ts';
import { memberOf } from '../canonical.ts';
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
    const steps = [
      ...rules.filter((rule) => idOf(rule) === undefined).map((after) => ({ after })),
      ...rules.flatMap((after) => {
        const now = ruleIn(stored, idOf(after) ?? '');
        return now === undefined || sameRule(now, after) ? [] : [{ before: now, after }];
      }),
      ...withoutKept(stored, rules).map((before) => ({ before })),
    ];
    return ruleSetWrites(ref.subject, steps, requestsOf(ref.subject));
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

const sameRule = (a: JsonObject, b: JsonObject): boolean => sameJson(a, b, (name) => !isEditable(name));

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

const requestsOf = (subject: RuleSubject): RuleRequests => ({
  create: (rules) => creationOf(subject, rules),
  change: (before, after) =>
    subject.kind === 'live'
      ? [
          { ...creationOf(subject, [after]), step: 'replaced' },
          { ...deletionOf(subject, idOf(before) ?? ''), step: 'replaced' },
        ]
      : [updateOf(subject, before, after)],
  remove: (rule) => deletionOf(subject, idOf(rule) ?? ''),
});

/** PUT of an extract rule; a live one has none, so that another takes its place behind a guard. */
const changeOf = (subject: RuleSubject, stored: JsonObject, rule: JsonObject): readonly Write[] =>
  subject.kind === 'live'
    ? replaceLiveRule(subject, stored, newLiveRulePayload(rule, subject.title))
    : [updateOf(subject, stored, rule)];

function updateOf(subject: ExtractSubject, stored: JsonObject, rule: JsonObject): Write {
  const ruleId = idOf(stored) ?? '';
  return {
    endpoint: 'extractRules.update',
    params: { ruleId },
    body: extractRuleChangePayload({ ...rule, ...namesOf(subject) }, ruleId),
    target: { kind: 'rule', subject, ruleId },
  };
}

function creationOf(subject: RuleSubject, rules: readonly JsonObject[]): Write {
  const target = { kind: 'rules', subject } as const;
  return subject.kind === 'live'
    ? {
        endpoint: 'liveRules.create',
        params: { title: subject.title },
        body: rules.map((rule) => newLiveRulePayload(rule, subject.title)),
        target,
      }
    : {
        endpoint: 'extractRules.create',
        params: namesOf(subject),
        body: rules.map((rule) => newExtractRulePayload(rule)),
        target,
      };
}

const deletionOf = (subject: RuleSubject, ruleId: string): Write => ({
  endpoint: subject.kind === 'live' ? 'liveRules.delete' : 'extractRules.delete',
  params: { ruleId },
  target: { kind: 'rule', subject, ruleId },
});

/** The list of rules after the writes, as their answers tell. */
function rulesAfter({ source, writes, answers }: Done): JsonValue {
  let rules = itemsOf(source);
  for (const [index, { endpoint, params, body, step, made }] of writes.entries()) {
    const answer = answers[index];
    const id = params['ruleId'];
    if (step === 'guard' || made !== undefined) {
      continue;
    }
    if (endpoint.endsWith('.create')) {
      rules = [...rules, ...(Array.isArray(answer) ? (answer as JsonValue[]) : itemsOf(body))];
    } else if (endpoint.endsWith('.delete')) {
      rules = rules.filter((rule) => idOf(rule) !== id);
    } else {
      const changed = isJsonObject(answer) && idOf(answer) === id ? answer : (body ?? null);
      rules = rules.map((rule) => (idOf(rule) === id ? changed : rule));
    }
  }
  return rules;
}
