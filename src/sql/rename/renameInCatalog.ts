import type { Catalog } from '../catalog.ts';
import type { ExpressionContext } from '../context.ts';
import { toNameKey } from '../scope/symbols.ts';
import type { RenameTarget } from './renameTarget.ts';

/** Returns the catalog after a rename. */
export function renameInCatalog(catalog: Catalog, target: RenameTarget, newName: string): Catalog {
  const { column } = target;
  const isTargetTable = (name: string): boolean => toNameKey(name) === toNameKey(target.table);
  const tables = catalog.tables.map((table) => {
    if (!isTargetTable(table.name)) {
      return table;
    }
    if (column === undefined) {
      return { ...table, name: newName };
    }
    const columns = table.columns.map((candidate) =>
      toNameKey(candidate.name) === toNameKey(column) ? { ...candidate, name: newName } : candidate,
    );
    return { ...table, columns };
  });
  const relations = catalog.relations?.map(({ columns }) => ({
    columns: columns.map((relationColumn) => {
      if (!isTargetTable(relationColumn.table)) {
        return relationColumn;
      }
      const isTargetColumn = column !== undefined && toNameKey(relationColumn.column) === toNameKey(column);
      return column === undefined
        ? { ...relationColumn, table: newName }
        : isTargetColumn
          ? { ...relationColumn, column: newName }
          : relationColumn;
    }),
  }));
  return relations === undefined ? { ...catalog, tables } : { ...catalog, tables, relations };
}

/** Returns the context of an expression after a rename. The renamed table may be the table of a custom column. */
export function renameInContext(
  context: ExpressionContext,
  target: RenameTarget,
  newName: string,
): ExpressionContext {
  const catalog = renameInCatalog(context.catalog, target, newName);
  if (context.kind === 'table') {
    return { kind: 'table', catalog };
  }
  const isOwnTableRenamed =
    target.column === undefined && toNameKey(context.table) === toNameKey(target.table);
  return { kind: 'column', table: isOwnTableRenamed ? newName : context.table, catalog };
}
