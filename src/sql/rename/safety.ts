import type { Catalog, ExpressionContext } from '../context.ts';
import { type Diagnostic, diagnose } from '../diagnostics.ts';
import { keyOf } from '../scope/symbols.ts';
import { applyEdits, renameIn, type RenameTarget } from './rename.ts';

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

/**
 * What a rename would break in a text although its names are changed: a table that a CTE or alias hides, a
 * USING that the other side no longer matches. Offsets are those of the text after the rename.
 */
export function renameBreaks(
  text: string,
  target: RenameTarget,
  newName: string,
  context: ExpressionContext,
): readonly Diagnostic[] {
  const catalog = renamedCatalog(context.catalog, target, newName);
  const isOwn =
    context.kind === 'column' && target.column === undefined && keyOf(context.table) === keyOf(target.table);
  const now: ExpressionContext =
    context.kind === 'table'
      ? { kind: 'table', catalog }
      : { kind: 'column', table: isOwn ? newName : context.table, catalog };
  const known = new Map<string, number>();
  for (const { code, reason, args } of diagnose(text, context)) {
    const key = `${code} ${reason} ${args[0] ?? ''}`;
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  const after = applyEdits(text, renameIn(text, target, newName, context));
  return diagnose(after, now).filter(({ code, reason, args }) => {
    const key = `${code} ${reason} ${args[0] ?? ''}`;
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}
