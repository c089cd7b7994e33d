import type { Catalog } from '../catalog.ts';
import type { ExpressionContext } from '../context.ts';
import { toNameKey } from '../scope/symbols.ts';
import type { RenameTarget } from './target.ts';

/** Returns the catalog after a rename. */
export function renameInCatalog(catalog: Catalog, target: RenameTarget, newName: string): Catalog {
  const { column } = target;
  const isTable = (name: string): boolean => toNameKey(name) === toNameKey(target.table);
  const tables = catalog.tables.map((table) => {
    if (!isTable(table.name)) {
      return table;
    }
    if (column === undefined) {
      return { ...table, name: newName };
    }
    const columns = table.columns.map((own) =>
      toNameKey(own.name) === toNameKey(column) ? { ...own, name: newName } : own,
    );
    return { ...table, columns };
  });
  const relations = catalog.relations?.map(({ columns }) => ({
    columns: columns.map((end) => {
      if (!isTable(end.table)) {
        return end;
      }
      const isEnd = column !== undefined && toNameKey(end.column) === toNameKey(column);
      return column === undefined ? { ...end, table: newName } : isEnd ? { ...end, column: newName } : end;
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
  const isOwn = target.column === undefined && toNameKey(context.table) === toNameKey(target.table);
  return { kind: 'column', table: isOwn ? newName : context.table, catalog };
}
