import type { CatalogRelation } from '../catalog.ts';
import { formatSqlName } from '../quoting.ts';
import type { Scope } from '../scope/scope.ts';
import type { FromSource } from '../scope/source.ts';
import { type ColumnSymbol, toNameKey } from '../scope/symbols.ts';
import type { FromItem } from '../syntax/tree.ts';
import type { CompletionDraft } from './completionItem.ts';

/**
 * Returns the name that a source gives to a column of the catalog, also through CTEs and derived tables; `undefined` if
 * the source does not have the column.
 */
function findJoinColumn(source: FromSource, table: string, column: string): string | undefined {
  const match = source.shape.columns.find(({ symbol }) => {
    const columnSymbol: ColumnSymbol | undefined = symbol?.kind === 'column' ? symbol : symbol?.origin;
    return (
      columnSymbol !== undefined &&
      toNameKey(columnSymbol.table.name) === toNameKey(table) &&
      toNameKey(columnSymbol.column.name) === toNameKey(column)
    );
  });
  return match?.name;
}

function createConditionDrafts(
  relation: CatalogRelation,
  left: FromSource,
  right: FromSource,
): CompletionDraft[] {
  const drafts: CompletionDraft[] = [];
  for (const leftColumn of relation.columns) {
    for (const rightColumn of relation.columns) {
      const leftName =
        leftColumn === rightColumn ? undefined : findJoinColumn(left, leftColumn.table, leftColumn.column);
      const rightName =
        leftName === undefined ? undefined : findJoinColumn(right, rightColumn.table, rightColumn.column);
      if (leftName !== undefined && rightName !== undefined) {
        drafts.push({
          label: `${leftName} = ${rightName}`,
          insertText: `${qualifyColumn(left, leftName)} = ${qualifyColumn(right, rightName)}`,
          kind: 'column',
          detail: 'relation',
        });
      }
    }
  }
  return drafts;
}

function qualifyColumn(source: FromSource, column: string): string {
  return `${formatSqlName(source.name)}.${formatSqlName(column)}`;
}

/** Creates drafts for conditions that join a source with the sources before it, based on the relations. */
export function createJoinConditionDrafts(
  scope: Scope,
  joinedItem: FromItem,
  relations: readonly CatalogRelation[],
): CompletionDraft[] {
  const joinedIndex = scope.sources.findIndex(({ item }) => item === joinedItem);
  const right = scope.sources[joinedIndex];
  if (right === undefined) {
    return [];
  }
  const previousSources = scope.sources.slice(0, joinedIndex).reverse();
  return previousSources.flatMap((left) =>
    relations.flatMap((relation) => createConditionDrafts(relation, left, right)),
  );
}

/**
 * Returns the keys of the tables that have a relation to a table in the FROM clause. A table in the FROM clause is
 * included only if it has a relation to itself or to another table there.
 */
export function findJoinableTables(scope: Scope, relations: readonly CatalogRelation[]): Set<string> {
  const usedTableKeys = new Set(
    scope.sources.flatMap(({ target }) => (target.kind === 'table' ? [toNameKey(target.table.name)] : [])),
  );
  const joinableKeys = new Set<string>();
  for (const { columns } of relations) {
    columns.forEach((relationColumn, columnIndex) => {
      if (
        columns.some((other, index) => index !== columnIndex && usedTableKeys.has(toNameKey(other.table)))
      ) {
        joinableKeys.add(toNameKey(relationColumn.table));
      }
    });
  }
  return joinableKeys;
}
