import type { DiagramModel } from './diagramModel.ts';

/** A match of the search: a table, or a column with its table. */
export interface SearchMatch {
  readonly table: string;
  readonly column?: string;
}

/**
 * Finds tables whose name contains the query, followed by columns whose name does, both in the order of the model. A
 * query with a dot is also matched against `table.column`. Letter case is ignored.
 */
export function findMatches({ tables }: DiagramModel, query: string): readonly SearchMatch[] {
  const searchText = query.trim().toLocaleLowerCase();
  if (searchText === '') {
    return [];
  }
  const matchingTables = tables.filter(({ name }) => name.toLocaleLowerCase().includes(searchText));
  const matchingColumns = tables.flatMap(({ id, name, columns: tableColumns }) =>
    tableColumns
      .filter((column) => {
        const columnName = column.name.toLocaleLowerCase();
        return (
          columnName.includes(searchText) ||
          (searchText.includes('.') && `${name.toLocaleLowerCase()}.${columnName}`.includes(searchText))
        );
      })
      .map((column): SearchMatch => ({ table: id, column: column.id })),
  );
  return [...matchingTables.map(({ id }): SearchMatch => ({ table: id })), ...matchingColumns];
}
