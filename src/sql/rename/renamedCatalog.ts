import type { Catalog } from '../catalog.ts';
import type { ExpressionContext } from '../context.ts';
import { keyOf } from '../scope/symbols.ts';
import type { RenameTarget } from './target.ts';

/** The catalogue as it is after a rename. */
export function renamedCatalog(catalog: Catalog, target: RenameTarget, newName: string): Catalog {
  const { column } = target;
  const isTable = (name: string): boolean => keyOf(name) === keyOf(target.table);
  const tables = catalog.tables.map((table) => {
    if (!isTable(table.name)) {
      return table;
    }
    if (column === undefined) {
      return { ...table, name: newName };
    }
    const columns = table.columns.map((own) =>
      keyOf(own.name) === keyOf(column) ? { ...own, name: newName } : own,
    );
    return { ...table, columns };
  });
  const relations = catalog.relations?.map(({ columns }) => ({
    columns: columns.map((end) => {
      if (!isTable(end.table)) {
        return end;
      }
      const isEnd = column !== undefined && keyOf(end.column) === keyOf(column);
      return column === undefined ? { ...end, table: newName } : isEnd ? { ...end, column: newName } : end;
    }),
  }));
  return relations === undefined ? { ...catalog, tables } : { ...catalog, tables, relations };
}

/** Where an expression stands after a rename: a column's own table may be the one that gets the name. */
export function renamedContext(
  context: ExpressionContext,
  target: RenameTarget,
  newName: string,
): ExpressionContext {
  const catalog = renamedCatalog(context.catalog, target, newName);
  if (context.kind === 'table') {
    return { kind: 'table', catalog };
  }
  const isOwn = target.column === undefined && keyOf(context.table) === keyOf(target.table);
  return { kind: 'column', table: isOwn ? newName : context.table, catalog };
}
