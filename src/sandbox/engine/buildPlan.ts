import type { BuildType } from '../../contract/build.ts';
import type { CubeMeta } from './cubeMeta.ts';
import type { BuildModel, ModelTable } from './model.ts';
import { toSqlNameKey } from './sqlNames.ts';

/**
 * How a build fills one table of the new cube.
 * - import: all rows of the source
 * - copy: the rows of the previous cube
 * - append: the rows of the previous cube and all rows of the source
 * - increment: the rows of the previous cube and the newer rows of the source
 * - compute: the result of the custom table's query
 */
export interface TableAction {
  readonly kind: 'import' | 'copy' | 'append' | 'increment' | 'compute';
  /**
   * True if the custom columns must be computed, because the rows of the table, or of a table that they read, change.
   */
  readonly shouldRecompute: boolean;
}

export type BuildPlan = ReadonlyMap<string, TableAction>;

const createRebuildAction = (table: ModelTable): TableAction => ({
  kind: table.kind === 'custom' ? 'compute' : 'import',
  shouldRecompute: true,
});

/**
 * Returns the action of one table, without regard to the tables that its SQL reads.
 * @param isStored whether the previous cube has the table
 * @param isUnchanged whether the table has the same definition as in the previous schema
 */
function getInitialAction(
  table: ModelTable,
  buildType: BuildType,
  isStored: boolean,
  isUnchanged: boolean,
): TableAction {
  if (!isStored) {
    return createRebuildAction(table);
  }
  if (buildType === 'schema_changes') {
    return isUnchanged ? { kind: 'copy', shouldRecompute: false } : createRebuildAction(table);
  }
  if (buildType !== 'by_table' || table.kind === 'custom') {
    return createRebuildAction(table);
  }
  switch (table.behavior.type) {
    case 'ignoreIfExists':
      return isUnchanged ? { kind: 'copy', shouldRecompute: false } : createRebuildAction(table);
    case 'accumulativeSync':
      return {
        kind: table.behavior.accumulative === undefined ? 'append' : 'increment',
        shouldRecompute: true,
      };
    default:
      return createRebuildAction(table);
  }
}

/** Makes copied tables that read a changed table, directly or indirectly, compute their SQL again. */
function propagateRecompute(
  actions: Map<string, TableAction>,
  model: BuildModel,
  previousCube: CubeMeta,
): void {
  const dependentsByTableKey = new Map<string, ModelTable[]>();
  const tablesByOid = new Map(model.tables.map((table) => [table.oid, table]));
  for (const previousTable of previousCube.tables) {
    const table = tablesByOid.get(previousTable.oid);
    for (const name of table === undefined ? [] : previousTable.depends) {
      dependentsByTableKey.set(name, [
        ...(dependentsByTableKey.get(name) ?? []),
        ...(table === undefined ? [] : [table]),
      ]);
    }
  }
  const currentKeys = new Set(model.tables.map((table) => toSqlNameKey(table.name)));
  const changedKeys = [
    ...model.tables
      .filter((table) => actions.get(table.oid)?.kind !== 'copy')
      .map((table) => toSqlNameKey(table.name)),
    ...previousCube.tables.map((table) => toSqlNameKey(table.name)).filter((name) => !currentKeys.has(name)),
  ];
  for (const name of changedKeys) {
    for (const dependentTable of dependentsByTableKey.get(name) ?? []) {
      const action = actions.get(dependentTable.oid);
      if (action?.kind === 'copy' && !action.shouldRecompute) {
        actions.set(
          dependentTable.oid,
          dependentTable.kind === 'custom'
            ? createRebuildAction(dependentTable)
            : { kind: 'copy', shouldRecompute: true },
        );
        // The loop also visits names that are appended here, so the tables that read this table follow.
        changedKeys.push(toSqlNameKey(dependentTable.name));
      }
    }
  }
}

/**
 * Returns the action of a build for each table, by table oid. full: rebuilds all tables; by_table: as `buildBehavior`
 * specifies (platform-facts.md, 2.4); schema_changes: rebuilds the tables that changed since `previous`, and those that
 * read them (rest-api.md, "POST /builds body").
 */
export function planBuild(
  model: BuildModel,
  buildType: BuildType,
  previous: BuildModel | undefined,
  previousCube: CubeMeta | undefined,
): BuildPlan {
  const actions = new Map<string, TableAction>();
  const previousDefinitions = new Map(previous?.tables.map((table) => [table.oid, table.definition]));
  const previousOids = new Set(previousCube?.tables.map((table) => table.oid));
  for (const table of model.tables) {
    const isUnchanged = previousDefinitions.get(table.oid) === table.definition;
    actions.set(table.oid, getInitialAction(table, buildType, previousOids.has(table.oid), isUnchanged));
  }
  if (previousCube !== undefined) {
    propagateRecompute(actions, model, previousCube);
  }
  return actions;
}
