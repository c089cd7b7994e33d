import { sameJson } from '../../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { type RuleSubject, sameSubject } from '../../catalog/ruleSubject.ts';
import { isBookkeeping } from '../../contract/bookkeeping.ts';
import { extractRuleSchema, type Rule } from '../../contract/rule.ts';
import { asObject, itemsOf, textOf } from '../model/read.ts';
import type { Effects, EffectSources } from '../model/effectSources.ts';
import type { PlanSubject } from '../model/plan.ts';
import type { RulesOfSubject, Snapshot } from '../model/snapshot.ts';
import { nameIn, partyNames, plannedRule, ruleSubjectIn } from '../model/subjects.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import { isRuleChangeWrite } from '../rules/ruleAction.ts';
import { ruleKey } from '../rules/ruleSaying.ts';
import type { Settled } from '../model/settled.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { ruleSubjectsOf, subjectOfRule } from '../model/ruleSubjects.ts';
import type { Created, Look, WriteKind } from '../model/writeKind.ts';
import { createdAs } from './creation.ts';
import { changed, created, deleted, documentBefore } from './effects.ts';
import { readAll } from './reading.ts';
import { ruleCreationBack, rulesDeletionBack, ruleUpdateBack } from './ruleBack.ts';
import {
  isGone,
  lookAtTarget,
  notDone,
  notHappened,
  settleChange,
  settleDeletion,
  unknown,
} from './settling.ts';

/**
 * What the writes of rules have in common, for extract and live datamodels. Those that change rules of one datamodel are
 * carried out as one change, in an order that `src/changes/rules` works out, and go back as one.
 */
type RuleKind = Pick<WriteKind, 'send'> & Partial<WriteKind>;

const always = {
  needsBuild: false,
  before: readRules,
  reach: () => 'itself',
  affects: (write: Write) => {
    const subjects = ruleSubjectsOf(write);
    return subjects.length === 0
      ? [{ kind: 'all' } as const]
      : subjects.map((subject) => ({ kind: 'rules', subject }) as const);
  },
} as const satisfies Partial<WriteKind>;

/** Adds rules. */
export const rulesCreated = (parts: RuleKind): WriteKind => ({
  ...always,
  action: 'create',
  settle: settleRules,
  findMade: async (write, look) => {
    const settled = await settleRules(write, look);
    return settled.state === 'happened' ? settled.answer : undefined;
  },
  created: rulesMade,
  back: ruleCreationBack,
  effects: (write, sources) =>
    created(...rulesIn(write.body, write, itemsOf(documentBefore(write, sources)))),
  after: (state, write) =>
    withRules(state, ({ subject }, rules) => [
      ...rules,
      ...itemsOf(write.body).flatMap((rule) => (isOf(write, rule, subject) ? (ruleOf(rule) ?? []) : [])),
    ]),
  ...parts,
});

/** Replaces a rule where it is. */
export const ruleUpdated = (parts: RuleKind & Required<Pick<WriteKind, 'says'>>): WriteKind => ({
  ...always,
  action: 'update',
  settle: (write, look) => settleChange(write, look, parts.says),
  // It is replaced whole (spec, "Data security").
  spoken: (_write, old) => Object.keys(old),
  back: ruleUpdateBack,
  effects: changedRule,
  after: (state, { params, body }) =>
    withRules(state, (_own, rules) =>
      rules.map((rule) => (rule._id === params['ruleId'] ? (ruleOf(body) ?? rule) : rule)),
    ),
  ...parts,
});

/** Deletes a rule, or those of a batch one by one. */
export const ruleDeleted = (parts: RuleKind): WriteKind => ({
  ...always,
  action: 'delete',
  settle: settleDeletion,
  back: (write, { old }, inverse) => rulesDeletionBack(write, [asObject(old)], inverse),
  effects: deletedRules,
  after: (state, write) =>
    withRules(state, (_own, rules) => {
      const ids = new Set(write.batch?.ids ?? [write.params['ruleId']]);
      return rules.filter(({ _id }) => typeof _id !== 'string' || !ids.has(_id));
    }),
  ...parts,
});

/** Deletes all rules of a column in one request. */
export const columnRulesDeleted = (parts: RuleKind): WriteKind => ({
  ...always,
  action: 'delete-many',
  before: ({ target }, reader) => readAll(reader, [target]),
  settle: settleColumnDeletion,
  back: (write, { old }, inverse) => rulesDeletionBack(write, itemsOf(old), inverse),
  effects: (write, sources) => deleted(...rulesIn(documentBefore(write, sources), write)),
  after: (state, write) =>
    withRules(state, ({ subject }, rules) => {
      const isHere = ruleSubjectsOf(write).some((own) => sameSubject(own, subject));
      const { table, column } = write.params;
      return isHere ? rules.filter((rule) => rule.table !== table || rule.column !== column) : rules;
    }),
  ...parts,
});

/** What a change of rules shows depends on all rules of its columns, before and after it. */
async function readRules(write: Write, reader: DocumentReader): Promise<readonly ReadDocument[]> {
  const { target, batch } = write;
  if (batch !== undefined) {
    // All rules of the datamodel: new ones are told from those that were there, and deleted ones can come back.
    return readAll(reader, [target]);
  }
  if (!isRuleChangeWrite(write)) {
    return readAll(reader, target === undefined ? await columnsOfRules(write, reader) : [target]);
  }
  return readAll(reader, [
    ...(target?.kind === 'rules' ? [] : [target]),
    ...(await columnsOfRules(write, reader)),
  ]);
}

async function columnsOfRules(write: Write, reader: DocumentReader): Promise<readonly ResourceRef[]> {
  const { body = null, params, target } = write;
  const subjects = ruleSubjectsOf(write);
  const former = target?.kind === 'rule' ? await reader.document(target) : undefined;
  const rules = Array.isArray(body) ? (body as readonly JsonValue[]) : [body, former ?? null, params];
  return rules.map(asObject).flatMap((rule) => {
    const [table, column] = [textOf(rule['table']), textOf(rule['column'])];
    return table === '' || column === ''
      ? []
      : subjects.map((subject): ResourceRef => ({ kind: 'columnRules', subject, table, column }));
  });
}

/**
 * New rules are those that were not there before and say what was sent. Several may have taken several requests: where
 * only some are there, that is no state of the operation, and nobody goes on from it.
 */
async function settleRules(write: Write, { client, before }: Look): Promise<Settled> {
  const [subject] = ruleSubjectsOf(write);
  if (subject === undefined) {
    return unknown;
  }
  const known = new Set(before.flatMap(({ document }) => itemsOf(document)).map((rule) => rule['_id']));
  const now = itemsOf(await new DocumentReader(client).document({ kind: 'rules', subject }));
  const fresh = now.filter(({ _id }) => !known.has(_id ?? null));
  const sent = itemsOf(write.body);
  const made: JsonObject[] = [];
  for (const rule of sent) {
    const found = fresh.find((one) => !made.includes(one) && ruleKey(one) === ruleKey(rule));
    made.push(...(found === undefined ? [] : [found]));
  }
  if (made.length < sent.length) {
    return made.length === 0 ? notHappened : unknown;
  }
  return { state: 'happened', answer: made };
}

/** The rules of one column; somebody may have added one since. */
async function settleColumnDeletion(write: Write, look: Look): Promise<Settled> {
  const { look: now, old } = (await lookAtTarget(write, look)) ?? {};
  if (now === undefined) {
    return unknown;
  }
  const known = new Set(itemsOf(old?.document).map(({ _id }) => _id));
  const kept = itemsOf(now.document).filter(({ _id = null }) => old === undefined || known.has(_id));
  return kept.length === 0 ? isGone : notDone(now, old);
}

function rulesMade(write: Write, answer: JsonValue | undefined): readonly Created[] {
  const [subject] = ruleSubjectsOf(write);
  return subject === undefined
    ? []
    : itemsOf(answer).flatMap((rule) =>
        createdAs(rule['_id'], {
          refOf: (ruleId) => ({ kind: 'rule', subject, ruleId }),
          isAsMade: (now) => isMade(now, rule),
        }),
      );
}

/** What a server answered is a rule as it was sent, or one as it is listed: each may spell it in its own way. */
const isMade = (now: JsonValue | undefined, made: JsonObject): boolean =>
  isJsonObject(now) && (ruleKey(now) === ruleKey(made) || sameJson(now, made, isBookkeeping));

function changedRule(write: Write, sources: EffectSources): Effects {
  const effects = changed(targetRule(write, sources), write, sources);
  const before = documentBefore(write, sources);
  const after = ruleOf({ ...asObject(before), ...asObject(write.body) });
  const becomes = before === undefined ? undefined : after && plannedRule(after, partyNames([before]));
  return becomes === undefined
    ? effects
    : { ...effects, changed: effects.changed.map((subject) => ({ ...subject, becomes })) };
}

function deletedRules(write: Write, sources: EffectSources): Effects {
  if (write.batch === undefined) {
    return deleted(targetRule(write, sources));
  }
  const ids = new Set<JsonValue | undefined>(write.batch.ids);
  const rules = itemsOf(documentBefore(write, sources)).filter(({ _id: id }) => ids.has(id));
  return deleted(...rulesIn([...rules], write));
}

function targetRule(write: Write, sources: EffectSources): PlanSubject {
  const { target } = write;
  const before = documentBefore(write, sources);
  const rule = ruleOf(before);
  if (target?.kind === 'rule' && rule !== undefined) {
    return ruleSubjectIn(rule, target.subject);
  }
  const named = { kind: 'rule', name: nameIn(asObject(before)), within: [] } as const;
  return target === undefined ? named : { ...named, resource: target };
}

function rulesIn(
  rules: JsonValue | undefined,
  write: Write,
  others: readonly JsonObject[] = [],
): readonly PlanSubject[] {
  const names = partyNames(others);
  return itemsOf(rules).flatMap((value) => {
    const rule = ruleOf(value);
    const subject = subjectOfRule(write, value) ?? { kind: 'extract', server: '', elasticube: '' };
    return rule === undefined ? [] : [ruleSubjectIn(rule, subject, names)];
  });
}

function isOf(write: Write, rule: JsonObject, subject: RuleSubject): boolean {
  const own = subjectOfRule(write, rule);
  return own !== undefined && sameSubject(own, subject);
}

const withRules = (
  state: Snapshot,
  change: (own: RulesOfSubject, rules: readonly Rule[]) => readonly Rule[],
): Snapshot => ({
  ...state,
  rules: state.rules?.map((own) => ({ ...own, rules: change(own, own.rules) })),
});

const ruleOf = (value: unknown): Rule | undefined => extractRuleSchema.safeParse(value).data;
