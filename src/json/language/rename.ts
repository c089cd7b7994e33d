import { createRenamedMembers } from '../../viewpoints/fixes/columnFixes.ts';
import type { TextEdit } from '../../base/textEdit.ts';
import { getLiteralText, getMembersByKey, type JsonNode, type ObjectNode } from '../text/jsonNode.ts';
import type { JsonDocument } from '../text/parseJsonTree.ts';
import type { DatamodelLookup } from '../../viewpoints/datamodelLookup.ts';
import { getFieldText } from './columnProposals.ts';
import type { JsonDocumentKind } from './documentKind.ts';
import { resolveDim, findReferencingObjects, type CatalogReference } from './catalogReference.ts';

const equalsIgnoreCase = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();

/** Reads the table and column that an object refers to, from its properties or its dim. */
function readNames(
  node: ObjectNode,
  model: DatamodelLookup,
): { readonly table: string; readonly column: string } | undefined {
  const [table, column, dim] = ['table', 'column', 'dim'].map((key) => getFieldText(node, key));
  const namesFromDim = dim === undefined ? undefined : resolveDim(dim, table, model);
  const names = { table: table ?? namesFromDim?.table, column: column ?? namesFromDim?.column };
  return names.table === undefined ? undefined : { table: names.table, column: names.column ?? '' };
}

/** Lists an object and those in it, such as the column in the filter of a column, or those of a formula. */
function listObjects(node: JsonNode): readonly ObjectNode[] {
  switch (node.kind) {
    case 'object':
      return [node, ...node.members.flatMap(({ value }) => (value === undefined ? [] : listObjects(value)))];
    case 'array':
      return node.items.flatMap(listObjects);
    case 'literal':
      return [];
  }
}

/**
 * Creates the edits that rename a table or column everywhere in the document: in its rules, or in the columns of a
 * viewpoint, their filters and formulas (platform-facts.md, 5).
 */
export function getJsonRenameEdits(
  kind: JsonDocumentKind,
  { root }: JsonDocument,
  target: CatalogReference,
  newName: string,
  model: DatamodelLookup,
): readonly TextEdit[] {
  const objects = findReferencingObjects(kind, root).flatMap(({ node }) =>
    kind === 'viewpoint' ? listObjects(node) : [node],
  );
  return objects.flatMap((node) => {
    const names = readNames(node, model);
    const isTarget =
      names !== undefined &&
      equalsIgnoreCase(names.table, target.table) &&
      (target.column === undefined || equalsIgnoreCase(names.column, target.column));
    if (!isTarget) {
      return [];
    }
    const members = getMembersByKey(node);
    const currentNames = {
      table: getFieldText(node, 'table'),
      column: getFieldText(node, 'column'),
      dim: getLiteralText(members.get('dim')?.value),
    };
    const changes =
      target.column === undefined
        ? createRenamedMembers(currentNames, newName, names.column)
        : createRenamedMembers(currentNames, names.table, newName);
    return Object.entries(changes).flatMap(([key, name]) => {
      const value = members.get(key)?.value;
      return value === undefined
        ? []
        : [{ start: value.start, end: value.end, newText: JSON.stringify(name) }];
    });
  });
}
