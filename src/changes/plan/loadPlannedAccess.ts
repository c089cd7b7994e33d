import { lazy } from '../../base/lazy.ts';
import {
  getRuleSubject,
  getSubjectTitle,
  isSameSubject,
  type RuleSubject,
} from '../../catalog/ruleSubject.ts';
import { createModelCatalog } from '../../catalog/modelCatalog.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import {
  type AccessChange,
  type AccessDifference,
  computeAccessDifference,
} from '../../security/change/accessDifference.ts';
import { Memberships, dependsOnMemberships } from '../../security/membership/memberships.ts';
import type { Catalog } from '../../sql/language.ts';
import { loadWriteKinds } from '../endpoints/writeKinds.ts';
import { ModelIndex } from '../model/modelIndex.ts';
import type { Write } from '../model/operation.ts';
import type { PlannedAccess } from '../model/plan.ts';
import { collectPartyNames } from '../model/planSubjects.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import type { Documents, RulesOfSubject, Snapshot } from '../model/snapshot.ts';
import { findTablesWithDeletions } from './deletedNames.ts';
import type { PlanSources } from './planSources.ts';
import { applyWrites, withDocuments } from './applyWrites.ts';
import { findRulesWithoutEffect, omitRepeatedRows } from './cubeSetAccess.ts';
import {
  type DatamodelBefore,
  type GainsUntilBuild,
  findCubeSetFormerNameGains,
  findFormerNameGains,
  toPendingBuild,
} from '../model/formerNames.ts';
import { computeViewpointAccess } from './viewpointAccess.ts';
import { findViewpointsUntilBuild } from './viewpointsUntilBuild.ts';

/**
 * Computes who gains and who loses access through an operation on rules, tables, relations or viewpoints. Loads the
 * datamodels and rules that the plan did not need.
 * @param planSnapshot what was loaded for the plan
 * @returns `undefined` for an operation that changes no one's access
 * @throws ApiError
 */
export async function loadPlannedAccess(
  writes: readonly Write[],
  documents: Documents,
  planSnapshot: Pick<Snapshot, 'datamodels' | 'rules'>,
  sources: PlanSources,
): Promise<PlannedAccess | undefined> {
  const writtenSubjects = writes.flatMap((write) => getWriteRuleSubject(write) ?? []);
  const modelIds = await findWrittenDatamodelIds(writes);
  const loadUsersAndGroups = lazy(() => sources.loadUsersAndGroups());
  const { viewpoints, partyNames } = await computeViewpointAccess(writes, documents, loadUsersAndGroups);
  if (writtenSubjects.length === 0 && modelIds.length === 0) {
    return viewpoints.length === 0 ? undefined : { subjects: [], viewpoints, partyNames };
  }
  const datamodels = await Promise.all(
    modelIds.map(async (id) => {
      const model = planSnapshot.datamodels.find(({ oid }) => oid === id);
      return model?.datasets && model.relations ? model : sources.loadDatamodel(id);
    }),
  );
  const modelSubjects = datamodels.map(getRuleSubject);
  const isWritten = (subject: RuleSubject): boolean =>
    writtenSubjects.some((other) => isSameSubject(other, subject));
  const hasExtract = modelSubjects.some(({ kind }) => kind === 'extract');
  const cubeSets = sources.getCubeSets().filter((subject) => hasExtract || isWritten(subject));
  const subjects = [...modelSubjects, ...cubeSets, ...writtenSubjects].filter(
    (subject, index, all) => all.findIndex((other) => isSameSubject(subject, other)) === index,
  );
  const isCubeSet = (subject: RuleSubject): boolean => cubeSets.some((set) => isSameSubject(set, subject));
  const rules = await Promise.all(
    subjects.map(
      async (subject): Promise<RulesOfSubject> =>
        planSnapshot.rules?.find((candidate) => isSameSubject(candidate.subject, subject)) ?? {
          subject,
          isCubeSet: isCubeSet(subject),
          rules: await sources.loadRules(subject),
        },
    ),
  );
  const before = withDocuments({ datamodels, rules, viewpoints: undefined }, documents);
  const after = await applyWrites(before, writes);
  const rulesBeforeAndAfter = [before, after].flatMap((state) =>
    (state.rules ?? []).flatMap((subjectRules) => subjectRules.rules),
  );
  const tablesOfRules = await Promise.all(
    subjects.map(async (subject) =>
      [...modelSubjects, ...cubeSets].some((other) => isSameSubject(other, subject))
        ? 'unknown'
        : sources.loadTables(subject),
    ),
  );
  const usersAndGroups = dependsOnMemberships(rulesBeforeAndAfter) ? await loadUsersAndGroups() : undefined;
  const memberships =
    usersAndGroups &&
    new Memberships((user) => usersAndGroups.getMembership(user)?.groupIds, usersAndGroups.getGroupSets());
  const deletedIds = findDeletedDatamodelIds(writes);
  const others = cubeSets.some(isWritten)
    ? await sources.loadCubeSetTables(new Set([...modelIds, ...deletedIds]))
    : undefined;
  const { findDataChanges } = await import('./dataChanges.ts');
  const dataChanges = findDataChanges(before, after, writes);
  const viewpointsUntilBuild = findViewpointsUntilBuild(writes, documents, {
    datamodels,
    rules: after.rules ?? [],
    viewpoints,
  });
  const createsDatamodels = writes.some(({ endpoint }) => endpoint === 'datamodels.create');
  return {
    subjects: subjects.flatMap((subject, index): PlannedAccess['subjects'] => {
      const [rulesBefore, rulesAfter] = [before, after].map((state) => state.rules?.[index]?.rules ?? []);
      const compare = (tables: Parameters<typeof createAccessChange>[2]): AccessDifference =>
        computeAccessDifference({
          ...createAccessChange(rulesBefore ?? [], rulesAfter ?? [], tables),
          memberships,
        });
      const changedRules = { before: rulesBefore ?? [], after: rulesAfter ?? [], memberships };
      /**
       * Compares the rules alone, in the schema that a written datamodel has until it is built. Anyone who gains rows
       * of a table there also sees the tables and columns of it that are deleted.
       */
      const findRowsUntilBuild = (pair: ModelPair, later: AccessDifference) => {
        if (!isWritten(subject)) {
          return [];
        }
        const difference = compare({ before: pair.before, after: pair.before });
        const otherRows = new Set(omitRepeatedRows(difference, [later]).rows);
        const losing = findTablesWithDeletions(pair);
        return difference.rows.filter(
          (row) =>
            row.effect !== 'loses' && (otherRows.has(row) || row.tables.some((table) => losing.has(table))),
        );
      };
      const toUntilBuild = (
        datamodel: Datamodel,
        rows: GainsUntilBuild['rows'],
      ): { readonly untilBuild?: GainsUntilBuild } =>
        rows.length === 0 ? {} : { untilBuild: { ...toPendingBuild(datamodel), rows } };
      const findGainsUntilBuild = (tables: ComparedTables, later: AccessDifference) => {
        const model = typeof tables === 'object' ? toDatamodelBefore(tables) : undefined;
        if (model === undefined || !isWritten(subject) || deletedIds.includes(model.datamodel.oid)) {
          return {};
        }
        return toUntilBuild(model.datamodel, [
          ...(typeof tables === 'object' && 'before' in tables ? findRowsUntilBuild(tables, later) : []),
          ...(findFormerNameGains(changedRules, model)?.rows ?? []),
        ]);
      };
      const title = getSubjectTitle(subject);
      const pairs = findModelPairs(before, after, subject, isCubeSet(subject));
      if (!isCubeSet(subject)) {
        return (pairs ?? [tablesOfRules[index]]).map((tables) => {
          const difference = compare(tables);
          return {
            title,
            ...(tablesOfRules[index] === 'unreadable' ? { hasUnreadableTables: true as const } : {}),
            difference,
            ...findGainsUntilBuild(tables, difference),
          };
        });
      }
      const compared = (pairs ?? []).map((pair) => ({ pair, difference: compare(pair) }));
      const differences = compared.map(({ difference }) => difference);
      if (others === undefined || !isWritten(subject)) {
        return differences.map((difference) => ({ title, isCubeSet: true, difference }));
      }
      const catalogs = (pairs ?? []).map((pair) => createAccessChange([], [], pair));
      // A rule on the old name of a table may still affect a table of that name in another datamodel.
      const otherDifference = omitRepeatedRows(compare(others.catalog), differences);
      const rulesWithoutEffect = createsDatamodels
        ? // The tables of a new datamodel aren't known, so any of the rules may have an effect.
          []
        : findRulesWithoutEffect(
            { before: rulesBefore ?? [], after: rulesAfter ?? [] },
            {
              before: [others.catalog, ...catalogs.flatMap((change) => change.before.catalog ?? [])],
              after: [others.catalog, ...catalogs.flatMap((change) => change.after.catalog ?? [])],
            },
          );
      return [
        ...compared.map(({ pair, difference }) => ({
          difference,
          ...toUntilBuild(pair.before, findRowsUntilBuild(pair, difference)),
        })),
        { difference: otherDifference },
        ...findCubeSetFormerNameGains(changedRules, [
          ...(pairs ?? []).map(toDatamodelBefore),
          ...others.datamodels,
        ]).flatMap((untilBuild) => {
          const { rows } = omitRepeatedRows({ ...noDifference, rows: untilBuild.rows }, [
            ...differences,
            otherDifference,
          ]);
          return rows.length === 0 ? [] : [{ difference: noDifference, untilBuild: { ...untilBuild, rows } }];
        }),
      ].map((described, position) => ({
        title,
        isCubeSet: true,
        ...described,
        ...(position === 0 && rulesWithoutEffect.length > 0 ? { rulesWithoutEffect } : {}),
      }));
    }),
    ...(viewpoints.length === 0 ? {} : { viewpoints }),
    ...(viewpointsUntilBuild.length === 0 ? {} : { viewpointsUntilBuild }),
    ...(dataChanges.length === 0 ? {} : { dataChanges }),
    partyNames: new Map([...partyNames, ...collectPartyNames(rulesBeforeAndAfter)]),
  };
}

/** Returns the IDs of the existing datamodels whose tables or relations are written. */
async function findWrittenDatamodelIds(writes: readonly Write[]): Promise<readonly string[]> {
  const getWriteKind = await loadWriteKinds(writes);
  const ids = writes.flatMap((write) => {
    const { datamodelId } = write.params;
    const isNew = write.outputRefs?.some(({ into }) => into[1] === 'datamodelId') === true;
    return datamodelId === undefined || isNew || !getWriteKind(write).needsBuild ? [] : [datamodelId];
  });
  return [...new Set(ids)];
}

/** Returns the IDs of the datamodels that are deleted. */
const findDeletedDatamodelIds = (writes: readonly Write[]): readonly string[] =>
  writes.flatMap(({ endpoint, params: { datamodelId } }) =>
    endpoint === 'datamodels.delete' && datamodelId !== undefined ? [datamodelId] : [],
  );

/** A datamodel before and after an operation. */
interface ModelPair {
  readonly before: Datamodel;
  readonly after: Datamodel;
}

const toDatamodelBefore = (model: ModelPair | DatamodelBefore): DatamodelBefore =>
  'before' in model ? { datamodel: model.before, catalog: createModelCatalog(model.before) } : model;

/**
 * Returns the datamodels that the rules of a subject may apply to. The datamodels of a cube set are unknown, so all
 * written datamodels are returned.
 * @returns `undefined` if none of them is written
 */
function findModelPairs(
  before: Snapshot,
  after: Snapshot,
  subject: RuleSubject,
  isCubeSet: boolean,
): readonly ModelPair[] | undefined {
  const models = before.datamodels.filter((model) => {
    const modelSubject = getRuleSubject(model);
    return isCubeSet ? modelSubject.kind === 'extract' : isSameSubject(modelSubject, subject);
  });
  return models.length === 0
    ? undefined
    : models.flatMap((model) => {
        const newModel = after.datamodels.find(({ oid }) => oid === model.oid);
        return newModel === undefined ? [] : [{ before: model, after: newModel }];
      });
}

/**
 * A datamodel before and after an operation; if only rules change, the datamodel. A text (`unknown`, `unreadable`) or
 * `undefined` if its tables aren't known.
 */
type ComparedTables = ModelPair | DatamodelBefore | string | undefined;

const noDifference: AccessDifference = { rows: [], otherPartyCount: 0, hasMoreCombinations: false };

function createAccessChange(
  rulesBefore: readonly unknown[],
  rulesAfter: readonly unknown[],
  tables: ComparedTables | Catalog,
): AccessChange {
  if (typeof tables === 'object' && 'before' in tables) {
    return {
      before: { rules: rulesBefore, catalog: createModelCatalog(tables.before) },
      after: { rules: rulesAfter, catalog: createModelCatalog(tables.after) },
      getOldName: createOldNameLookup(tables),
    };
  }
  const catalog = typeof tables !== 'object' ? undefined : 'catalog' in tables ? tables.catalog : tables;
  return { before: { rules: rulesBefore, catalog }, after: { rules: rulesAfter, catalog } };
}

/** Returns a function that finds the former name of a table or column by its oid. */
function createOldNameLookup({ before, after }: ModelPair): NonNullable<AccessChange['getOldName']> {
  const oldTables = new ModelIndex(before).tables;
  const oldTablesById = new Map(oldTables.map((table) => [table.id, table]));
  const tables = new ModelIndex(after).tables;
  const tableNames = findOldNames(oldTables, tables);
  const oldNames = new Map(
    tables.map((table) => [
      table.name,
      {
        name: tableNames.get(table.name) ?? table.name,
        columns: findOldNames(oldTablesById.get(table.id)?.columns ?? [], table.columns),
      },
    ]),
  );
  return ({ table, column }) => {
    const old = oldNames.get(table);
    return { table: old?.name ?? table, column: old?.columns.get(column) ?? column };
  };
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Returns the former names of what exists after a change, by the names. If a new item has the name that another item
 * had before its rename, it gets an unused former name: otherwise, it would be compared with the renamed item.
 */
function findOldNames(before: readonly Named[], after: readonly Named[]): ReadonlyMap<string, string> {
  const oldNames = new Map(before.map(({ id, name }) => [id, name]));
  const renamedFrom = new Set(
    after.flatMap(({ id, name }) => {
      const oldName = oldNames.get(id);
      return oldName === undefined || oldName === name ? [] : [oldName];
    }),
  );
  const usedNames = new Set([...oldNames.values(), ...after.map(({ name }) => name)]);
  const findUnusedName = (name: string): string => {
    let number = 2;
    while (usedNames.has(`${name} (${number})`)) {
      number += 1;
    }
    return `${name} (${number})`;
  };
  return new Map(
    after.map(({ id, name }) => [
      name,
      oldNames.get(id) ?? (renamedFrom.has(name) ? findUnusedName(name) : name),
    ]),
  );
}
