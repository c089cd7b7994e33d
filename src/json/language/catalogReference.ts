import type { JsonPath } from '../../base/json.ts';
import type { JsonNode, LiteralNode, ObjectNode } from '../text/jsonNode.ts';
import { getLiteralText } from '../text/jsonNode.ts';
import type { JsonDocument } from '../text/parseJson.ts';
import { calendarSuffix, splitDim, type Model } from '../../viewpoints/model.ts';
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
  model: Model,
): CatalogReference | undefined {
  const { place } = locateOffset(document, offset);
  const literal = place?.literal;
  const [holder] = place?.holders ?? [];
  const key = place?.path.at(-1);
  if (literal === undefined || holder === undefined || typeof literal.value !== 'string') {
    return undefined;
  }
  const isNaming = findReferencingObjects(kind, document.root).some(
    ({ node }) => node.start === holder.start,
  );
  return isNaming ? toCatalogReference(holder, literal, String(key), offset, model) : undefined;
}

function toCatalogReference(
  holder: ObjectNode,
  literal: LiteralNode,
  key: string,
  offset: number,
  model: Model,
): CatalogReference | undefined {
  const value = getLiteralText(literal) ?? '';
  const extent = { start: literal.start, end: literal.end };
  switch (key) {
    case 'table':
      return value === '' ? undefined : { table: value, column: undefined, ...extent };
    case 'column': {
      const table = getFieldText(holder, 'table');
      return table === undefined || value === '' ? undefined : { table, column: value, ...extent };
    }
    case 'dim':
      return getDimReference(holder, value, offset - literal.start - 1, extent, model);
    default:
      return undefined;
  }
}

/** Finds the reference in a dim: the part before the dot is the table, the part after it the column. */
function getDimReference(
  holder: ObjectNode,
  dim: string,
  inside: number,
  extent: { readonly start: number; readonly end: number },
  model: Model,
): CatalogReference | undefined {
  const names = resolveDim(dim, getFieldText(holder, 'table'), model);
  if (names === undefined) {
    return undefined;
  }
  const isTable = inside <= names.table.length + 1;
  return { table: names.table, column: isTable ? undefined : names.column, ...extent };
}

/**
 * Splits a dim into its table and column. If a name contains dots, the split is ambiguous: columns of the model are
 * tried first, then `table` (the table specified next to the dim), then the first dot.
 */
export function resolveDim(
  dim: string,
  table: string | undefined,
  model: Model,
): { readonly table: string; readonly column: string } | undefined {
  const known = model.findByDim(dim);
  if (known !== undefined) {
    return { table: known.table.name, column: known.column.name };
  }
  const splits = splitDim(dim);
  const split = splits.find((one) => one.table === table) ?? splits[0];
  return split === undefined
    ? undefined
    : {
        table: split.table,
        column: split.column.endsWith(calendarSuffix)
          ? split.column.slice(0, -calendarSuffix.length)
          : split.column,
      };
}
