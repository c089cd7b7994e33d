import type { JsonNode, JsonPath, LiteralNode, ObjectNode } from '../text/jsonNode.ts';
import { textOf } from '../text/jsonNode.ts';
import type { JsonDocument } from '../text/parseJson.ts';
import { calendar, dimSplits, type Model } from '../../viewpoints/model.ts';
import { fieldOf } from './columnProposals.ts';
import type { JsonDocumentKind } from './documentKind.ts';
import { locate } from './place.ts';

/** A table or column that a document names, with the place of the name. */
export interface Subject {
  readonly table: string;
  readonly column: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** An object that names a table and a column: a column of a viewpoint, or a rule. */
export interface NamingObject {
  readonly node: ObjectNode;
  readonly path: JsonPath;
}

/** Every object of a document that names a column. */
export function namingObjects(kind: JsonDocumentKind, root: JsonNode | undefined): readonly NamingObject[] {
  const listed = (node: JsonNode | undefined, path: JsonPath): readonly NamingObject[] =>
    node?.kind === 'array'
      ? node.items.flatMap((item, index) =>
          item.kind === 'object' ? [{ node: item, path: [...path, index] }] : [],
        )
      : [];
  switch (kind) {
    case 'rule':
      return root?.kind === 'object' ? [{ node: root, path: [] }] : [];
    case 'rules':
      return listed(root, []);
    case 'viewpoint': {
      const details = memberOf(root, 'details');
      return listed(memberOf(details, 'columns'), ['details', 'columns']);
    }
  }
}

export const memberOf = (node: JsonNode | undefined, key: string): JsonNode | undefined =>
  node?.kind === 'object' ? node.members.findLast((member) => member.key === key)?.value : undefined;

/** The table or column that is named at a place. */
export function subjectAt(
  kind: JsonDocumentKind,
  document: JsonDocument,
  offset: number,
  model: Model,
): Subject | undefined {
  const { place } = locate(document, offset);
  const literal = place?.literal;
  const [holder] = place?.holders ?? [];
  const key = place?.path.at(-1);
  if (literal === undefined || holder === undefined || typeof literal.value !== 'string') {
    return undefined;
  }
  const isNaming = namingObjects(kind, document.root).some(({ node }) => node.start === holder.start);
  return isNaming ? subjectOf(holder, literal, String(key), offset, model) : undefined;
}

function subjectOf(
  holder: ObjectNode,
  literal: LiteralNode,
  key: string,
  offset: number,
  model: Model,
): Subject | undefined {
  const value = textOf(literal) ?? '';
  const extent = { start: literal.start, end: literal.end };
  switch (key) {
    case 'table':
      return value === '' ? undefined : { table: value, column: undefined, ...extent };
    case 'column': {
      const table = fieldOf(holder, 'table');
      return table === undefined || value === '' ? undefined : { table, column: value, ...extent };
    }
    case 'dim':
      return inDim(holder, value, offset - literal.start - 1, extent, model);
    default:
      return undefined;
  }
}

/** In a dim the table is named up to the dot, the column behind it. */
function inDim(
  holder: ObjectNode,
  dim: string,
  inside: number,
  extent: { readonly start: number; readonly end: number },
  model: Model,
): Subject | undefined {
  const names = dimNames(dim, fieldOf(holder, 'table'), model);
  if (names === undefined) {
    return undefined;
  }
  const isTable = inside <= names.table.length + 1;
  return { table: names.table, column: isTable ? undefined : names.column, ...extent };
}

/** The table and column of a dim: those of the model, those that are written beside it, or those before and behind the first dot. */
export function dimNames(
  dim: string,
  table: string | undefined,
  model: Model,
): { readonly table: string; readonly column: string } | undefined {
  const known = model.byDim(dim);
  if (known !== undefined) {
    return { table: known.table.name, column: known.column.name };
  }
  const splits = dimSplits(dim);
  const split = splits.find((one) => one.table === table) ?? splits[0];
  return split === undefined
    ? undefined
    : {
        table: split.table,
        column: split.column.endsWith(calendar) ? split.column.slice(0, -calendar.length) : split.column,
      };
}
