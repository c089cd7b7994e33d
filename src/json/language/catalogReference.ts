import type { JsonPath } from '../../base/json.ts';
import type { JsonNode, LiteralNode, ObjectNode } from '../text/jsonNode.ts';
import { getLiteralText } from '../text/jsonNode.ts';
import type { JsonDocument } from '../text/parseJsonTree.ts';
import { calendarSuffix } from '../../contract/terms.ts';
import { splitDim, type DatamodelLookup } from '../../viewpoints/datamodelLookup.ts';
import { getFieldText } from './columnProposals.ts';
import type { JsonDocumentKind } from './documentKind.ts';
import { locateOffset } from './jsonLocation.ts';

/** A reference to a table or column in a document, with the range of the string that contains the name. */
export interface CatalogReference {
  readonly table: string;
  readonly column: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** An object that refers to a table and a column: a column of a viewpoint, or a rule. */
export interface ReferencingObject {
  readonly node: ObjectNode;
  readonly path: JsonPath;
}

/** Finds all objects in a document that refer to a column. */
export function findReferencingObjects(
  kind: JsonDocumentKind,
  root: JsonNode | undefined,
): readonly ReferencingObject[] {
  const toReferencingObjects = (node: JsonNode | undefined, path: JsonPath): readonly ReferencingObject[] =>
    node?.kind === 'array'
      ? node.items.flatMap((item, index) =>
          item.kind === 'object' ? [{ node: item, path: [...path, index] }] : [],
        )
      : [];
  switch (kind) {
    case 'rule':
      return root?.kind === 'object' ? [{ node: root, path: [] }] : [];
    case 'rules':
      return toReferencingObjects(root, []);
    case 'viewpoint': {
      const details = getMemberValue(root, 'details');
      return toReferencingObjects(getMemberValue(details, 'columns'), ['details', 'columns']);
    }
  }
}

export const getMemberValue = (node: JsonNode | undefined, key: string): JsonNode | undefined =>
  node?.kind === 'object' ? node.members.findLast((member) => member.key === key)?.value : undefined;

/** Finds the table or column referenced at an offset. */
export function getCatalogReferenceAt(
  kind: JsonDocumentKind,
  document: JsonDocument,
  offset: number,
  model: DatamodelLookup,
): CatalogReference | undefined {
  const { location } = locateOffset(document, offset);
  const literal = location?.literal;
  const [enclosingObject] = location?.enclosingObjects ?? [];
  const key = location?.path.at(-1);
  if (literal === undefined || enclosingObject === undefined || typeof literal.value !== 'string') {
    return undefined;
  }
  const isReferencing = findReferencingObjects(kind, document.root).some(
    ({ node }) => node.start === enclosingObject.start,
  );
  return isReferencing ? toCatalogReference(enclosingObject, literal, String(key), offset, model) : undefined;
}

function toCatalogReference(
  enclosingObject: ObjectNode,
  literal: LiteralNode,
  key: string,
  offset: number,
  model: DatamodelLookup,
): CatalogReference | undefined {
  const value = getLiteralText(literal) ?? '';
  const range = { start: literal.start, end: literal.end };
  switch (key) {
    case 'table':
      return value === '' ? undefined : { table: value, column: undefined, ...range };
    case 'column': {
      const table = getFieldText(enclosingObject, 'table');
      return table === undefined || value === '' ? undefined : { table, column: value, ...range };
    }
    case 'dim':
      return getDimReference(enclosingObject, value, offset - literal.start - 1, range, model);
    default:
      return undefined;
  }
}

/** Finds the reference in a dim: the part before the dot is the table, the part after it the column. */
function getDimReference(
  enclosingObject: ObjectNode,
  dim: string,
  offsetInDim: number,
  range: { readonly start: number; readonly end: number },
  model: DatamodelLookup,
): CatalogReference | undefined {
  const names = resolveDim(dim, getFieldText(enclosingObject, 'table'), model);
  if (names === undefined) {
    return undefined;
  }
  const isTable = offsetInDim <= names.table.length + 1;
  return { table: names.table, column: isTable ? undefined : names.column, ...range };
}

/**
 * Splits a dim into its table and column. If a name contains dots, the split is ambiguous: columns of the model are
 * tried first, then `table` (the table specified next to the dim), then the first dot. The column is returned without
 * {@link calendarSuffix}.
 */
export function resolveDim(
  dim: string,
  table: string | undefined,
  model: DatamodelLookup,
): { readonly table: string; readonly column: string } | undefined {
  const knownColumn = model.findByDim(dim);
  if (knownColumn !== undefined) {
    return { table: knownColumn.table.name, column: knownColumn.column.name };
  }
  const splits = splitDim(dim);
  const split = splits.find((candidate) => candidate.table === table) ?? splits[0];
  return split === undefined
    ? undefined
    : {
        table: split.table,
        column: split.column.endsWith(calendarSuffix)
          ? split.column.slice(0, -calendarSuffix.length)
          : split.column,
      };
}
