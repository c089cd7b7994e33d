import type { JoinableColumn } from './relationEnds.ts';

type RelationColumn = Pick<JoinableColumn, 'columnName' | 'typeGroup'>;

/** Returns how well a column fits those that a relation joins already: 0 is the best. */
function getRank(
  { columnName, typeGroup }: RelationColumn,
  joinedColumns: readonly RelationColumn[],
): number {
  const isSameName = joinedColumns.some(
    (other) => other.columnName.toLowerCase() === columnName.toLowerCase(),
  );
  const isSameType = joinedColumns.some((other) => typeGroup !== undefined && other.typeGroup === typeGroup);
  return (isSameName ? 0 : 2) + (isSameType ? 0 : 1);
}

/** Sorts columns by how well they fit those that a relation joins already: same name first, then same type. */
export const sortColumnsByFit = <Column extends RelationColumn>(
  columns: readonly Column[],
  joinedColumns: readonly RelationColumn[],
): readonly Column[] => columns.toSorted((a, b) => getRank(a, joinedColumns) - getRank(b, joinedColumns));

/** Sorts tables by their best column; tables that fit equally well keep their order. */
export const sortTablesByFit = <Table extends { readonly columns: readonly RelationColumn[] }>(
  tables: readonly Table[],
  joinedColumns: readonly RelationColumn[],
): readonly Table[] => {
  // Nearly every table has a column of the same type, so only names distinguish tables. Ranks below 2 are those of the
  // same name.
  const hasSameName = ({ columns }: Table): boolean =>
    columns.some((column) => getRank(column, joinedColumns) < 2);
  return tables.toSorted((a, b) => Number(hasSameName(b)) - Number(hasSameName(a)));
};
