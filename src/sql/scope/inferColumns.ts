import type { Catalog, CatalogColumn, CatalogTable } from '../catalog.ts';
import { parseStatement } from '../syntax/parser.ts';
import type { SourceShape } from './catalogIndex.ts';
import { ScopeBuilder } from './scopeBuilder.ts';
import { toNameKey } from './symbols.ts';

/**
 * The maximum number of passes. Each pass can resolve tables that use the tables resolved in the pass before it. Tables
 * in longer chains stay incomplete.
 */
const maxPasses = 20;

/**
 * Adds columns to incomplete (`open`) tables by analyzing their expressions, because a custom table has no columns
 * before its first build.
 * @param expressions the queries of custom tables, by table name
 */
export function withInferredColumns(catalog: Catalog, expressions: ReadonlyMap<string, string>): Catalog {
  const texts = new Map([...expressions].map(([name, text]) => [toNameKey(name), text]));
  let current = catalog;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const previous = current;
    const tables = current.tables.map((table) => {
      const text = table.open === true ? texts.get(toNameKey(table.name)) : undefined;
      return text === undefined ? table : inferTable(table, text, previous);
    });
    if (tables.every((table, index) => table === previous.tables[index])) {
      return current;
    }
    current = { ...current, tables };
  }
  return current;
}

/** Returns the table with the columns of its expression; the same table if there are none to add. */
function inferTable(table: CatalogTable, text: string, catalog: Catalog): CatalogTable {
  const shape = inferShape(text, catalog);
  const columns = [...table.columns];
  const knownKeys = new Set(columns.map(({ name }) => toNameKey(name)));
  for (const { name, type, hidden } of shape?.columns ?? []) {
    if (name !== '' && !knownKeys.has(toNameKey(name))) {
      knownKeys.add(toNameKey(name));
      columns.push(createColumn(name, type, hidden));
    }
  }
  // The engine chooses the names of columns without an alias, so they are unknown.
  const isComplete = shape?.complete === true && shape.columns.every(({ name }) => name !== '');
  if (!isComplete && columns.length === table.columns.length) {
    return table;
  }
  return isComplete ? { name: table.name, columns } : { ...table, columns };
}

function createColumn(name: string, type: number | undefined, hidden: boolean): CatalogColumn {
  return { name, ...(type === undefined ? {} : { type }), ...(hidden ? { hidden } : {}) };
}

function inferShape(text: string, catalog: Catalog): SourceShape | undefined {
  const [query] = parseStatement(text).queries;
  const scopeBuilder = new ScopeBuilder({ kind: 'table', catalog });
  return query === undefined ? undefined : scopeBuilder.getQueryShape(query, scopeBuilder.rootEnv, undefined);
}
