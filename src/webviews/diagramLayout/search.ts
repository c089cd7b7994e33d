import type { DiagramModel } from './diagramModel.ts';

/** A table, or a column of it, whose name matches the search. */
export interface SearchMatch {
  readonly table: string;
  readonly column?: string;
}

/**
 * Finds tables whose name contains the text, then columns, in the order of the model; `table.column` finds the columns
 * of such tables. Letter case is ignored.
 */
export function findMatches({ tables }: DiagramModel, query: string): readonly SearchMatch[] {
  const text = query.trim().toLocaleLowerCase();
  if (text === '') {
    return [];
  }
  const named = tables.filter(({ name }) => name.toLocaleLowerCase().includes(text));
  const columns = tables.flatMap(({ id, name, columns: all }) =>
    all
      .filter((column) => {
        const own = column.name.toLocaleLowerCase();
        return (
          own.includes(text) || (text.includes('.') && `${name.toLocaleLowerCase()}.${own}`.includes(text))
        );
      })
      .map((column): SearchMatch => ({ table: id, column: column.id })),
  );
  return [...named.map(({ id }): SearchMatch => ({ table: id })), ...columns];
}
