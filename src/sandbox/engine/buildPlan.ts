import type { BuildType } from '../../contract/build.ts';
import type { CubeMeta } from './cubeMeta.ts';
import type { BuildModel, ModelTable } from './model.ts';
import { toSqlNameKey } from './names.ts';

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
  /** True if the custom columns must be computed again, because they read a changed table. */
  readonly recompute: boolean;
}

export type BuildPlan = ReadonlyMap<string, TableAction>;

const createRebuildAction = (table: ModelTable): TableAction => ({
  kind: table.kind === 'custom' ? 'compute' : 'import',
  recompute: true,
});

/** Returns the action of one table, without regard to the tables that its SQL reads. */
function getOwnAction(
  table: ModelTable,
  buildType: BuildType,
  stored: boolean,
  unchanged: boolean,
): TableAction {
  if (!stored) {
    return createRebuildAction(table);
  }
  if (buildType === 'schema_changes') {
    return unchanged ? { kind: 'copy', recompute: false } : createRebuildAction(table);
  }
  if (buildType !== 'by_table' || table.kind === 'custom') {
    return createRebuildAction(table);
  }
  switch (table.behavior.type) {
    case 'ignoreIfExists':
      return unchanged ? { kind: 'copy', recompute: false } : createRebuildAction(table);
    case 'accumulativeSync':
      return { kind: table.behavior.accumulative === undefined ? 'append' : 'increment', recompute: true };
    default:
      return createRebuildAction(table);
  }
}

/** Makes copied tables that read a changed table, directly or indirectly, compute their SQL again. */
function propagateRecompute(actions: Map<string, TableAction>, model: BuildModel, former: CubeMeta): void {
  const readers = new Map<string, ModelTable[]>();
  const byOid = new Map(model.tables.map((table) => [table.oid, table]));
  for (const stored of former.tables) {
    const table = byOid.get(stored.oid);
    for (const name of table === undefined ? [] : stored.depends) {
      readers.set(name, [...(readers.get(name) ?? []), ...(table === undefined ? [] : [table])]);
    }
  }
  const current = new Set(model.tables.map((table) => toSqlNameKey(table.name)));
  const changed = [
    ...model.tables
      .filter((table) => actions.get(table.oid)?.kind !== 'copy')
      .map((table) => toSqlNameKey(table.name)),
    ...former.tables.map((table) => toSqlNameKey(table.name)).filter((name) => !current.has(name)),
  ];
  for (const name of changed) {
    for (const reader of readers.get(name) ?? []) {
      const action = actions.get(reader.oid);
      if (action?.kind === 'copy' && !action.recompute) {
        actions.set(
          reader.oid,
          reader.kind === 'custom' ? createRebuildAction(reader) : { kind: 'copy', recompute: true },
        );
        // The loop also visits names that are appended here: the readers of this table follow.
        changed.push(toSqlNameKey(reader.name));
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
  former: CubeMeta | undefined,
): BuildPlan {
  const actions = new Map<string, TableAction>();
  const definitions = new Map(previous?.tables.map((table) => [table.oid, table.definition]));
  const stored = new Set(former?.tables.map((table) => table.oid));
  for (const table of model.tables) {
    const unchanged = definitions.get(table.oid) === table.definition;
    actions.set(table.oid, getOwnAction(table, buildType, stored.has(table.oid), unchanged));
  }
  if (former !== undefined) {
    propagateRecompute(actions, model, former);
  }
  return actions;
}
