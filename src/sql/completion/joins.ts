import type { CatalogRelation } from '../catalog.ts';
import { writeName } from '../quoting.ts';
import type { Scope } from '../scope/model.ts';
import type { Source } from '../scope/source.ts';
import { type ColumnSymbol, keyOf } from '../scope/symbols.ts';
import type { FromItem } from '../syntax/tree.ts';
import type { Draft } from './item.ts';

/** A column of a source that a relation joins, reached through CTEs and derived tables too. */
function columnFor(source: Source, table: string, column: string): string | undefined {
  const found = source.shape.columns.find(({ symbol }) => {
    const base: ColumnSymbol | undefined = symbol?.kind === 'column' ? symbol : symbol?.origin;
    return (
      base !== undefined &&
      keyOf(base.table.name) === keyOf(table) &&
      keyOf(base.column.name) === keyOf(column)
    );
  });
  return found?.name;
}

function conditions(relation: CatalogRelation, left: Source, right: Source): Draft[] {
  const drafts: Draft[] = [];
  for (const from of relation.columns) {
    for (const to of relation.columns) {
      const a = from === to ? undefined : columnFor(left, from.table, from.column);
      const b = a === undefined ? undefined : columnFor(right, to.table, to.column);
      if (a !== undefined && b !== undefined) {
        drafts.push({
          label: `${a} = ${b}`,
          insertText: `${qualified(left, a)} = ${qualified(right, b)}`,
          kind: 'column',
          detail: 'relation',
        });
      }
    }
  }
  return drafts;
}

function qualified(source: Source, column: string): string {
  return `${writeName(source.name)}.${writeName(column)}`;
}

/** Conditions that join the source of an ON clause with the ones before it. */
export function joinConditions(
  scope: Scope,
  joined: FromItem,
  relations: readonly CatalogRelation[],
): Draft[] {
  const position = scope.sources.findIndex(({ item }) => item === joined);
  const right = scope.sources[position];
  if (right === undefined) {
    return [];
  }
  const before = scope.sources.slice(0, position).reverse();
  return before.flatMap((left) => relations.flatMap((relation) => conditions(relation, left, right)));
}

/** Tables that a relation joins with one that is in the FROM clause; that one itself only where it is joined with itself. */
export function relatedTables(scope: Scope, relations: readonly CatalogRelation[]): Set<string> {
  const present = new Set(
    scope.sources.flatMap(({ target }) => (target.kind === 'table' ? [keyOf(target.table.name)] : [])),
  );
  const related = new Set<string>();
  for (const { columns } of relations) {
    columns.forEach((end, at) => {
      if (columns.some((other, index) => index !== at && present.has(keyOf(other.table)))) {
        related.add(keyOf(end.table));
      }
    });
  }
  return related;
}
