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
import {
  getPlanSubjectName,
  collectPartyNames,
  toPlannedRule,
  createRulePlanSubject,
} from '../model/planSubjects.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import { isOrderedRuleWrite } from '../rules/ruleAction.ts';
import { getRuleContentKey } from '../rules/ruleContent.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { getWriteRuleSubjects, getSubjectOfWrittenRule } from '../model/ruleSubjects.ts';
import type { CreatedResource, VerifyContext, WriteKind } from '../model/writeKind.ts';
import { toCreatedResource } from './creation.ts';
import { getChangedEffects, toCreatedEffects, toDeletedEffects, getDocumentBefore } from './effects.ts';
import { readDocuments } from './readDocuments.ts';
import { undoRuleCreation, undoRulesDeletion, undoRuleUpdate } from './undoRuleWrites.ts';
import {
  deletionHappened,
  readTargetState,
  createNotHappenedOutcome,
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

const commonBehavior = {
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

/** Creates the write kind of an endpoint that adds rules. */
export const createRuleCreationKind = (overrides: RuleWriteKind): WriteKind => ({
  ...commonBehavior,
  action: 'create',
  verifyOutcome: verifyRuleCreation,
  findCreated: async (write, context) => {
    const outcome = await verifyRuleCreation(write, context);
    return outcome.state === 'happened' ? outcome.response : undefined;
  },
  getCreated: getCreatedRules,
  addInverse: undoRuleCreation,
  getEffects: (write, sources) =>
    toCreatedEffects(...toRulePlanSubjects(write.body, write, getObjects(getDocumentBefore(write, sources)))),
  applyToSnapshot: (state, write) =>
    withRules(state, ({ subject }, rules) => [
      ...rules,
      ...getObjects(write.body).flatMap((rule) =>
        isRuleOfSubject(write, rule, subject) ? (parseRule(rule) ?? []) : [],
      ),
    ]),
  ...overrides,
});

/** Creates the write kind of an endpoint that replaces a rule in place. */
export const createRuleUpdateKind = (
  overrides: RuleWriteKind & Required<Pick<WriteKind, 'matchesRequest'>>,
): WriteKind => ({
  ...commonBehavior,
  action: 'update',
  verifyOutcome: (write, context) => verifyChange(write, context, overrides.matchesRequest),
  // The rule is replaced as a whole (rest-api.md, "Data security").
  getSentMembers: (_write, oldRule) => Object.keys(oldRule),
  addInverse: undoRuleUpdate,
  getEffects: getChangedRuleEffects,
  applyToSnapshot: (state, { params, body }) =>
    withRules(state, (_subjectRules, rules) =>
      rules.map((rule) =>
        rule._id === params['ruleId'] ? (parseRule({ ...rule, ...asObject(body) }) ?? rule) : rule,
      ),
    ),
  ...overrides,
});

/** Creates the write kind of an endpoint that deletes a rule, or the rules of a batch one by one. */
export const createRuleDeletionKind = (overrides: RuleWriteKind): WriteKind => ({
  ...commonBehavior,
  action: 'delete',
  verifyOutcome: verifyDeletion,
  addInverse: (write, { oldDocument }, inverse) => undoRulesDeletion(write, [asObject(oldDocument)], inverse),
  getEffects: getDeletedRuleEffects,
  applyToSnapshot: (state, write) =>
    withRules(state, (_subjectRules, rules) => {
      const ids = new Set(write.batch?.ids ?? [write.params['ruleId']]);
      return rules.filter(({ _id }) => typeof _id !== 'string' || !ids.has(_id));
    }),
  ...overrides,
});

/** Creates the write kind of an endpoint that deletes all rules of a column in one request. */
export const createColumnRulesDeletionKind = (overrides: RuleWriteKind): WriteKind => ({
  ...commonBehavior,
  action: 'delete-many',
  readBefore: ({ target }, reader) => readDocuments(reader, [target]),
  verifyOutcome: verifyColumnDeletion,
  addInverse: (write, { oldDocument }, inverse) => undoRulesDeletion(write, getObjects(oldDocument), inverse),
  getEffects: (write, sources) =>
    toDeletedEffects(...toRulePlanSubjects(getDocumentBefore(write, sources), write)),
  applyToSnapshot: (state, write) =>
    withRules(state, ({ subject }, rules) => {
      const isAffected = getWriteRuleSubjects(write).some((writtenSubject) =>
        isSameSubject(writtenSubject, subject),
      );
      const { table, column } = write.params;
      return isAffected ? rules.filter((rule) => rule.table !== table || rule.column !== column) : rules;
    }),
  ...overrides,
});

/** Reads the rules of all columns that a write affects: its effect and its safe order depend on all of them. */
async function readRules(write: Write, reader: DocumentReader): Promise<readonly ReadDocument[]> {
  const { target, batch } = write;
  if (batch !== undefined) {
    // All rules of the datamodel, to distinguish new ones from existing ones and to restore deleted ones.
    return readDocuments(reader, [target]);
  }
  if (!isOrderedRuleWrite(write)) {
    return readDocuments(
      reader,
      target === undefined ? await getAffectedColumnRulesRefs(write, reader) : [target],
    );
  }
  return readDocuments(reader, [
    ...(target?.kind === 'rules' ? [] : [target]),
    ...(await getAffectedColumnRulesRefs(write, reader)),
  ]);
}

async function getAffectedColumnRulesRefs(
  write: Write,
  reader: DocumentReader,
): Promise<readonly ResourceRef[]> {
  const { body = null, params, target } = write;
  const subjects = getWriteRuleSubjects(write);
  const previousRule = target?.kind === 'rule' ? await reader.readDocument(target) : undefined;
  const rules = Array.isArray(body) ? (body as readonly JsonValue[]) : [body, previousRule ?? null, params];
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
async function verifyRuleCreation(write: Write, { client, before }: VerifyContext): Promise<WriteOutcome> {
  const [subject] = getWriteRuleSubjects(write);
  if (subject === undefined) {
    return unknownOutcome;
  }
  const idsBefore = new Set(
    before.flatMap(({ document }) => getObjects(document)).map((rule) => rule['_id']),
  );
  const currentRules = getObjects(await new DocumentReader(client).readDocument({ kind: 'rules', subject }));
  const newRules = currentRules.filter(({ _id }) => !idsBefore.has(_id ?? null));
  const requestedRules = getObjects(write.body);
  const createdRules: JsonObject[] = [];
  for (const rule of requestedRules) {
    const match = newRules.find(
      (newRule) => !createdRules.includes(newRule) && getRuleContentKey(newRule) === getRuleContentKey(rule),
    );
    createdRules.push(...(match === undefined ? [] : [match]));
  }
  if (createdRules.length < requestedRules.length) {
    return createdRules.length === 0 ? notHappened : unknownOutcome;
  }
  return { state: 'happened', response: createdRules };
}

/** Verifies the deletion of a column's rules; another user may have added new ones since. */
async function verifyColumnDeletion(write: Write, context: VerifyContext): Promise<WriteOutcome> {
  const { current, previous } = (await readTargetState(write, context)) ?? {};
  if (current === undefined) {
    return unknownOutcome;
  }
  const idsBefore = new Set(getObjects(previous?.document).map(({ _id }) => _id));
  const remainingRules = getObjects(current.document).filter(
    ({ _id = null }) => previous === undefined || idsBefore.has(_id),
  );
  return remainingRules.length === 0 ? deletionHappened : createNotHappenedOutcome(current, previous);
}

function getCreatedRules(write: Write, response: JsonValue | undefined): readonly CreatedResource[] {
  const [subject] = getWriteRuleSubjects(write);
  return subject === undefined
    ? []
    : getObjects(response).flatMap((rule) =>
        toCreatedResource(rule['_id'], {
          createRef: (ruleId) => ({ kind: 'rule', subject, ruleId }),
          isUnchanged: (current) => isSameCreatedRule(current, rule),
        }),
      );
}

/** Returns whether a rule is unchanged since it was created; responses and lists may represent it differently. */
const isSameCreatedRule = (current: JsonValue | undefined, created: JsonObject): boolean =>
  isJsonObject(current) &&
  (getRuleContentKey(current) === getRuleContentKey(created) ||
    jsonEquals(current, created, isServerManagedField));

function getChangedRuleEffects(write: Write, sources: EffectSources): Effects {
  const effects = getChangedEffects(getTargetRulePlanSubject(write, sources), write, sources);
  const before = getDocumentBefore(write, sources);
  const after = parseRule({ ...asObject(before), ...asObject(write.body) });
  const ruleAfter =
    before === undefined ? undefined : after && toPlannedRule(after, collectPartyNames([before]));
  return ruleAfter === undefined
    ? effects
    : { ...effects, changed: effects.changed.map((subject) => ({ ...subject, ruleAfter })) };
}

function getDeletedRuleEffects(write: Write, sources: EffectSources): Effects {
  if (write.batch === undefined) {
    return toDeletedEffects(getTargetRulePlanSubject(write, sources));
  }
  const ids = new Set<JsonValue | undefined>(write.batch.ids);
  const rules = getObjects(getDocumentBefore(write, sources)).filter(({ _id: id }) => ids.has(id));
  return toDeletedEffects(...toRulePlanSubjects([...rules], write));
}

function getTargetRulePlanSubject(write: Write, sources: EffectSources): PlanSubject {
  const { target } = write;
  const before = getDocumentBefore(write, sources);
  const rule = parseRule(before);
  if (target?.kind === 'rule' && rule !== undefined) {
    return createRulePlanSubject(rule, target.subject);
  }
  const subject = { kind: 'rule', name: getPlanSubjectName(asObject(before)), within: [] } as const;
  return target === undefined ? subject : { ...subject, resource: target };
}

function toRulePlanSubjects(
  rules: JsonValue | undefined,
  write: Write,
  rulesWithPartyNames: readonly JsonObject[] = [],
): readonly PlanSubject[] {
  const names = collectPartyNames(rulesWithPartyNames);
  return getObjects(rules).flatMap((value) => {
    const rule = parseRule(value);
    const subject = getSubjectOfWrittenRule(write, value) ?? { kind: 'extract', server: '', elasticube: '' };
    return rule === undefined ? [] : [createRulePlanSubject(rule, subject, names)];
  });
}

function isRuleOfSubject(write: Write, rule: JsonObject, subject: RuleSubject): boolean {
  const ruleSubject = getSubjectOfWrittenRule(write, rule);
  return ruleSubject !== undefined && isSameSubject(ruleSubject, subject);
}

/** Returns the snapshot with the rules of each subject changed. */
const withRules = (
  state: Snapshot,
  change: (subjectRules: RulesOfSubject, rules: readonly Rule[]) => readonly Rule[],
): Snapshot => ({
  ...state,
  rules: state.rules?.map((subjectRules) => ({
    ...subjectRules,
    rules: change(subjectRules, subjectRules.rules),
  })),
});

const parseRule = (value: unknown): Rule | undefined => extractRuleSchema.safeParse(value).data;
