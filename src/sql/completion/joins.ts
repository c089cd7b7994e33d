import type { CatalogRelation } from '../catalog.ts';
import { writeName } from '../quoting.ts';
import type { Scope } from '../scope/model.ts';
import type { FromSource } from '../scope/source.ts';
import { type ColumnSymbol, toNameKey } from '../scope/symbols.ts';
import type { FromItem } from '../syntax/tree.ts';
import type { CompletionDraft } from './item.ts';

/** Finds the column of a source that a relation joins, also through CTEs and derived tables. */
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

/** Proposes conditions that join the source of an ON clause with the ones before it. */
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
 * Returns the tables that a relation joins with one in the FROM clause; that one itself only if it is joined with
 * itself.
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
