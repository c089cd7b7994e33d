import { renamedParts } from '../../viewpoints/fixes/columnFixes.ts';
import type { TextEdit } from '../text/textEdit.ts';
import { textOf, lastMembers, type ObjectNode } from '../text/jsonNode.ts';
import type { JsonDocument } from '../text/parseJson.ts';
import type { Model } from '../../viewpoints/model.ts';
import { fieldOf } from './columnProposals.ts';
import type { JsonDocumentKind } from './documentKind.ts';
import { dimNames, namingObjects, type Subject } from './subject.ts';

const same = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();

/** What an object names, by its own words or by its dim. */
function named(
  node: ObjectNode,
  model: Model,
): { readonly table: string; readonly column: string } | undefined {
  const [table, column, dim] = ['table', 'column', 'dim'].map((key) => fieldOf(node, key));
  const byDim = dim === undefined ? undefined : dimNames(dim, table, model);
  const names = { table: table ?? byDim?.table, column: column ?? byDim?.column };
  return names.table === undefined ? undefined : { table: names.table, column: names.column ?? '' };
}

/** Gives a table or column another name wherever the document names it: table, column and dim together. */
export function renameIn(
  kind: JsonDocumentKind,
  { root }: JsonDocument,
  subject: Subject,
  newName: string,
  model: Model,
): readonly TextEdit[] {
  const objects = namingObjects(kind, root);
  return objects.flatMap(({ node }) => {
    const names = named(node, model);
    const isMeant =
      names !== undefined &&
      same(names.table, subject.table) &&
      (subject.column === undefined || same(names.column, subject.column));
    if (!isMeant) {
      return [];
    }
    const members = lastMembers(node);
    const parts = {
      table: fieldOf(node, 'table'),
      column: fieldOf(node, 'column'),
      dim: textOf(members.get('dim')?.value),
    };
    const changes =
      subject.column === undefined
        ? renamedParts(parts, newName, names.column)
        : renamedParts(parts, names.table, newName);
    return Object.entries(changes).flatMap(([key, name]) => {
      const value = members.get(key)?.value;
      return value === undefined
        ? []
        : [{ start: value.start, end: value.end, newText: JSON.stringify(name) }];
    });
  });
}
