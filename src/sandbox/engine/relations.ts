import { minRelationColumns } from '../../contract/relation.ts';
import { BuildError } from './buildError.ts';
import type { CubeRelation, CubeTable } from './cubeMeta.ts';
import type { BuildModel } from './model.ts';
import { nameKey } from './names.ts';

/**
 * The relations of a model by names.
 * @throws BuildError for a relation with fewer than 2 columns (spec, errors 2) and for one that names a table or
 * column that the model does not have (spec, Datamodel rule 4: dangling references are the caller's to remove).
 */
export function resolveRelations(model: BuildModel): readonly CubeRelation[] {
  const tables = new Map(model.tables.map((table) => [table.oid, table]));
  return model.relations.map((relation) => {
    if (relation.ends.length < minRelationColumns) {
      throw new BuildError(`relation ${relation.oid} has fewer than ${minRelationColumns} columns`);
    }
    return {
      ends: relation.ends.map((end) => {
        const table = tables.get(end.table);
        if (table === undefined) {
          throw new BuildError(`relation ${relation.oid}: no such table: ${end.table}`);
        }
        const column = table.columns.find((candidate) => candidate.oid === end.column);
        if (column === undefined) {
          throw new BuildError(`relation ${relation.oid}: no such column: ${end.column}`, table.name);
        }
        return { table: table.name, column: column.name };
      }),
    };
  });
}

/** @throws BuildError when a custom table's expression no longer yields a column that a relation joins by. */
export function checkBuiltRelations(relations: readonly CubeRelation[], tables: readonly CubeTable[]): void {
  const built = new Map(
    tables.map((table) => [
      nameKey(table.name),
      new Set(table.columns.map((column) => nameKey(column.name))),
    ]),
  );
  for (const end of relations.flatMap((relation) => relation.ends)) {
    if (built.get(nameKey(end.table))?.has(nameKey(end.column)) !== true) {
      throw new BuildError(`relation: no such column: ${end.column}`, end.table);
    }
  }
}
