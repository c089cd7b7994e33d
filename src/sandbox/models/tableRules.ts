import * as z from 'zod';
import { isJsonObject, isRawNumber, type JsonObject } from '../../base/json.ts';
import type { DatasetType } from '../../contract/datamodel.ts';
import { columnSchema, type Expression, expressionText, newTableSchema } from '../../contract/table.ts';
import { optional } from '../../contract/values.ts';
import { checked } from '../check.ts';
import { textIn } from '../documents.ts';
import { invalid } from '../problem.ts';
import { columnsOf } from './columnDocument.ts';
import { tableType } from './tableDocument.ts';

/** A column type is an integer code (spec, "Column"; platform-facts 2.3). The codes themselves are not checked. */
const integerCode = z.looseObject({ type: optional(z.int()) });

/** The Table fields with their types, all of them optional. */
const tableFields = z.looseObject({
  ...newTableSchema.shape,
  id: optional(z.string().min(1)),
  name: optional(z.string().min(1)),
  type: z.enum(['base', 'custom']).optional(),
  columns: z.array(columnSchema).nullish(),
});

/** Checks the types of the Table fields that a request carries. */
function checkTableFields(sent: JsonObject): void {
  checked(tableFields, sent);
  columnsOf(sent).forEach((column, index) => checkColumn(column, index));
}

function checkColumn(column: JsonObject, index: number): void {
  const type = column['type'];
  checked(integerCode, { type: isRawNumber(type) ? Number(type.rawJSON) : type }, ['columns', index]);
  if (column['isCustom'] === true && column['oid'] === undefined && !hasSql(column)) {
    throw invalid(`columns/${index}/expression: a custom column needs an SQL expression`);
  }
}

const hasSql = (owner: JsonObject): boolean =>
  (expressionText(owner['expression'] as Expression | undefined) ?? '').trim() !== '';

/** Checks columns that a base table creates: an `id` and a `type` (spec, "Table"; platform-facts 2.3). */
function checkNewColumns(columns: readonly JsonObject[]): void {
  columns.forEach((column, index) => {
    if (typeof column['id'] !== 'string' && typeof column['name'] !== 'string') {
      throw invalid(`columns/${index}/id: required`);
    }
    if ((column['type'] === undefined || column['type'] === null) && column['isCustom'] !== true) {
      throw invalid(`columns/${index}/type: required for the columns of a base table`);
    }
  });
}

/**
 * Checks a table that is created in a dataset (spec, "Table").
 * @throws HttpProblem 400: a base table needs `id` and `columns`; a custom one an `expression`, a custom dataset and
 * no columns; a file connector takes tables whose `id` is one of its files (design.md, section 5).
 */
export function checkNewTable(sent: JsonObject, dataset: JsonObject): void {
  checkTableFields(sent);
  const datasetType = textIn(dataset, 'type') as DatasetType;
  if (tableType(sent) === 'custom') {
    checkNewCustomTable(sent, datasetType);
    return;
  }
  if (datasetType === 'custom') {
    throw invalid('type: a base table cannot live in a dataset of type custom');
  }
  if (typeof sent['id'] !== 'string') {
    throw invalid('id: required for a base table');
  }
  if (!Array.isArray(sent['columns'])) {
    throw invalid('columns: required for a base table');
  }
  checkNewColumns(columnsOf(sent));
  checkFileTable(sent['id'], dataset);
}

function checkNewCustomTable(sent: JsonObject, datasetType: DatasetType): void {
  if (datasetType !== 'custom') {
    throw invalid('type: a custom table lives in a dataset of type custom');
  }
  if (!hasSql(sent)) {
    throw invalid('expression: required for a custom table');
  }
  if (typeof sent['id'] !== 'string' && typeof sent['name'] !== 'string') {
    throw invalid('name: a custom table needs a name or an id');
  }
  if (columnsOf(sent).length > 0) {
    throw invalid('columns: the columns of a custom table are generated from its expression');
  }
}

/** Checks a PATCH against the table it changes; its type is fixed by the dataset it lives in (spec, "Table"). */
export function checkTableChange(sent: JsonObject, stored: JsonObject, dataset: JsonObject): void {
  checkTableFields(sent);
  const type = tableType(stored);
  if ('type' in sent && sent['type'] !== type) {
    throw invalid(`type: the table is of type ${type}, which its dataset fixes`);
  }
  if (type === 'custom' && 'expression' in sent && !hasSql(sent)) {
    throw invalid('expression: required for a custom table');
  }
  if ('columns' in sent && !Array.isArray(sent['columns'])) {
    throw invalid('columns: expected the complete array of columns');
  }
  checkNewColumns(columnsOf(sent).filter((column) => typeof column['oid'] !== 'string'));
  if (type === 'base' && 'id' in sent && typeof sent['id'] !== 'string') {
    throw invalid('id: required for a base table');
  }
  if ('name' in sent && typeof sent['name'] !== 'string') {
    throw invalid('name: expected a name');
  }
  if (type === 'base' && typeof sent['id'] === 'string' && sent['id'] !== stored['id']) {
    checkFileTable(sent['id'], dataset);
  }
}

/** For a file connector the id must equal the file name (spec, "Table"; design.md, section 5). */
function checkFileTable(id: string, dataset: JsonObject): void {
  const files = filesOf(dataset);
  if (files !== undefined && !files.includes(baseName(id))) {
    throw invalid(`id: "${id}" is none of the connection's files (${files.join(', ')})`);
  }
}

/** The names of the files of a file connector (platform-facts 2.5); `undefined` for every other provider. */
function filesOf(dataset: JsonObject): string[] | undefined {
  const connection = dataset['connection'];
  if (!isJsonObject(connection) || !['csv', 'excel'].includes(textIn(connection, 'provider').toLowerCase())) {
    return undefined;
  }
  const parameters = connection['parameters'];
  const listed = isJsonObject(parameters) ? parameters['files'] : undefined;
  const single = [textIn(connection, 'fileName'), textIn(connection, 'schema')];
  const names = [...(Array.isArray(listed) ? listed.map(fileNameIn) : []), ...single].filter(
    (name) => name !== '',
  );
  return names.length === 0 ? undefined : [...new Set(names.map(baseName))];
}

/** A file is listed by its path, or by an object that has one (platform-facts 2.5 and 2.6). */
function fileNameIn(file: unknown): string {
  if (typeof file === 'string') {
    return file;
  }
  const entry = file as JsonObject;
  return isJsonObject(file)
    ? textIn(entry, 'path') || textIn(entry, 'name') || textIn(entry, 'fileName')
    : '';
}

const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
