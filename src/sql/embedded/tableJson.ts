import { getNodeValue, type Node, parseTree } from 'jsonc-parser';
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
export function expressionsIn(document: string, kind: DocumentKind): readonly EmbeddedExpression[] {
  const root = parseTree(document, undefined, { allowTrailingComma: true });
  if (root?.type !== 'object') {
    return [];
  }
  if (kind === 'column') {
    return expressionOf(document, root, 'column', undefined);
  }
  const columns = property(root, 'columns');
  const items = columns?.type === 'array' ? (columns.children ?? []) : [];
  const table: DocumentTable = {
    name: textOf(property(root, 'name')) ?? textOf(property(root, 'id')),
    columns: columns?.type === 'array' ? items.flatMap(columnOf) : undefined,
  };
  return [
    ...expressionOf(document, root, 'table', table),
    ...items.flatMap((item) => expressionOf(document, item, 'column', table)),
  ];
}

/** Where a table's document has its name, or that of one of its columns. */
export function nameExtent(
  document: string,
  column?: string,
): { readonly start: number; readonly end: number } | undefined {
  const root = parseTree(document, undefined, { allowTrailingComma: true });
  const columns = root === undefined ? undefined : property(root, 'columns');
  const owner = column === undefined ? root : columns?.children?.find((item) => isNamed(item, column));
  const name = owner === undefined ? undefined : (property(owner, 'name') ?? property(owner, 'id'));
  return name === undefined ? undefined : { start: name.offset, end: name.offset + name.length };
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
export function nameAt(document: string, offset: number): DocumentName | undefined {
  const root = parseTree(document, undefined, { allowTrailingComma: true });
  const columns = root === undefined ? undefined : property(root, 'columns');
  for (const owner of root === undefined ? [] : [root, ...(columns?.children ?? [])]) {
    const value = property(owner, 'name');
    const name = textOf(value);
    if (
      value !== undefined &&
      name !== undefined &&
      value.offset < offset &&
      offset < value.offset + value.length
    ) {
      const extent = { start: value.offset + 1, end: value.offset + value.length - 1, name };
      return owner === root ? extent : { ...extent, columnId: textOf(property(owner, 'oid')) ?? '' };
    }
  }
  return undefined;
}

const isNamed = (item: Node, name: string): boolean => {
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
  owner: Node,
  kind: DocumentKind,
  table: DocumentTable | undefined,
): EmbeddedExpression[] {
  const value = property(owner, 'expression');
  const text = value?.type === 'object' ? property(value, 'expression') : value;
  return text?.type === 'string' && document[text.offset] === '"'
    ? [{ literal: new JsonString(document, text.offset), kind, table }]
    : [];
}

function columnOf(item: Node): CatalogColumn[] {
  const name = textOf(property(item, 'name')) ?? textOf(property(item, 'id'));
  const type: unknown = valueOf(property(item, 'type'));
  const hidden = valueOf(property(item, 'hidden')) === true;
  return name === undefined
    ? []
    : [{ name, ...(typeof type === 'number' ? { type } : {}), ...(hidden ? { hidden } : {}) }];
}

/** The value of a property of an object; where one is given twice, the one that counts: the last. */
function property(node: Node, name: string): Node | undefined {
  const found =
    node.type === 'object'
      ? node.children?.findLast((child) => child.children?.[0]?.value === name)
      : undefined;
  return found?.children?.[1];
}

const valueOf = (node: Node | undefined): unknown => (node === undefined ? undefined : getNodeValue(node));

function textOf(node: Node | undefined): string | undefined {
  return node?.type === 'string' && node.value !== '' ? String(node.value) : undefined;
}
