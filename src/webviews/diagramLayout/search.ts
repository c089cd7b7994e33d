import type { DiagramModel } from './diagramModel.ts';

/** A table whose name matches the search, or a column of it. */
export interface SearchMatch {
  readonly table: string;
  readonly column?: string;
}

/**
 * Finds tables whose name contains the query, followed by columns whose name does, both in the order of the model. A
 * query with a dot is also matched against `table.column`. Letter case is ignored.
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
