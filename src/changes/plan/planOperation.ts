import { lazy } from '../../base/lazy.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { getRuleSubject } from '../../catalog/ruleSubject.ts';
import { type WriteKindLookup, loadWriteKinds } from '../endpoints/writeKinds.ts';
import type { Reach } from '../model/writeKind.ts';
import { type Datamodel, datamodelSchema, getDatamodelType } from '../../contract/datamodel.ts';
import type { Operation, RequiredBuild, Write } from '../model/operation.ts';
import { isExpressionField } from '../model/fieldChanges.ts';
import { type Effects, type EffectSources, noEffects } from '../model/effectSources.ts';
import { ModelIndex } from '../model/modelIndex.ts';
import type {
  BrokenReference,
  FieldChange,
  Plan,
  PlanSeverity,
  PlanSubject,
  UncheckedPart,
} from '../model/plan.ts';
import { applyWrites, getRulesOfDatamodel, isSameModel, withDocuments } from './applyWrites.ts';
import { nameByEarlierWrites } from './createdNames.ts';
import { markChangedRules } from './markChangedRules.ts';
import { mergeUpdates } from './mergeUpdates.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { PlanSources } from './planSources.ts';
import { asObject, getObjects, isEmpty } from '../model/jsonMembers.ts';
import { Documents, type Snapshot } from '../model/snapshot.ts';
import { sourceFields } from '../model/sourceFields.ts';
import { omitComments } from '../../sql/language.ts';

/**
 * Computes the effects of an operation from its exact payload. Loads only what is needed: nothing if no name is added,
 * changed or removed; otherwise the datamodel; and if a name is removed, also the rules and viewpoints that may use it.
 * @param affectedDocuments the documents that the operation affects, and their containers, as just read from the server
 */
export async function planOperation(
  operation: Operation,
  affectedDocuments: readonly ReadDocument[],
  sources: PlanSources,
): Promise<Plan> {
  const documents = new Documents(affectedDocuments);
  const unchecked = new Set<UncheckedPart>();
  const tryLoad = async <T>(part: UncheckedPart, load: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await load();
    } catch {
      // A failed check must not block the user: the plan reports the part as unchecked.
      unchecked.add(part);
      return undefined;
    }
  };
  const getWriteKind = await loadWriteKinds(operation.writes);
  const reachById = new Map<string, Reach>();
  for (const write of operation.writes) {
    const { datamodelId } = write.params;
    if (datamodelId !== undefined && !write.outputRefs?.some(({ into }) => into[1] === 'datamodelId')) {
      const { getReach, needsBuild: mayNeedBuild } = getWriteKind(write);
      const writeReach = await getReach(write, documents);
      // An apply always needs the datamodel, whether it's cached or not: for its builds, for its effects on access, and
      // for the names of what it creates.
      const minReach = operation.cause === 'apply' && mayNeedBuild ? 'datamodel' : 'itself';
      const reach = getWiderReach(minReach, writeReach);
      reachById.set(datamodelId, getWiderReach(reachById.get(datamodelId) ?? 'itself', reach));
    }
  }
  const models: Datamodel[] = [];
  for (const [datamodelId, reach] of reachById) {
    const cached = parseReadDatamodel(documents, datamodelId) ?? sources.getKnownDatamodel(datamodelId);
    const model =
      reach === 'itself' || (cached?.datasets && cached.relations && isDatamodelRead(documents, datamodelId))
        ? cached
        : ((await tryLoad('datamodel', () => sources.loadDatamodel(datamodelId))) ?? cached);
    if (model !== undefined) {
      models.push(model);
    }
  }
  const widelyAffectedModels = models.filter(({ oid }) => reachById.get(oid) === 'rules and viewpoints');
  const ownSubjects = widelyAffectedModels.map((model) => ({
    subject: getRuleSubject(model),
    isCubeSet: false,
  }));
  const cubeSets = ownSubjects.some(({ subject }) => subject.kind === 'extract') ? sources.getCubeSets() : [];
  const subjects = [...ownSubjects, ...cubeSets.map((subject) => ({ subject, isCubeSet: true }))];
  const rules = await Promise.all(
    subjects.map(async ({ subject, isCubeSet }) => ({
      subject,
      isCubeSet,
      rules: (await tryLoad('rules', () => sources.loadRules(subject))) ?? [],
    })),
  );
  const viewpoints =
    widelyAffectedModels.length === 0
      ? undefined
      : await tryLoad('viewpoints', () => sources.loadViewpoints());
  const plan = await createPlan(
    operation,
    { datamodels: models, rules, viewpoints },
    {
      documents,
      unchecked,
      hasCubeSets: sources.getCubeSets().length > 0,
      loadDatamodel: (id) => tryLoad('datamodel', () => sources.loadDatamodel(id)),
    },
  );
  const planSnapshot = { datamodels: models, rules: unchecked.has('rules') ? undefined : rules };
  return {
    ...plan,
    loadAccess: lazy(async () => {
      const { loadPlannedAccess } = await import('./loadPlannedAccess.ts');
      return loadPlannedAccess(operation.writes, documents, planSnapshot, sources);
    }),
  };
}

interface PlanContext {
  readonly documents: Documents;
  /** The parts that could not be loaded so far. */
  readonly unchecked: ReadonlySet<UncheckedPart>;
  /** Whether any cube set is known. */
  readonly hasCubeSets: boolean;
  /** Loads a datamodel that the snapshot doesn't have; `undefined` if that fails. */
  readonly loadDatamodel: (datamodelId: string) => Promise<Datamodel | undefined>;
}

/** Computes the effects of an operation on a snapshot of an instance. */
async function createPlan(
  operation: Operation,
  snapshot: Snapshot,
  { documents, unchecked: unloadedParts, hasCubeSets, loadDatamodel }: PlanContext,
): Promise<Omit<Plan, 'loadAccess'>> {
  const before = withDocuments(snapshot, documents);
  const after = await applyWrites(before, operation.writes);
  const [oldIndexes, newIndexes] = [indexDatamodels(before), indexDatamodels(after)];
  const getWriteKind = await loadWriteKinds(operation.writes);
  const effects = mergeUpdates(operation.writes, getWriteKind).map((write) => {
    const id = write.params['datamodelId'] ?? '';
    const sources = { documents, oldIndex: oldIndexes.get(id), newIndex: newIndexes.get(id) };
    const ownEffects = getEffects(write, getWriteKind, sources);
    return {
      write,
      ...nameByEarlierWrites(ownEffects, write, {
        writes: operation.writes,
        ...sources,
      }),
    };
  });
  const combined = markChangedRules(
    operation,
    {
      created: effects.flatMap(({ created }) => created),
      changed: effects.flatMap(({ changed }) => changed),
      deleted: effects.flatMap(({ deleted }) => deleted),
    },
    documents.all,
  );
  const breaks: BrokenReference[] = [];
  for (const model of before.datamodels) {
    const [oldIndex, newIndex] = [oldIndexes.get(model.oid), newIndexes.get(model.oid)];
    if (oldIndex !== undefined && !isSameModel(model, newIndex?.model)) {
      breaks.push(...(await findPlanBreaks(oldIndex, newIndex, after, operation)));
    }
  }
  const writesThatNeedBuild = effects.filter((effect) => needsBuild(effect, getWriteKind));
  const builds = await getRequiredBuilds(
    writesThatNeedBuild.map(({ write }) => write),
    { operation, snapshot: before, loadDatamodel },
  );
  const lacksCubeSets =
    operation.cubeSets !== undefined &&
    !hasCubeSets &&
    (await affectsCubeSets(effects, before, loadDatamodel));
  const unchecked: readonly UncheckedPart[] = [
    ...unloadedParts,
    ...(lacksCubeSets ? ['cubeSets' as const] : []),
  ];
  return {
    operation,
    severity: getSeverity(breaks, combined.deleted, unchecked),
    ...combined,
    breaks,
    builds,
    unchecked,
  };
}

/**
 * Returns whether writes rename or delete tables, columns or other items that the rules of a cube set may refer to, or
 * change data on which they may depend. Live datamodels don't count, since they are in no cube set.
 */
async function affectsCubeSets(
  effects: readonly ({ readonly write: Write } & Effects)[],
  { datamodels }: Snapshot,
  loadDatamodel: PlanContext['loadDatamodel'],
): Promise<boolean> {
  for (const { write, changed, deleted } of effects) {
    const isStructure = ({ kind }: PlanSubject): boolean => structureKinds.has(kind);
    const isAffected =
      deleted.some(isStructure) ||
      changed.some(
        (subject) =>
          isStructure(subject) &&
          subject.fields.some(({ field }) => dataFields.has(field.split('.')[0] ?? '')),
      ) ||
      createsColumnWithSql(write);
    const { datamodelId } = write.params;
    if (isAffected && datamodelId !== undefined) {
      const model = datamodels.find(({ oid }) => oid === datamodelId) ?? (await loadDatamodel(datamodelId));
      if (model === undefined || getDatamodelType(model) !== 'live') {
        return true;
      }
    }
  }
  return false;
}

/** The fields with the names that rules refer to, and with what determines the data. */
const dataFields: ReadonlySet<string> = new Set(['name', 'expression', 'connection', ...sourceFields]);

/** Returns whether a write adds a column with SQL to an existing table: it may read what rules restrict. */
const createsColumnWithSql = ({ endpoint, body }: Write): boolean =>
  endpoint === 'tables.update' &&
  getObjects(asObject(body)['columns']).some(({ oid, expression }) => !oid && !isEmpty(expression));

const structureKinds: ReadonlySet<string> = new Set<ResourceRef['kind']>([
  'datamodel',
  'dataset',
  'table',
  'column',
  'relation',
]);

/**
 * Returns the effects of a write. A write that is only a step of a larger change has none: a replaced rule still exists
 * under another ID, and temporary deny rules of earlier versions are not shown.
 */
const getEffects = (write: Write, getWriteKind: WriteKindLookup, sources: EffectSources): Effects =>
  write.step === undefined ? getWriteKind(write).getEffects(write, sources) : noEffects;

/** Returns the severity of a plan. Parts that could not be checked for breaks need a review too. */
function getSeverity(
  breaks: readonly unknown[],
  deleted: readonly unknown[],
  unchecked: readonly unknown[],
): PlanSeverity {
  if (breaks.length > 0) {
    return 'breaking';
  }
  return deleted.length > 0 ? 'destructive' : unchecked.length > 0 ? 'unchecked' : 'harmless';
}

/** Finds the references that a change of names breaks. Loads the SQL parser, which other plans don't need. */
async function findPlanBreaks(
  oldIndex: ModelIndex,
  newIndex: ModelIndex | undefined,
  snapshot: Snapshot,
  { cause, writes }: Operation,
): Promise<readonly BrokenReference[]> {
  const { findBrokenReferences } = await import('./brokenReferences.ts');
  return findBrokenReferences(oldIndex, newIndex, {
    rules: getRulesOfDatamodel(snapshot, oldIndex.model),
    viewpoints: snapshot.viewpoints ?? [],
    // A rename must keep the meaning of SQL, but SQL that the user has edited in a saved table may change it.
    mustKeepMeaning: ({ table }) =>
      cause === 'rename' || (cause === 'save' && table.id !== writes[0]?.params['tableId']),
  });
}

/** Indexes the fully known datamodels by their oids. */
const indexDatamodels = ({ datamodels }: Snapshot): ReadonlyMap<string, ModelIndex> =>
  new Map(datamodels.filter(({ datasets }) => datasets).map((model) => [model.oid, new ModelIndex(model)]));

/** All reaches, from the narrowest to the widest. */
const reachOrder: readonly Reach[] = ['itself', 'datamodel', 'rules and viewpoints'];

const getWiderReach = (a: Reach, b: Reach): Reach => (reachOrder.indexOf(a) > reachOrder.indexOf(b) ? a : b);

const createDatamodelRef = (datamodelId: string): ResourceRef => ({ kind: 'datamodel', datamodelId });

const parseReadDatamodel = (documents: Documents, datamodelId: string): Datamodel | undefined =>
  datamodelSchema.safeParse(documents.get(createDatamodelRef(datamodelId))).data;

const isDatamodelRead = (documents: Documents, datamodelId: string): boolean =>
  documents.get(createDatamodelRef(datamodelId)) !== undefined;

/** Fields of tables and columns whose changes take effect without a build. */
const fieldsWithoutBuild: ReadonlySet<string> = new Set(['description', 'hidden', 'buildBehavior']);

/**
 * Returns whether queries show a change of a field only after a build. Comments in SQL don't affect what queries show.
 */
const isShownAfterBuild = ({ field, texts }: FieldChange): boolean =>
  !fieldsWithoutBuild.has(field) &&
  !(
    isExpressionField(field) &&
    texts !== undefined &&
    omitComments(texts.before) === omitComments(texts.after)
  );

function needsBuild(
  { write, created, changed, deleted }: { readonly write: Write } & Effects,
  getWriteKind: WriteKindLookup,
): boolean {
  return (
    getWriteKind(write).needsBuild &&
    (created.length > 0 || deleted.length > 0 || changed.some(({ fields }) => fields.some(isShownAfterBuild)))
  );
}

/**
 * Returns the builds of the known datamodels that writes change, including those that the operation creates. When
 * a project is applied, all of them are loaded.
 */
async function getRequiredBuilds(
  writes: readonly Write[],
  {
    operation,
    snapshot,
    loadDatamodel,
  }: { readonly operation: Operation; readonly snapshot: Snapshot } & Pick<PlanContext, 'loadDatamodel'>,
): Promise<readonly RequiredBuild[]> {
  const models = new Map<string, Pick<Datamodel, 'title' | 'type'> | undefined>(
    snapshot.datamodels.map((model) => [model.oid, model]),
  );
  const builds = new Map<string, RequiredBuild>();
  for (const { params, outputRefs = [] } of writes) {
    const creation = outputRefs.find(({ into: [root, name] }) => root === 'params' && name === 'datamodelId');
    const datamodelId = creation === undefined ? (params['datamodelId'] ?? '') : `new:${creation.write}`;
    if (!models.has(datamodelId)) {
      models.set(
        datamodelId,
        creation === undefined
          ? // Only an apply loads other datamodels: for a save, that would be an additional request.
            operation.cause === 'apply'
            ? await loadDatamodel(datamodelId)
            : undefined
          : createdModelSchema.safeParse(operation.writes[creation.write]?.body).data,
      );
    }
    const model = models.get(datamodelId);
    if (model !== undefined) {
      builds.set(datamodelId, {
        datamodelId,
        title: model.title,
        type: getDatamodelType(model) === 'live' ? 'publish' : 'schema_changes',
      });
    }
  }
  return [...builds.values()];
}

/** The body of the request that creates a datamodel. */
const createdModelSchema = datamodelSchema.pick({ title: true, type: true });
