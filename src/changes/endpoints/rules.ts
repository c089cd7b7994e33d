import { jsonEquals } from '../../base/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { type RuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { extractRuleSchema, type Rule } from '../../contract/rule.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import type { Effects, EffectSources } from '../model/effectSources.ts';
import type { PlanSubject } from '../model/plan.ts';
import type { Snapshot } from '../model/snapshot.ts';
import {
  getPlanSubjectName,
  collectPartyNames,
  toPlannedRule,
  createRulePlanSubject,
} from '../model/planSubjects.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { Write } from '../model/operation.ts';
import { getRuleContentKey } from '../rules/ruleContent.ts';
import type { WriteOutcome } from '../model/writeOutcome.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import type { CreatedResource, VerifyContext, WriteKind } from '../model/writeKind.ts';
import { toCreatedResources } from './creation.ts';
import { getChangedEffects, toCreatedEffects, toDeletedEffects, getDocumentBefore } from './effects.ts';
import { readDocuments } from './readDocuments.ts';
import { restoreMissingRules } from './restoreMissingRules.ts';
import { deletedOutcome, readTargetState, createNotHappenedOutcome, unknownOutcome } from './verifyWrites.ts';

/** The behavior of one rule endpoint that differs from the common behavior. */
type RuleWriteKind = Pick<WriteKind, 'send'> & Partial<WriteKind>;

const commonBehavior = {
  needsBuild: false,
  readBefore: readRules,
  // The outcome of a single write isn't needed: the rule writes of an operation are run, verified and undone as one
  // change per datamodel, in an order that `src/changes/rules` computes from the server's rules.
  verifyOutcome: async () => unknownOutcome,
  getReach: () => 'itself',
  getCatalogChanges: (write: Write) =>
    getSubjects(write).map((subject) => ({ kind: 'rules', subject }) as const),
} as const satisfies Partial<WriteKind>;

/** Creates the write kind of an endpoint that adds rules. */
export const createRuleCreationKind = (overrides: RuleWriteKind): WriteKind => ({
  ...commonBehavior,
  action: 'create',
  getCreated: getCreatedRules,
  getEffects: (write, sources) =>
    toCreatedEffects(...toRulePlanSubjects(write.body, write, getObjects(getDocumentBefore(write, sources)))),
  // The new rules get provisional IDs: those in the body, which an undo sends, may be the IDs of rules that the same
  // operation deletes.
  applyToSnapshot: (state, write, newId) =>
    withRules(state, write, (rules) => [
      ...rules,
      ...getObjects(write.body).flatMap(
        (rule, index) => parseRule({ ...rule, _id: `${newId}:${index}` }) ?? [],
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
  // The rule is replaced as a whole (rest-api.md, "Data security").
  getWrittenMembers: (_write, oldRule) => Object.keys(oldRule),
  getEffects: getChangedRuleEffects,
  applyToSnapshot: (state, write) =>
    withRules(state, write, (rules) =>
      rules.map((rule) =>
        rule._id === write.params['ruleId']
          ? (parseRule({ ...rule, ...asObject(write.body) }) ?? rule)
          : rule,
      ),
    ),
  ...overrides,
});

/** Creates the write kind of an endpoint that deletes a rule, or the rules of a batch one by one. */
export const createRuleDeletionKind = (overrides: RuleWriteKind): WriteKind => ({
  ...commonBehavior,
  action: 'delete',
  getEffects: getDeletedRuleEffects,
  applyToSnapshot: (state, write) =>
    withRules(state, write, (rules) => {
      const ids = new Set<unknown>(write.batch?.ids ?? [write.params['ruleId']]);
      return rules.filter(({ _id }) => !ids.has(_id));
    }),
  ...overrides,
});

/** Creates the write kind of an endpoint that deletes all rules of a column in one request. */
export const createColumnRulesDeletionKind = (overrides: RuleWriteKind): WriteKind => ({
  ...commonBehavior,
  action: 'delete-many',
  readBefore: ({ target }, reader) => readDocuments(reader, [target]),
  verifyOutcome: verifyColumnDeletion,
  addUndoWrites: (write, { oldDocument }, undoWrites) => {
    for (const subject of getSubjects(write)) {
      restoreMissingRules(subject, getObjects(oldDocument), undoWrites);
    }
  },
  getEffects: (write, sources) =>
    toDeletedEffects(...toRulePlanSubjects(getDocumentBefore(write, sources), write)),
  applyToSnapshot: (state, write) =>
    withRules(state, write, (rules) => {
      const { table, column } = write.params;
      return rules.filter((rule) => rule.table !== table || rule.column !== column);
    }),
  ...overrides,
});

const getSubjects = (write: Write): readonly RuleSubject[] => {
  const subject = getWriteRuleSubject(write);
  return subject === undefined ? [] : [subject];
};

/** Reads the rules of all columns that a write affects: its effect and its safe order depend on all of them. */
async function readRules(write: Write, reader: DocumentReader): Promise<readonly ReadDocument[]> {
  const { target, batch } = write;
  if (batch !== undefined) {
    // All rules of the datamodel, to distinguish new ones from existing ones and to restore deleted ones.
    return readDocuments(reader, [target]);
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
  const { body = null, target } = write;
  const subjects = getSubjects(write);
  const previousRule = target?.kind === 'rule' ? await reader.readDocument(target) : undefined;
  const rules = Array.isArray(body) ? (body as readonly JsonValue[]) : [body, previousRule ?? null];
  return rules.map(asObject).flatMap((rule) => {
    const [table, column] = [getText(rule['table']), getText(rule['column'])];
    return table === '' || column === ''
      ? []
      : subjects.map((subject): ResourceRef => ({ kind: 'columnRules', subject, table, column }));
  });
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
  return remainingRules.length === 0 ? deletedOutcome : createNotHappenedOutcome(current, previous);
}

function getCreatedRules(write: Write, response: JsonValue | undefined): readonly CreatedResource[] {
  return getSubjects(write).flatMap((subject) =>
    getObjects(response).flatMap((rule) =>
      toCreatedResources(rule['_id'], {
        createRef: (ruleId) => ({ kind: 'rule', subject, ruleId }),
        isUnchanged: (current) => isSameCreatedRule(current, rule),
      }),
    ),
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
  return { ...subject, ...(target && { resource: target }) };
}

function toRulePlanSubjects(
  rules: JsonValue | undefined,
  write: Write,
  rulesWithPartyNames: readonly JsonObject[] = [],
): readonly PlanSubject[] {
  const names = collectPartyNames(rulesWithPartyNames);
  return getSubjects(write).flatMap((subject) =>
    getObjects(rules).flatMap((value) => {
      const rule = parseRule(value);
      return rule === undefined ? [] : [createRulePlanSubject(rule, subject, names)];
    }),
  );
}

/** Returns the snapshot after a change of the rules of a write's datamodel or cube set. */
const withRules = (
  state: Snapshot,
  write: Write,
  change: (rules: readonly Rule[]) => readonly Rule[],
): Snapshot => ({
  ...state,
  rules: state.rules?.map((subjectRules) =>
    getSubjects(write).some((written) => isSameSubject(written, subjectRules.subject))
      ? { ...subjectRules, rules: change(subjectRules.rules) }
      : subjectRules,
  ),
});

const parseRule = (value: unknown): Rule | undefined => extractRuleSchema.safeParse(value).data;
