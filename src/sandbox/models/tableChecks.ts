import * as z from 'zod';
import { isJsonObject, isRawNumber, type JsonObject } from '../../base/json.ts';
import type { DatasetType } from '../../contract/datamodel.ts';
import { columnSchema, type Expression, getExpressionText, newTableSchema } from '../../contract/table.ts';
import { orAbsent } from '../../contract/values.ts';
import { parseWithSchema } from '../validation.ts';
import { getTextMember } from '../documents.ts';
import { createValidationProblem } from '../problem.ts';
import { getTableColumns } from './columnDocument.ts';
import { getTableType } from './tableDocument.ts';

/**
 * Requires an integer as the type code of a column (rest-api.md, "Column"; platform-facts.md, 2.3). Unknown codes are
 * accepted.
 */
const integerCodeSchema = z.looseObject({ type: orAbsent(z.int()) });

/** The fields of a Table, all of them optional. */
const tableFieldsSchema = z.looseObject({
  ...newTableSchema.shape,
  id: orAbsent(z.string().min(1)),
  name: orAbsent(z.string().min(1)),
  type: z.enum(['base', 'custom']).optional(),
  columns: z.array(columnSchema).nullish(),
});

/** Checks the types of the Table fields in a request. */
function checkTableFields(input: JsonObject): void {
  parseWithSchema(tableFieldsSchema, input);
  getTableColumns(input).forEach((column, index) => checkColumn(column, index));
}

function checkColumn(column: JsonObject, index: number): void {
  const type = column['type'];
  parseWithSchema(integerCodeSchema, { type: isRawNumber(type) ? Number(type.rawJSON) : type }, [
    'columns',
    index,
  ]);
  if (column['isCustom'] === true && column['oid'] === undefined && !hasSql(column)) {
    throw createValidationProblem(`columns/${index}/expression: a custom column needs a SQL expression`);
  }
}

const hasSql = (owner: JsonObject): boolean =>
  (getExpressionText(owner['expression'] as Expression | undefined) ?? '').trim() !== '';

/**
 * Checks new columns: each needs a name or an `id` and, unless it is a custom column, a `type` (rest-api.md, "Table";
 * platform-facts.md, 2.3).
 */
function checkNewColumns(columns: readonly JsonObject[]): void {
  columns.forEach((column, index) => {
    if (typeof column['id'] !== 'string' && typeof column['name'] !== 'string') {
      throw createValidationProblem(`columns/${index}/id: required`);
    }
    if ((column['type'] === undefined || column['type'] === null) && column['isCustom'] !== true) {
      throw createValidationProblem(`columns/${index}/type: required for the columns of a base table`);
    }
  });
}

/**
 * Checks a table that is created in a dataset (rest-api.md, "Table").
 * @throws HttpProblem 400: a base table needs `id` and `columns`; a custom table needs an `expression`, a dataset of
 * type custom and no columns; with a file connector, `id` must be one of its files (decisions.md, "Sandbox").
 */
export function checkNewTable(input: JsonObject, dataset: JsonObject): void {
  checkTableFields(input);
  const datasetType = getTextMember(dataset, 'type') as DatasetType;
  if (getTableType(input) === 'custom') {
    checkNewCustomTable(input, datasetType);
    return;
  }
  if (datasetType === 'custom') {
    throw createValidationProblem("type: a base table can't be in a dataset of type custom");
  }
  if (typeof input['id'] !== 'string') {
    throw createValidationProblem('id: required for a base table');
  }
  if (!Array.isArray(input['columns'])) {
    throw createValidationProblem('columns: required for a base table');
  }
  checkNewColumns(getTableColumns(input));
  checkFileTable(input['id'], dataset);
}

function checkNewCustomTable(input: JsonObject, datasetType: DatasetType): void {
  if (datasetType !== 'custom') {
    throw createValidationProblem('type: a custom table must be in a dataset of type custom');
  }
  if (!hasSql(input)) {
    throw createValidationProblem('expression: required for a custom table');
  }
  if (typeof input['id'] !== 'string' && typeof input['name'] !== 'string') {
    throw createValidationProblem('name: a custom table needs a name or an id');
  }
  if (getTableColumns(input).length > 0) {
    throw createValidationProblem('columns: the columns of a custom table are generated from its expression');
  }
}

/**
 * Checks a PATCH of a table, whose type cannot change (rest-api.md, "Table").
 * @throws HttpProblem 400 that names the invalid field
 */
export function checkTableChange(input: JsonObject, storedTable: JsonObject, dataset: JsonObject): void {
  checkTableFields(input);
  const type = getTableType(storedTable);
  if ('type' in input && input['type'] !== type) {
    throw createValidationProblem(`type: expected ${type}, because of the type of its dataset`);
  }
  if (type === 'custom' && 'expression' in input && !hasSql(input)) {
    throw createValidationProblem('expression: required for a custom table');
  }
  if ('columns' in input && !Array.isArray(input['columns'])) {
    throw createValidationProblem('columns: expected the complete array of columns');
  }
  checkNewColumns(getTableColumns(input).filter((column) => typeof column['oid'] !== 'string'));
  if (type === 'base' && 'id' in input && typeof input['id'] !== 'string') {
    throw createValidationProblem('id: required for a base table');
  }
  if ('name' in input && typeof input['name'] !== 'string') {
    throw createValidationProblem('name: expected a name');
  }
  if (type === 'base' && typeof input['id'] === 'string' && input['id'] !== storedTable['id']) {
    checkFileTable(input['id'], dataset);
  }
}

/** Requires for a file connector that the id is a file name (rest-api.md, "Table"; decisions.md, "Sandbox"). */
function checkFileTable(id: string, dataset: JsonObject): void {
  const files = getConnectorFiles(dataset);
  if (files !== undefined && !files.includes(getBaseName(id))) {
    throw createValidationProblem(`id: "${id}" isn't one of the connection's files (${files.join(', ')})`);
  }
}

/**
 * Returns the file names of a file connector (platform-facts.md, 2.5); `undefined` if it names none, and for any other
 * provider.
 */
function getConnectorFiles(dataset: JsonObject): string[] | undefined {
  const connection = dataset['connection'];
  if (
    !isJsonObject(connection) ||
    !['csv', 'excel'].includes(getTextMember(connection, 'provider').toLowerCase())
  ) {
    return undefined;
  }
  const parameters = connection['parameters'];
  const listedFiles = isJsonObject(parameters) ? parameters['files'] : undefined;
  const singleNames = [getTextMember(connection, 'fileName'), getTextMember(connection, 'schema')];
  const names = [...(Array.isArray(listedFiles) ? listedFiles.map(readFileName) : []), ...singleNames].filter(
    (name) => name !== '',
  );
  return names.length === 0 ? undefined : [...new Set(names.map(getBaseName))];
}

/** Reads an entry of `files`: a path, or an object with a path or name (platform-facts.md, 2.5 and 2.6). */
function readFileName(file: unknown): string {
  if (typeof file === 'string') {
    return file;
  }
  const entry = file as JsonObject;
  return isJsonObject(file)
    ? getTextMember(entry, 'path') || getTextMember(entry, 'name') || getTextMember(entry, 'fileName')
    : '';
}

const getBaseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
