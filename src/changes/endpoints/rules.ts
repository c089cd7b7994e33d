import { jsonEquals } from '../../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { type RuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { extractRuleSchema, type Rule } from '../../contract/rule.ts';
import { asObject, getObjects, getText } from '../model/readJson.ts';
import type { Effects, EffectSources } from '../model/effectSources.ts';
import type { PlanSubject } from '../model/plan.ts';
import type { RulesOfSubject, Snapshot } from '../model/snapshot.ts';
import { getNameForNew, collectPartyNames, toPlannedRule, createRuleSubjectIn } from '../model/subjects.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import { isRuleChangeWrite } from '../rules/ruleAction.ts';
import { getRuleContentKey } from '../rules/ruleContent.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { getWriteRuleSubjects, getSubjectOfWrittenRule } from '../model/ruleSubjects.ts';
import type { CreatedResource, VerifyContext, WriteKind } from '../model/writeKind.ts';
import { toCreatedResource } from './creation.ts';
import { getChangedEffects, createdEffects, deletedEffects, getDocumentBefore } from './effects.ts';
import { readDocuments } from './readDocuments.ts';
import { undoRuleCreation, undoRulesDeletion, undoRuleUpdate } from './undoRuleWrites.ts';
import {
  deletionHappened,
  readTargetState,
  toNotHappened,
  notHappened,
  verifyChange,
  verifyDeletion,
  unknownOutcome,
} from './verifyOutcome.ts';

/**
 * The behavior of one rule endpoint that differs from the common behavior. Most rule writes of an operation are run as
 * one change per datamodel, in an order that `src/changes/rules` computes, and are undone as one.
 */
type RuleWriteKind = Pick<WriteKind, 'send'> & Partial<WriteKind>;

const commonParts = {
  needsBuild: false,
  readBefore: readRules,
  getReach: () => 'itself',
  getCatalogChanges: (write: Write) => {
    const subjects = getWriteRuleSubjects(write);
    return subjects.length === 0
      ? [{ kind: 'all' } as const]
      : subjects.map((subject) => ({ kind: 'rules', subject }) as const);
  },
} as const satisfies Partial<WriteKind>;

/** Creates the kind of a write that adds rules. */
export const createRuleCreationKind = (parts: RuleWriteKind): WriteKind => ({
  ...commonParts,
  action: 'create',
  verifyOutcome: verifyRules,
  findCreated: async (write, look) => {
    const settled = await verifyRules(write, look);
    return settled.state === 'happened' ? settled.answer : undefined;
  },
  getCreated: getCreatedRules,
  addInverse: undoRuleCreation,
  getEffects: (write, sources) =>
    createdEffects(...toRuleSubjects(write.body, write, getObjects(getDocumentBefore(write, sources)))),
  applyToSnapshot: (state, write) =>
    withRules(state, ({ subject }, rules) => [
      ...rules,
      ...getObjects(write.body).flatMap((rule) =>
        belongsTo(write, rule, subject) ? (parseRule(rule) ?? []) : [],
      ),
    ]),
  ...parts,
});

/** Creates the kind of a write that replaces a rule in place. */
export const createRuleUpdateKind = (
  parts: RuleWriteKind & Required<Pick<WriteKind, 'matchesRequest'>>,
): WriteKind => ({
  ...commonParts,
  action: 'update',
  verifyOutcome: (write, look) => verifyChange(write, look, parts.matchesRequest),
  // The rule is replaced as a whole (rest-api.md, "Data security").
  getSentMembers: (_write, old) => Object.keys(old),
  addInverse: undoRuleUpdate,
  getEffects: getChangedRuleEffects,
  applyToSnapshot: (state, { params, body }) =>
    withRules(state, (_own, rules) =>
      rules.map((rule) => (rule._id === params['ruleId'] ? (parseRule(body) ?? rule) : rule)),
    ),
  ...parts,
});

/** Creates the kind of a write that deletes a rule, or those of a batch one by one. */
export const createRuleDeletionKind = (parts: RuleWriteKind): WriteKind => ({
  ...commonParts,
  action: 'delete',
  verifyOutcome: verifyDeletion,
  addInverse: (write, { old }, inverse) => undoRulesDeletion(write, [asObject(old)], inverse),
  getEffects: getDeletedRuleEffects,
  applyToSnapshot: (state, write) =>
    withRules(state, (_own, rules) => {
      const ids = new Set(write.batch?.ids ?? [write.params['ruleId']]);
      return rules.filter(({ _id }) => typeof _id !== 'string' || !ids.has(_id));
    }),
  ...parts,
});

/** Creates the kind of a write that deletes all rules of a column in one request. */
export const createColumnRulesDeletionKind = (parts: RuleWriteKind): WriteKind => ({
  ...commonParts,
  action: 'delete-many',
  readBefore: ({ target }, reader) => readDocuments(reader, [target]),
  verifyOutcome: verifyColumnDeletion,
  addInverse: (write, { old }, inverse) => undoRulesDeletion(write, getObjects(old), inverse),
  getEffects: (write, sources) => deletedEffects(...toRuleSubjects(getDocumentBefore(write, sources), write)),
  applyToSnapshot: (state, write) =>
    withRules(state, ({ subject }, rules) => {
      const isHere = getWriteRuleSubjects(write).some((own) => isSameSubject(own, subject));
      const { table, column } = write.params;
      return isHere ? rules.filter((rule) => rule.table !== table || rule.column !== column) : rules;
    }),
  ...parts,
});

/** Reads the rules of all columns that a write affects: its effect and its safe order depend on all of them. */
async function readRules(write: Write, reader: DocumentReader): Promise<readonly ReadDocument[]> {
  const { target, batch } = write;
  if (batch !== undefined) {
    // All rules of the datamodel, to distinguish new ones from existing ones and to restore deleted ones.
    return readDocuments(reader, [target]);
  }
  if (!isRuleChangeWrite(write)) {
    return readDocuments(reader, target === undefined ? await getAffectedColumns(write, reader) : [target]);
  }
  return readDocuments(reader, [
    ...(target?.kind === 'rules' ? [] : [target]),
    ...(await getAffectedColumns(write, reader)),
  ]);
}

async function getAffectedColumns(write: Write, reader: DocumentReader): Promise<readonly ResourceRef[]> {
  const { body = null, params, target } = write;
  const subjects = getWriteRuleSubjects(write);
  const former = target?.kind === 'rule' ? await reader.document(target) : undefined;
  const rules = Array.isArray(body) ? (body as readonly JsonValue[]) : [body, former ?? null, params];
  return rules.map(asObject).flatMap((rule) => {
    const [table, column] = [getText(rule['table']), getText(rule['column'])];
    return table === '' || column === ''
      ? []
      : subjects.map((subject): ResourceRef => ({ kind: 'columnRules', subject, table, column }));
  });
}

/**
 * Verifies an addition of rules: it happened if all requested rules exist now and did not exist before. The outcome is
 * unknown if only some of them exist, since a write of several rules may need several requests.
 */
async function verifyRules(write: Write, { client, before }: VerifyContext): Promise<WriteOutcome> {
  const [subject] = getWriteRuleSubjects(write);
  if (subject === undefined) {
    return unknownOutcome;
  }
  const known = new Set(before.flatMap(({ document }) => getObjects(document)).map((rule) => rule['_id']));
  const now = getObjects(await new DocumentReader(client).document({ kind: 'rules', subject }));
  const fresh = now.filter(({ _id }) => !known.has(_id ?? null));
  const sent = getObjects(write.body);
  const made: JsonObject[] = [];
  for (const rule of sent) {
    const found = fresh.find(
      (one) => !made.includes(one) && getRuleContentKey(one) === getRuleContentKey(rule),
    );
    made.push(...(found === undefined ? [] : [found]));
  }
  if (made.length < sent.length) {
    return made.length === 0 ? notHappened : unknownOutcome;
  }
  return { state: 'happened', answer: made };
}

/** Verifies the deletion of a column's rules; another user may have added new ones since. */
async function verifyColumnDeletion(write: Write, look: VerifyContext): Promise<WriteOutcome> {
  const { current: now, previous } = (await readTargetState(write, look)) ?? {};
  if (now === undefined) {
    return unknownOutcome;
  }
  const known = new Set(getObjects(previous?.document).map(({ _id }) => _id));
  const kept = getObjects(now.document).filter(({ _id = null }) => previous === undefined || known.has(_id));
  return kept.length === 0 ? deletionHappened : toNotHappened(now, previous);
}

function getCreatedRules(write: Write, answer: JsonValue | undefined): readonly CreatedResource[] {
  const [subject] = getWriteRuleSubjects(write);
  return subject === undefined
    ? []
    : getObjects(answer).flatMap((rule) =>
        toCreatedResource(rule['_id'], {
          refOf: (ruleId) => ({ kind: 'rule', subject, ruleId }),
          isUnchanged: (now) => isSameCreatedRule(now, rule),
        }),
      );
}

/** Returns whether a rule is as it was created; responses and lists may spell it differently. */
const isSameCreatedRule = (now: JsonValue | undefined, made: JsonObject): boolean =>
  isJsonObject(now) &&
  (getRuleContentKey(now) === getRuleContentKey(made) || jsonEquals(now, made, isServerManagedField));

function getChangedRuleEffects(write: Write, sources: EffectSources): Effects {
  const effects = getChangedEffects(getTargetRule(write, sources), write, sources);
  const before = getDocumentBefore(write, sources);
  const after = parseRule({ ...asObject(before), ...asObject(write.body) });
  const becomes =
    before === undefined ? undefined : after && toPlannedRule(after, collectPartyNames([before]));
  return becomes === undefined
    ? effects
    : { ...effects, changed: effects.changed.map((subject) => ({ ...subject, becomes })) };
}

function getDeletedRuleEffects(write: Write, sources: EffectSources): Effects {
  if (write.batch === undefined) {
    return deletedEffects(getTargetRule(write, sources));
  }
  const ids = new Set<JsonValue | undefined>(write.batch.ids);
  const rules = getObjects(getDocumentBefore(write, sources)).filter(({ _id: id }) => ids.has(id));
  return deletedEffects(...toRuleSubjects([...rules], write));
}

function getTargetRule(write: Write, sources: EffectSources): PlanSubject {
  const { target } = write;
  const before = getDocumentBefore(write, sources);
  const rule = parseRule(before);
  if (target?.kind === 'rule' && rule !== undefined) {
    return createRuleSubjectIn(rule, target.subject);
  }
  const named = { kind: 'rule', name: getNameForNew(asObject(before)), within: [] } as const;
  return target === undefined ? named : { ...named, resource: target };
}

function toRuleSubjects(
  rules: JsonValue | undefined,
  write: Write,
  others: readonly JsonObject[] = [],
): readonly PlanSubject[] {
  const names = collectPartyNames(others);
  return getObjects(rules).flatMap((value) => {
    const rule = parseRule(value);
    const subject = getSubjectOfWrittenRule(write, value) ?? { kind: 'extract', server: '', elasticube: '' };
    return rule === undefined ? [] : [createRuleSubjectIn(rule, subject, names)];
  });
}

function belongsTo(write: Write, rule: JsonObject, subject: RuleSubject): boolean {
  const own = getSubjectOfWrittenRule(write, rule);
  return own !== undefined && isSameSubject(own, subject);
}

/** Returns the snapshot with the rules of each subject changed. */
const withRules = (
  state: Snapshot,
  change: (own: RulesOfSubject, rules: readonly Rule[]) => readonly Rule[],
): Snapshot => ({
  ...state,
  rules: state.rules?.map((own) => ({ ...own, rules: change(own, own.rules) })),
});

const parseRule = (value: unknown): Rule | undefined => extractRuleSchema.safeParse(value).data;
