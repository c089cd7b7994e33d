import { type JsonObject, type JsonValue } from '../../base/json.ts';
import { type RuleSubject, getCubeSetRuleSubject, getRuleSubject } from '../../catalog/ruleSubject.ts';
import type { Write } from '../../changes/model/operation.ts';
import { shiftOutputRefs } from '../../changes/model/outputRefs.ts';
import { getText } from '../../changes/model/jsonMembers.ts';
import {
  createDatamodelCreationWrite,
  createDatamodelDeletionWrite,
} from '../../changes/model/datamodelWrites.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import type { Project } from '../files/project.ts';
import type { InstanceDocuments } from '../instance/convertInstance.ts';
import type { ItemIdentity } from '../instance/conversionResult.ts';
import { type ItemKey, formatItemKey, isRuleKey } from '../item.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import { findCircularRenames } from '../plan/circularRenames.ts';
import {
  type ColumnCheck,
  createColumnCheck,
  createCubeSetChecks,
  createDeletionCheck,
  renamesInChangedSql,
} from './columnChecks.ts';
import { compileCustomData } from './compileCustomData.ts';
import { DatamodelCompiler } from './compileDatamodel.ts';
import { type CompiledRules, compileRules, needsRenamesFirst } from './compileRules.ts';
import { compileViewpoints } from './compileViewpoints.ts';
import { readDatamodelType } from '../datamodelType.ts';
import { findLoosenedTitles } from './looseningChanges.ts';
import { type OutsideLimits, listKeptRules } from './outsideLimits.ts';
import type { PartyIds } from './partyIds.ts';
import type { ApplyProblem, DeferredChange } from './problems.ts';
import { TargetNames } from './targetNames.ts';
import { canChangeInOneStep } from './oneStep.ts';
import { createDetailsRenamer, createSourceCheck, createViewpointDeferral } from './viewpointDeferral.ts';
import { WriteList } from './writeList.ts';

/** The input from which the writes of an operation are created. */
export interface CompileInput {
  readonly comparison: ProjectComparison;
  readonly project: Pick<Project, 'items'>;
  readonly documents: Omit<InstanceDocuments, 'numberedReferences'>;
  /** The identifiers of the items of the instance. */
  readonly identities: readonly ItemIdentity[];
  readonly partyIds: PartyIds;
  /** The filters that find custom data objects, by the names that the project gives to these objects. */
  readonly customDataFilters: ReadonlyMap<string, JsonObject>;
  /** Returns the connection that the environment has for a dataset, with its secrets. */
  readonly getConnection: (datamodel: string, dataset: string) => JsonObject | undefined;
  /** The titles of new datamodels whose rules the instance accepts only after their first build. */
  readonly titlesThatNeedBuild: ReadonlySet<string>;
  /** The selected rules that could not be compared. */
  readonly unknownRules: readonly ItemKey[];
  readonly outsideLimits: OutsideLimits;
}

/** The writes that apply the changes of a comparison, in a safe order. */
export interface CompiledOperation {
  readonly writes: readonly Write[];
  /** If there are any, nothing may be written. */
  readonly problems: readonly ApplyProblem[];
  /** Changes that have no write yet, because they need a build first. */
  readonly deferred: readonly DeferredChange[];
}

/**
 * Creates the writes of an operation, in an order that never shows values that neither the old nor the new rules allow:
 * 1. Viewpoints are deleted, or share and show less, if more of their data may be visible after the next steps.
 * 2. Existing tables and columns that the operation hides or deletes are hidden in all tables. This step is left out in
 *   a datamodel if {@link canChangeInOneStep}.
 * 3. Rules are written on new names. Rules can name what doesn't exist yet (platform-facts.md, 3.1).
 * 4. Datamodels, tables, columns, and new names are created, and then relations. Tables become visible with a build
 *   (rest-api.md, "Build API").
 * 5. Other rules change.
 * 6. Relations, columns, and tables are deleted, and hidden ones are shown, unless the changes of rules wait for
 *   another apply.
 * 7. All other changes of viewpoints follow.
 * 8. Custom data changes, and the rules of deleted columns are deleted.
 */
export function compileOperation(input: CompileInput): CompiledOperation {
  const { comparison, documents, outsideLimits } = input;
  const list = new WriteList();
  const problems: ApplyProblem[] = [];
  const deferred: DeferredChange[] = [];
  const target = new TargetNames(documents.datamodels, comparison.renamer);
  const changesByDatamodel = groupByDatamodel([
    ...comparison.changes.map((change) => toRenamedColumnChange(change, comparison)),
    ...createMovesOfExtraRules(comparison),
  ]);
  const contents = new Map(input.project.items.map(({ key, content }) => [formatItemKey(key), content]));
  const compiledRules: CompiledRules[] = [];
  const titlesWithOnlyRenames = new Set<string>();
  /**
   * The datamodels whose rules change only with the next apply. `undefined` stands for the cube sets, which may have
   * tables of any datamodel.
   */
  const titlesWithDeferredRules = new Set<string | undefined>();
  const addRules = (
    subject: RuleSubject,
    changes: readonly ItemChange[],
    current: readonly JsonObject[],
    {
      title,
      isCreatedColumn = createColumnCheck(changes, 'create'),
      isDeletedColumn = createDeletionCheck(changes, comparison),
    }: { title?: string; isCreatedColumn?: ColumnCheck; isDeletedColumn?: ColumnCheck } = {},
  ): void => {
    const defersRuleChanges =
      renamesInChangedSql(changes) ||
      // A cube set may have tables of any datamodel. Its rules on their columns stay as long as the columns.
      (title === undefined && titlesWithOnlyRenames.size > 0) ||
      needsRenamesFirst(
        changes.filter(isRule),
        changes.some(({ key, action }) => key.kind === 'relation' && action === 'create'),
      );
    if (defersRuleChanges && title !== undefined) {
      titlesWithOnlyRenames.add(title);
    }
    if (title !== undefined && input.titlesThatNeedBuild.has(title)) {
      deferred.push(
        ...changes.filter(isRule).map(({ key }) => ({ key, reason: 'rules-need-build' as const })),
      );
      return;
    }
    const compiled = compileRules({
      subject,
      changes: changes.filter(isRule),
      existingRules: current,
      partyIds: input.partyIds,
      isCreatedColumn,
      isDeletedColumn,
      defersRuleChanges,
    });
    if (compiled.deferred.length > 0) {
      titlesWithDeferredRules.add(title);
    }
    list.addAll(compiled.beforeCreations);
    deferred.push(...compiled.deferred.map((key) => ({ key, reason: 'renames-first' as const })));
    compiledRules.push(compiled);
    problems.push(...compiled.problems);
  };
  for (const [title, changes] of changesByDatamodel) {
    const datamodel = target.getDatamodel(title);
    if (datamodel !== undefined && !isDatamodelDeleted(changes)) {
      addRules(datamodel.subject, changes, datamodel.rules, { title });
    }
  }
  for (const [cubeSet, changes] of groupByCubeSet(comparison.changes)) {
    const current = documents.cubeSets.find(({ name }) => name === cubeSet)?.rules ?? [];
    addRules(getCubeSetRuleSubject(cubeSet), changes, current, createCubeSetChecks(comparison, current));
  }
  const compilers: DatamodelCompiler[] = [];
  const hidingList = new WriteList();
  const cubeSetRules = [...documents.cubeSets, ...outsideLimits.documents.cubeSets].flatMap(
    ({ rules }) => rules,
  );
  for (const [title, changes] of changesByDatamodel) {
    const creation = changes.find(({ key, action }) => key.kind === 'datamodel' && action === 'create');
    if (creation !== undefined) {
      const content = creation.parts[0]?.after ?? null;
      const type = readDatamodelType(content);
      const index = list.add(createDatamodelCreationWrite({ title, type }));
      const subject = getRuleSubject({ title, type });
      target.addDatamodel(title, {
        id: { write: index, from: ['oid'] },
        subject,
        isNew: true,
        rules: [],
        datasetIds: new Map(),
        tables: new Map(),
      });
      addRules(subject, changes, [], { title });
    }
    const datamodel = target.getDatamodel(title);
    if (datamodel !== undefined && !isDatamodelDeleted(changes)) {
      const keepsHidden = titlesWithDeferredRules.has(title) || titlesWithDeferredRules.has(undefined);
      compilers.push(
        new DatamodelCompiler({
          title,
          changes: changes.filter((change) => !isRule(change)),
          datamodel,
          list,
          problems,
          deferred,
          contents,
          renamer: comparison.renamer,
          target,
          currentRelations: input.identities.filter(
            ({ key }) => key.kind === 'relation' && key.datamodel === title,
          ),
          getConnection: (dataset) => input.getConnection(title, dataset),
          includesDeletions: !titlesWithOnlyRenames.has(title),
          keepsHidden,
          hidingList: canChangeInOneStep(
            changes,
            {
              rules: [...datamodel.rules, ...cubeSetRules],
              isUncertain:
                keepsHidden ||
                comparison.changes.some(({ key: { kind } }) => kind === 'cubeSetRules') ||
                input.unknownRules.some((key) => key.kind !== 'rules' || key.datamodel === title),
            },
            {
              columnRenames: comparison.renamer.columnRenames.filter((rename) => rename.datamodel === title),
            },
          )
            ? undefined
            : hidingList,
        }),
      );
    }
  }
  compilers.forEach((compiler) => compiler.addCreationsAndUpdates());
  compiledRules.forEach(({ beforeDeletions }) => list.addAll(beforeDeletions));
  compilers.forEach((compiler) => compiler.addLaterUpdatesAndDeletions());
  for (const { key, action } of comparison.changes) {
    const id = key.kind === 'datamodel' ? target.getDatamodel(key.datamodel)?.id : undefined;
    if (action === 'delete' && typeof id === 'string') {
      list.add(createDatamodelDeletionWrite({ datamodelId: id }));
    }
  }
  const findDatamodel = createDatamodelLookup(input, contents);
  const viewpointSources = {
    project: input.project,
    documents: {
      datamodels: [...documents.datamodels, ...outsideLimits.documents.datamodels],
      cubeSets: [...documents.cubeSets, ...outsideLimits.documents.cubeSets],
    },
    isUnknownDatamodel: (title: string) => findDatamodel(title) === undefined,
  };
  const viewpoints = compileViewpoints({
    changes: comparison.changes.filter(({ key: { kind } }) => kind === 'viewpoint'),
    currentViewpoints: documents.viewpoints,
    groups: documents.groups,
    partyIds: input.partyIds,
    findDatamodel,
    getDeferral: createViewpointDeferral({
      ...viewpointSources,
      missingItems: [...deferred.map(({ key }) => key), ...input.unknownRules, ...outsideLimits.missingItems],
      keptRules: [...listKeptRules(comparison, input.unknownRules), ...outsideLimits.keptRules],
      renamer: comparison.renamer,
    }),
    mayLoosen: createSourceCheck(
      findLoosenedTitles(comparison, viewpointSources.documents.cubeSets, deferred),
      viewpointSources,
    ),
    renameDetails: createDetailsRenamer(comparison.renamer),
  });
  list.addAll(viewpoints.afterDataChanges);
  deferred.push(...viewpoints.deferred);
  problems.push(...viewpoints.problems);
  const customData = compileCustomData({
    changes: comparison.changes.filter(({ key: { kind } }) => kind === 'customData'),
    currentCustomData: documents.customData,
    filters: input.customDataFilters,
    partyIds: input.partyIds,
  });
  list.addAll(customData.writes);
  problems.push(...customData.problems);
  compiledRules.forEach(({ afterDeletions }) => list.addAll(afterDeletions));
  problems.push(
    ...findTitleRenames(comparison),
    ...findUnknownRulesOnFormerNames(comparison),
    ...findCircularRenames(input.project.items.filter(({ key }) => !comparison.isUncomparable(key))).map(
      (rename): ApplyProblem => ({ code: 'circular-rename', ...rename }),
    ),
  );
  // Nothing that is hidden is new, so these writes need no ID from an earlier one.
  const firstWrites = [...viewpoints.beforeDataChanges, ...hidingList.writes];
  return {
    writes: [...firstWrites, ...shiftOutputRefs(list.writes, firstWrites.length)],
    problems,
    deferred,
  };
}

/**
 * Turns the deletion of the rules of a renamed column into an update, so that it's compiled like the other changes of
 * renamed columns: the new name gets no rules, and those on the former name are deleted after the rename.
 */
function toRenamedColumnChange(change: ItemChange, { renamer }: ProjectComparison): ItemChange {
  const { action, key, parts } = change;
  const to = renamer.toProjectKey(key);
  return action === 'delete' && key.kind === 'rules' && formatItemKey(to) !== formatItemKey(key)
    ? {
        ...change,
        action: 'update',
        key: to,
        from: key,
        parts: parts.map((part) => ({ ...part, after: [] })),
      }
    : change;
}

/**
 * Returns changes that move rules to the new name of their column. Only the instance has these rules, and the apply
 * keeps them.
 */
export const createMovesOfExtraRules = ({
  extraItems,
  renamer,
}: Pick<ProjectComparison, 'extraItems' | 'renamer'>): readonly ItemChange[] =>
  extraItems.flatMap(({ key }): readonly ItemChange[] => {
    const to = renamer.toProjectKey(key);
    return key.kind === 'rules' && formatItemKey(to) !== formatItemKey(key)
      ? [{ action: 'update', key: to, from: key, parts: [], isChangedOnServer: false }]
      : [];
  });

const isRule = ({ key }: ItemChange): boolean => isRuleKey(key);

/** Returns whether a datamodel is deleted as a whole. */
const isDatamodelDeleted = (changes: readonly ItemChange[]): boolean =>
  changes.some(({ key, action }) => key.kind === 'datamodel' && action === 'delete');

const groupByDatamodel = (changes: readonly ItemChange[]): ReadonlyMap<string, readonly ItemChange[]> =>
  groupChanges(changes, ({ key }) => ('datamodel' in key ? key.datamodel : undefined));

const groupByCubeSet = (changes: readonly ItemChange[]): ReadonlyMap<string, readonly ItemChange[]> =>
  groupChanges(changes, ({ key }) => (key.kind === 'cubeSetRules' ? key.cubeSet : undefined));

/** Groups changes by a name. Changes without one are left out. */
function groupChanges(
  changes: readonly ItemChange[],
  getName: (change: ItemChange) => string | undefined,
): ReadonlyMap<string, readonly ItemChange[]> {
  const groups = new Map<string, ItemChange[]>();
  for (const change of changes) {
    const name = getName(change);
    if (name !== undefined) {
      const group = groups.get(name) ?? [];
      groups.set(name, group);
      group.push(change);
    }
  }
  return groups;
}

/** Finds datamodels on the instance, and those that the operation creates. */
function createDatamodelLookup(
  { documents }: CompileInput,
  contents: ReadonlyMap<string, JsonValue>,
): (title: string) => Pick<Datamodel, 'title' | 'type' | 'server'> | undefined {
  const onInstance = new Map(
    documents.datamodels.map(({ document }) => [getText(document['title']), document]),
  );
  return (title) => {
    const document = onInstance.get(title);
    const content = contents.get(formatItemKey({ kind: 'datamodel', datamodel: title }));
    if (document !== undefined) {
      const server = getText(document['server']);
      return { title, type: readDatamodelType(document), ...(server === '' ? {} : { server }) };
    }
    return content === undefined ? undefined : { title, type: readDatamodelType(content) };
  };
}

/** Reports renamed datamodels as problems: no request changes the title of a datamodel (rest-api.md, "Datamodel"). */
const findTitleRenames = ({ renamer }: ProjectComparison): readonly ApplyProblem[] =>
  renamer.renames.flatMap(({ from, to }) =>
    to.kind === 'datamodel' && from.kind === 'datamodel'
      ? [{ code: 'fixed-title', key: to, name: from.datamodel } as const]
      : [],
  );

/** Reports rules that a rename would leave behind, because they can't be written to the new name. */
const findUnknownRulesOnFormerNames = ({ notes, renamer }: ProjectComparison): readonly ApplyProblem[] =>
  notes.flatMap(({ code, key }) =>
    code === 'unknown-party-type' &&
    key.kind === 'rules' &&
    formatItemKey(renamer.toProjectKey(key)) !== formatItemKey(key)
      ? [{ code, key, name: `${key.table}.${key.column}` }]
      : [],
  );
