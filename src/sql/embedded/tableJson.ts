import { type JsonNode, getLiteralText } from '../../json/text/jsonNode.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';
import type { Catalog, CatalogColumn, CatalogTable } from '../catalog.ts';
import type { ExpressionContext } from '../context.ts';
import { toNameKey } from '../scope/symbols.ts';
import { JsonString } from './jsonString.ts';

/** An SQL expression in a JSON document, written as a string or as `{oid, expression}` (platform-facts.md, 2.2). */
export interface EmbeddedExpression {
  readonly literal: JsonString;
  /** The kind of expression: the query of a custom table, or the expression of a custom column. */
  readonly kind: 'table' | 'column';
  /** The oid of the column; empty if it is not on the server yet. Absent for the query of the table. */
  readonly columnId?: string;
  /** The table in the document; `undefined` if the document is a single column. */
  readonly table: DocumentTable | undefined;
  /** The table or column that has the expression. */
  readonly owner: {
    readonly name: string | undefined;
    /** The range of its object in the document. */
    readonly start: number;
    readonly end: number;
  };
}

/** The table that a document describes, with unsaved changes. */
export interface DocumentTable {
  readonly name: string | undefined;
  /** `undefined` if the document has no list of columns: a custom table has none before its first build. */
  readonly columns: readonly CatalogColumn[] | undefined;
}

/** The kind of object that a document describes. */
export type EmbeddedDocumentKind = 'table' | 'column';

/**
 * Finds the expressions in the document of a table or column, which may be incomplete. Only the `expression` properties
 * of the table and its columns count: others, such as in transformations, may use any SQL dialect.
 */
export function findEmbeddedExpressions(
  { text, root }: JsonDocument,
  kind: EmbeddedDocumentKind,
): readonly EmbeddedExpression[] {
  if (root?.kind !== 'object') {
    return [];
  }
  if (kind === 'column') {
    return readExpression(text, root, 'column', undefined);
  }
  const columns = getPropertyNode(root, 'columns');
  const items = getItems(columns);
  const table: DocumentTable = {
    name: getOwnName(root),
    columns: columns?.kind === 'array' ? items.flatMap(readColumn) : undefined,
  };
  return [
    ...readExpression(text, root, 'table', table),
    ...items.flatMap((item) => readExpression(text, item, 'column', table)),
  ];
}

/** Finds the range of the name of a table, or of one of its columns, in the document of the table. */
export function findDocumentNameRange(
  { root }: JsonDocument,
  column?: string,
): { readonly start: number; readonly end: number } | undefined {
  const node =
    column === undefined
      ? root
      : getItems(getPropertyNode(root, 'columns')).find((item) => hasName(item, column));
  const name = getPropertyNode(node, 'name') ?? getPropertyNode(node, 'id');
  return name && { start: name.start, end: name.end };
}

/** The name of a table or column, with its range in the document. */
export interface DocumentName {
  /** Start of the name, without the quotes. */
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** The oid of the column; empty if the column is not on the server yet. Absent for the name of the root object. */
  readonly columnId?: string;
}

/** Finds the name at an offset in the document of a table or column. */
export function findDocumentNameAt({ root }: JsonDocument, offset: number): DocumentName | undefined {
  for (const node of [root, ...getItems(getPropertyNode(root, 'columns'))]) {
    const value = getPropertyNode(node, 'name');
    const name = getNonEmptyText(value);
    if (value !== undefined && name !== undefined && value.start < offset && offset < value.end) {
      const documentName = { start: value.start + 1, end: value.end - 1, name };
      return node === root
        ? documentName
        : { ...documentName, columnId: getNonEmptyText(getPropertyNode(node, 'oid')) ?? '' };
    }
  }
  return undefined;
}

const hasName = (item: JsonNode, name: string): boolean => {
  const ownName = getOwnName(item);
  return ownName !== undefined && toNameKey(ownName) === toNameKey(name);
};

/**
 * Creates the context of an expression in a document: the catalog of the datamodel, in which the table of the document
 * replaces its saved version.
 * @param savedName the name of the table in the datamodel
 */
export function createEmbeddedContext(
  { kind, table }: Pick<EmbeddedExpression, 'kind' | 'table'>,
  catalog: Catalog,
  savedName: string | undefined,
): ExpressionContext {
  const name = table?.name ?? savedName;
  const ownCatalog =
    name === undefined ? catalog : replaceTable(catalog, savedName, { name, columns: table?.columns });
  return kind === 'table'
    ? { kind: 'table', catalog: ownCatalog }
    : { kind: 'column', table: name ?? '', catalog: ownCatalog };
}

function replaceTable(
  catalog: Catalog,
  savedName: string | undefined,
  { name, columns }: { readonly name: string; readonly columns: readonly CatalogColumn[] | undefined },
): Catalog {
  const keys = new Set([toNameKey(name), toNameKey(savedName ?? name)]);
  const savedTable = catalog.tables.find((table) => toNameKey(table.name) === toNameKey(savedName ?? name));
  const ownTable: CatalogTable = { name, columns: columns ?? savedTable?.columns ?? [] };
  return {
    ...catalog,
    tables: [...catalog.tables.filter((table) => !keys.has(toNameKey(table.name))), ownTable],
  };
}

function readExpression(
  document: string,
  node: JsonNode,
  kind: EmbeddedDocumentKind,
  table: DocumentTable | undefined,
): EmbeddedExpression[] {
  const value = getPropertyNode(node, 'expression');
  const text = value?.kind === 'object' ? getPropertyNode(value, 'expression') : value;
  if (text === undefined || getLiteralText(text) === undefined) {
    return [];
  }
  const owner = { name: getOwnName(node), start: node.start, end: node.end };
  const expression = { literal: new JsonString(document, text.start), kind, table, owner };
  return kind === 'table'
    ? [expression]
    : [{ ...expression, columnId: getNonEmptyText(getPropertyNode(node, 'oid')) ?? '' }];
}

/** Returns the name of a table or column, or else that of its source. */
const getOwnName = (node: JsonNode): string | undefined =>
  getNonEmptyText(getPropertyNode(node, 'name')) ?? getNonEmptyText(getPropertyNode(node, 'id'));

function readColumn(item: JsonNode): CatalogColumn[] {
  const name = getOwnName(item);
  const type = getLiteralValue(getPropertyNode(item, 'type'));
  const hidden = getLiteralValue(getPropertyNode(item, 'hidden')) === true;
  return name === undefined
    ? []
    : [{ name, ...(typeof type === 'number' ? { type } : {}), ...(hidden ? { hidden } : {}) }];
}

/** Returns the value of a property of an object; if the key is repeated, its last member counts. */
const getPropertyNode = (node: JsonNode | undefined, name: string): JsonNode | undefined =>
  node?.kind === 'object' ? node.members.findLast(({ key }) => key === name)?.value : undefined;

const getItems = (node: JsonNode | undefined): readonly JsonNode[] =>
  node?.kind === 'array' ? node.items : [];

const getLiteralValue = (node: JsonNode | undefined): unknown =>
  node?.kind === 'literal' ? node.value : undefined;

/** Returns the text of a string literal; `undefined` if it is empty or not a string. */
const getNonEmptyText = (node: JsonNode | undefined): string | undefined => getLiteralText(node) || undefined;
