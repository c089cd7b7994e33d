import { minRelationColumns } from '../../contract/datamodel.ts';
import { BuildError } from './buildError.ts';
import type { CubeRelation, CubeTable } from './cubeMeta.ts';
import type { BuildModel, ModelRelation } from './model.ts';
import { toSqlNameKey } from './sqlNames.ts';

/**
 * Resolves the oids in the relations of a datamodel to names.
 * @param previous the schema of the last successful build, for the names of tables and columns that were deleted since
 * @throws BuildError for a relation with fewer than 2 columns (rest-api.md, "Errors" 2) and for one that names a table
 * or column that the model does not have (rest-api.md, "Datamodel API" 4: the caller must remove dangling
 * references).
 */
export function resolveRelations(model: BuildModel, previous?: BuildModel): readonly CubeRelation[] {
  const tables = new Map(model.tables.map((table) => [table.oid, table]));
  return model.relations.map((relation) => {
    const formatRelation = (): string =>
      `relation of ${getEndNames(relation, [model, previous]).join(' and ')}`;
    if (relation.ends.length < minRelationColumns) {
      throw new BuildError(`${formatRelation()}: fewer than ${minRelationColumns} columns`);
    }
    return {
      ends: relation.ends.map((end) => {
        const table = tables.get(end.table);
        if (table === undefined) {
          throw new BuildError(`${formatRelation()}: no such table: ${getTableName(end, [previous])}`);
        }
        const column = table.columns.find((candidate) => candidate.oid === end.column);
        if (column === undefined) {
          throw new BuildError(
            `${formatRelation()}: no such column: ${getColumnName(end, [previous])}`,
            table.name,
          );
        }
        return { table: table.name, column: column.name };
      }),
    };
  });
}

type ModelVersions = readonly (BuildModel | undefined)[];
type RelationEnd = ModelRelation['ends'][number];

const getEndNames = ({ ends }: ModelRelation, models: ModelVersions): readonly string[] =>
  ends.map((end) => `${getTableName(end, models)}.${getColumnName(end, models)}`);

/** Returns the name of a table in the first model that has it; its oid if none does. */
function getTableName({ table: oid }: RelationEnd, models: ModelVersions): string {
  const tables = models.flatMap((model) => model?.tables ?? []);
  return tables.find((table) => table.oid === oid)?.name ?? oid;
}

function getColumnName({ column: oid }: RelationEnd, models: ModelVersions): string {
  const columns = models.flatMap((model) => model?.tables ?? []).flatMap((table) => table.columns);
  return columns.find((column) => column.oid === oid)?.name ?? oid;
}

/**
 * Checks that all columns of relations were built.
 * @throws BuildError when a custom table's query no longer returns a column that a relation uses
 */
export function checkBuiltRelations(relations: readonly CubeRelation[], tables: readonly CubeTable[]): void {
  const columnKeysByTable = new Map(
    tables.map((table) => [
      toSqlNameKey(table.name),
      new Set(table.columns.map((column) => toSqlNameKey(column.name))),
    ]),
  );
  for (const end of relations.flatMap((relation) => relation.ends)) {
    if (columnKeysByTable.get(toSqlNameKey(end.table))?.has(toSqlNameKey(end.column)) !== true) {
      throw new BuildError(`relation: no such column: ${end.column}`, end.table);
    }
  }
}
