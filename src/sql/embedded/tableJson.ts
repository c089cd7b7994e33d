import { type JsonNode, textOf as stringOf } from '../../json/text/jsonNode.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import type { Catalog, CatalogColumn, CatalogTable } from '../catalog.ts';
import type { ExpressionContext } from '../context.ts';
import { keyOf } from '../scope/symbols.ts';
import { JsonString } from './jsonString.ts';

/** An SQL expression inside a JSON document, in the form of a string or of `{oid, expression}` (platform-facts 2.2). */
export interface EmbeddedExpression {
  readonly literal: JsonString;
  /** What it computes: the rows of a table, or a column of it. */
  readonly kind: 'table' | 'column';
  /** The table as the document has it; `undefined` where the document is a column alone. */
  readonly table: DocumentTable | undefined;
}

/** A table as a document has it, saved or not. */
export interface DocumentTable {
  readonly name: string | undefined;
  /** `undefined` when the document lists no columns: a custom table has none before its first build. */
  readonly columns: readonly CatalogColumn[] | undefined;
}

/** What the root of a document is. */
export type DocumentKind = 'table' | 'column';

/**
 * The expressions of a table's or column's document, in any state of typing. Only those of the platform's contract:
 * an `expression` that stands elsewhere, in a transformation say, may be of any dialect and is none of ours.
 */
export function expressionsIn(
  { text, root }: JsonDocument,
  kind: DocumentKind,
): readonly EmbeddedExpression[] {
  if (root?.kind !== 'object') {
    return [];
  }
  if (kind === 'column') {
    return expressionOf(text, root, 'column', undefined);
  }
  const columns = property(root, 'columns');
  const items = itemsOf(columns);
  const table: DocumentTable = {
    name: textOf(property(root, 'name')) ?? textOf(property(root, 'id')),
    columns: columns?.kind === 'array' ? items.flatMap(columnOf) : undefined,
  };
  return [
    ...expressionOf(text, root, 'table', table),
    ...items.flatMap((item) => expressionOf(text, item, 'column', table)),
  ];
}

/** Where a table's document has its name, or that of one of its columns. */
export function nameExtent(
  { root }: JsonDocument,
  column?: string,
): { readonly start: number; readonly end: number } | undefined {
  const owner =
    column === undefined ? root : itemsOf(property(root, 'columns')).find((item) => isNamed(item, column));
  const name = property(owner, 'name') ?? property(owner, 'id');
  return name && { start: name.start, end: name.end };
}

/** The name of a table or column where a table's document has it. */
export interface DocumentName {
  /** Without the quotes. */
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** The oid of the column; empty for one that no server has seen yet. Absent for the name of the document itself. */
  readonly columnId?: string;
}

/** The name at an offset of a table's or column's document. */
export function nameAt({ root }: JsonDocument, offset: number): DocumentName | undefined {
  for (const owner of [root, ...itemsOf(property(root, 'columns'))]) {
    const value = property(owner, 'name');
    const name = textOf(value);
    if (value !== undefined && name !== undefined && value.start < offset && offset < value.end) {
      const extent = { start: value.start + 1, end: value.end - 1, name };
      return owner === root ? extent : { ...extent, columnId: textOf(property(owner, 'oid')) ?? '' };
    }
  }
  return undefined;
}

const isNamed = (item: JsonNode, name: string): boolean => {
  const own = textOf(property(item, 'name')) ?? textOf(property(item, 'id'));
  return own !== undefined && keyOf(own) === keyOf(name);
};

/**
 * What an expression of a document sees: the datamodel, its own table as the document has it now.
 * @param saved the name of the table as the datamodel has it
 */
export function embeddedContext(
  { kind, table }: Pick<EmbeddedExpression, 'kind' | 'table'>,
  catalog: Catalog,
  saved: string | undefined,
): ExpressionContext {
  const name = table?.name ?? saved;
  const own = name === undefined ? catalog : withTable(catalog, saved, { name, columns: table?.columns });
  return kind === 'table'
    ? { kind: 'table', catalog: own }
    : { kind: 'column', table: name ?? '', catalog: own };
}

function withTable(
  catalog: Catalog,
  saved: string | undefined,
  { name, columns }: { readonly name: string; readonly columns: readonly CatalogColumn[] | undefined },
): Catalog {
  const keys = new Set([keyOf(name), keyOf(saved ?? name)]);
  const known = catalog.tables.find((table) => keyOf(table.name) === keyOf(saved ?? name));
  const own: CatalogTable = { name, columns: columns ?? known?.columns ?? [] };
  return { ...catalog, tables: [...catalog.tables.filter((table) => !keys.has(keyOf(table.name))), own] };
}

function expressionOf(
  document: string,
  owner: JsonNode,
  kind: DocumentKind,
  table: DocumentTable | undefined,
): EmbeddedExpression[] {
  const value = property(owner, 'expression');
  const text = value?.kind === 'object' ? property(value, 'expression') : value;
  return text !== undefined && stringOf(text) !== undefined
    ? [{ literal: new JsonString(document, text.start), kind, table }]
    : [];
}

function columnOf(item: JsonNode): CatalogColumn[] {
  const name = textOf(property(item, 'name')) ?? textOf(property(item, 'id'));
  const type = literalOf(property(item, 'type'));
  const hidden = literalOf(property(item, 'hidden')) === true;
  return name === undefined
    ? []
    : [{ name, ...(typeof type === 'number' ? { type } : {}), ...(hidden ? { hidden } : {}) }];
}

/** The value of a property of an object; where one is given twice, the one that counts: the last. */
const property = (node: JsonNode | undefined, name: string): JsonNode | undefined =>
  node?.kind === 'object' ? node.members.findLast(({ key }) => key === name)?.value : undefined;

const itemsOf = (node: JsonNode | undefined): readonly JsonNode[] =>
  node?.kind === 'array' ? node.items : [];

const literalOf = (node: JsonNode | undefined): unknown =>
  node?.kind === 'literal' ? node.value : undefined;

/** A text that says something. */
const textOf = (node: JsonNode | undefined): string | undefined => stringOf(node) || undefined;
