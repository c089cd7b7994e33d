import type { JsonObject } from '../../../base/json.ts';
import type { ResourceRef } from '../../../catalog/resourceRef.ts';
import { datamodelSchema } from '../../../contract/datamodel.ts';
import { type ExpressionContext, renameIn, type TextEdit } from '../../../sql/language.ts';
import { ModelIndex } from '../../model/modelIndex.ts';
import type { Rename } from '../../model/tableRenames.ts';

/** The text of a file with SQL of a datamodel. */
export interface SqlFile {
  readonly text: string;
  /** The expression that the file is a copy of; a file without one contains a query. */
  readonly resource?: Extract<ResourceRef, { kind: 'tableExpression' | 'columnExpression' }>;
}

/** The edits that a rename requires in a file. */
export interface FileRename<File extends SqlFile> {
  readonly file: File;
  readonly edits: readonly TextEdit[];
}

/**
 * Returns the edits in files for a rename of a table or column on the server; files that do not use its name are left
 * out.
 * @param model the datamodel before the rename
 */
export function renameInFiles<File extends SqlFile>(
  model: JsonObject,
  { tableId, columnId, newName }: Rename,
  files: readonly File[],
): readonly FileRename<File>[] {
  const index = new ModelIndex(datamodelSchema.parse(model));
  const table = index.getTable(tableId);
  const column = columnId === undefined ? undefined : index.getColumn(tableId, columnId);
  if (table === undefined || (columnId !== undefined && column === undefined)) {
    return [];
  }
  const target = { table: table.name, ...(column === undefined ? {} : { column: column.name }) };
  return files
    .map((file) => ({ file, edits: renameIn(file.text, target, newName, getContext(index, file)) }))
    .filter(({ edits }) => edits.length > 0);
}

function getContext(index: ModelIndex, { resource }: SqlFile): ExpressionContext {
  const table = resource?.kind === 'columnExpression' ? index.getTable(resource.tableId) : undefined;
  return table === undefined
    ? { kind: 'table', catalog: index.catalog }
    : { kind: 'column', table: table.name, catalog: index.catalog };
}
