import type { CatalogRelation } from '../catalog.ts';
import { writeName } from '../quoting.ts';
import type { Scope } from '../scope/model.ts';
import type { FromSource } from '../scope/source.ts';
import { type ColumnSymbol, toNameKey } from '../scope/symbols.ts';
import type { FromItem } from '../syntax/tree.ts';
import type { CompletionDraft } from './item.ts';

/** Finds the column of a source that is the given column of the catalog, also through CTEs and derived tables. */
function findJoinColumn(source: FromSource, table: string, column: string): string | undefined {
  const found = source.shape.columns.find(({ symbol }) => {
    const base: ColumnSymbol | undefined = symbol?.kind === 'column' ? symbol : symbol?.origin;
    return (
      base !== undefined &&
      toNameKey(base.table.name) === toNameKey(table) &&
      toNameKey(base.column.name) === toNameKey(column)
    );
  });
  return found?.name;
}

function createConditionDrafts(
  relation: CatalogRelation,
  left: FromSource,
  right: FromSource,
): CompletionDraft[] {
  const drafts: CompletionDraft[] = [];
  for (const from of relation.columns) {
    for (const to of relation.columns) {
      const a = from === to ? undefined : findJoinColumn(left, from.table, from.column);
      const b = a === undefined ? undefined : findJoinColumn(right, to.table, to.column);
      if (a !== undefined && b !== undefined) {
        drafts.push({
          label: `${a} = ${b}`,
          insertText: `${qualifyColumn(left, a)} = ${qualifyColumn(right, b)}`,
          kind: 'column',
          detail: 'relation',
        });
      }
    }
  }
  return drafts;
}

function qualifyColumn(source: FromSource, column: string): string {
  return `${writeName(source.name)}.${writeName(column)}`;
}

/** Creates drafts for conditions that join a source with the sources before it, based on the relations. */
export function createJoinConditionDrafts(
  scope: Scope,
  joined: FromItem,
  relations: readonly CatalogRelation[],
): CompletionDraft[] {
  const position = scope.sources.findIndex(({ item }) => item === joined);
  const right = scope.sources[position];
  if (right === undefined) {
    return [];
  }
  const before = scope.sources.slice(0, position).reverse();
  return before.flatMap((left) =>
    relations.flatMap((relation) => createConditionDrafts(relation, left, right)),
  );
}

/**
 * Returns the keys of the tables that have a relation to a table in the FROM clause. A table in the FROM clause is
 * included only if it has a relation to itself or to another table there.
 */
export function findJoinableTables(scope: Scope, relations: readonly CatalogRelation[]): Set<string> {
  const present = new Set(
    scope.sources.flatMap(({ target }) => (target.kind === 'table' ? [toNameKey(target.table.name)] : [])),
  );
  const related = new Set<string>();
  for (const { columns } of relations) {
    columns.forEach((end, at) => {
      if (columns.some((other, index) => index !== at && present.has(toNameKey(other.table)))) {
        related.add(toNameKey(end.table));
      }
    });
  }
  return related;
}
