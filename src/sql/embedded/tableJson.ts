import { type JsonNode, getLiteralText as stringOf } from '../../json/text/jsonNode.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import type { Catalog, CatalogColumn, CatalogTable } from '../catalog.ts';
import type { ExpressionContext } from '../context.ts';
import { toNameKey } from '../scope/symbols.ts';
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
export type EmbeddedDocumentKind = 'table' | 'column';

/**
 * The expressions of a table's or column's document, in any state of typing. Only those of the platform's contract:
 * an `expression` that stands elsewhere, in a transformation say, may be of any dialect and is none of ours.
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
    name: getNonEmptyText(getPropertyNode(root, 'name')) ?? getNonEmptyText(getPropertyNode(root, 'id')),
    columns: columns?.kind === 'array' ? items.flatMap(readColumn) : undefined,
  };
  return [
    ...readExpression(text, root, 'table', table),
    ...items.flatMap((item) => readExpression(text, item, 'column', table)),
  ];
}

/** Where a table's document has its name, or that of one of its columns. */
export function findNameExtent(
  { root }: JsonDocument,
  column?: string,
): { readonly start: number; readonly end: number } | undefined {
  const owner =
    column === undefined
      ? root
      : getItems(getPropertyNode(root, 'columns')).find((item) => hasName(item, column));
  const name = getPropertyNode(owner, 'name') ?? getPropertyNode(owner, 'id');
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
export function findNameAt({ root }: JsonDocument, offset: number): DocumentName | undefined {
  for (const owner of [root, ...getItems(getPropertyNode(root, 'columns'))]) {
    const value = getPropertyNode(owner, 'name');
    const name = getNonEmptyText(value);
    if (value !== undefined && name !== undefined && value.start < offset && offset < value.end) {
      const extent = { start: value.start + 1, end: value.end - 1, name };
      return owner === root
        ? extent
        : { ...extent, columnId: getNonEmptyText(getPropertyNode(owner, 'oid')) ?? '' };
    }
  }
  return undefined;
}

const hasName = (item: JsonNode, name: string): boolean => {
  const own = getNonEmptyText(getPropertyNode(item, 'name')) ?? getNonEmptyText(getPropertyNode(item, 'id'));
  return own !== undefined && toNameKey(own) === toNameKey(name);
};

/**
 * What an expression of a document sees: the datamodel, its own table as the document has it now.
 * @param saved the name of the table as the datamodel has it
 */
export function createEmbeddedContext(
  { kind, table }: Pick<EmbeddedExpression, 'kind' | 'table'>,
  catalog: Catalog,
  saved: string | undefined,
): ExpressionContext {
  const name = table?.name ?? saved;
  const own = name === undefined ? catalog : replaceTable(catalog, saved, { name, columns: table?.columns });
  return kind === 'table'
    ? { kind: 'table', catalog: own }
    : { kind: 'column', table: name ?? '', catalog: own };
}

function replaceTable(
  catalog: Catalog,
  saved: string | undefined,
  { name, columns }: { readonly name: string; readonly columns: readonly CatalogColumn[] | undefined },
): Catalog {
  const keys = new Set([toNameKey(name), toNameKey(saved ?? name)]);
  const known = catalog.tables.find((table) => toNameKey(table.name) === toNameKey(saved ?? name));
  const own: CatalogTable = { name, columns: columns ?? known?.columns ?? [] };
  return { ...catalog, tables: [...catalog.tables.filter((table) => !keys.has(toNameKey(table.name))), own] };
}

function readExpression(
  document: string,
  owner: JsonNode,
  kind: EmbeddedDocumentKind,
  table: DocumentTable | undefined,
): EmbeddedExpression[] {
  const value = getPropertyNode(owner, 'expression');
  const text = value?.kind === 'object' ? getPropertyNode(value, 'expression') : value;
  return text !== undefined && stringOf(text) !== undefined
    ? [{ literal: new JsonString(document, text.start), kind, table }]
    : [];
}

function readColumn(item: JsonNode): CatalogColumn[] {
  const name = getNonEmptyText(getPropertyNode(item, 'name')) ?? getNonEmptyText(getPropertyNode(item, 'id'));
  const type = getLiteralValue(getPropertyNode(item, 'type'));
  const hidden = getLiteralValue(getPropertyNode(item, 'hidden')) === true;
  return name === undefined
    ? []
    : [{ name, ...(typeof type === 'number' ? { type } : {}), ...(hidden ? { hidden } : {}) }];
}

/** The value of a property of an object; where one is given twice, the one that counts: the last. */
const getPropertyNode = (node: JsonNode | undefined, name: string): JsonNode | undefined =>
  node?.kind === 'object' ? node.members.findLast(({ key }) => key === name)?.value : undefined;

const getItems = (node: JsonNode | undefined): readonly JsonNode[] =>
  node?.kind === 'array' ? node.items : [];

const getLiteralValue = (node: JsonNode | undefined): unknown =>
  node?.kind === 'literal' ? node.value : undefined;

/** A text that says something. */
const getNonEmptyText = (node: JsonNode | undefined): string | undefined => stringOf(node) || undefined;
