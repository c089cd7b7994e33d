import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { BuiltColumn } from '../engine/buildEngine.ts';
import { createValidationProblem } from '../problem.ts';
import { omitDocumentMembers, getTextMember } from '../documents.ts';

/** Creates the oid of a new column. */
export type OidFactory = () => string;

/** The default members of a column (platform-facts.md, 2.2), which the members of a request override. */
const defaultColumn: JsonObject = {
  displayName: null,
  size: null,
  precision: null,
  scale: null,
  hidden: false,
  indexed: true,
  isUpsertBy: false,
  import: null,
  isCustom: null,
  expression: null,
  description: null,
  semanticIndex: null,
  aiGeneratedDescription: null,
};

/** Returns the columns of a table document; empty if it has no array of columns. */
export const getTableColumns = (table: JsonObject): readonly JsonObject[] => {
  const columns = table['columns'];
  return Array.isArray(columns) ? columns.filter(isJsonObject) : [];
};

/** Creates a new column from a request (rest-api.md, "Column"); an `oid` in the request is ignored. */
function createColumnDocument(input: JsonObject, oid: string, timestamp: string): JsonObject {
  // The defaults are not specified: a missing id or name is taken from the other.
  const id = input['id'] ?? input['name'] ?? null;
  return {
    ...defaultColumn,
    ...omitDocumentMembers(input, ['oid']),
    oid,
    id,
    name: input['name'] ?? id,
    lastUpdated: timestamp,
  };
}

/** Creates the columns of a new table, each with a new oid. */
export const createColumnDocuments = (
  inputs: readonly JsonObject[],
  createOid: OidFactory,
  timestamp: string,
): JsonObject[] => inputs.map((column) => createColumnDocument(column, createOid(), timestamp));

/**
 * Returns the columns after a PATCH (rest-api.md, "Datamodel API" 2): the array replaces the stored one. A column with
 * an oid is merged into the stored column, one without an oid is created, and a stored one that is missing is deleted.
 * @throws HttpProblem 400 for an oid that the table does not have, or that was sent twice.
 */
export function replaceColumns(
  storedColumns: readonly JsonObject[],
  inputs: readonly JsonObject[],
  createOid: OidFactory,
  timestamp: string,
): JsonObject[] {
  const columnsByOid = new Map(storedColumns.map((column) => [getTextMember(column, 'oid'), column]));
  return inputs.map((column, index) => {
    const oid = getTextMember(column, 'oid');
    if (oid === '') {
      return createColumnDocument(column, createOid(), timestamp);
    }
    const storedColumn = columnsByOid.get(oid);
    if (storedColumn === undefined) {
      throw createValidationProblem(
        `columns/${index}/oid: the table has no column "${oid}", or it is sent twice`,
      );
    }
    columnsByOid.delete(oid);
    return { ...storedColumn, ...column, lastUpdated: timestamp };
  });
}

/**
 * Returns the columns of a custom table after a build (rest-api.md, "Table"). A stored column of the same name keeps
 * everything but its type; the table's custom columns are kept.
 */
export function mergeBuiltColumns(
  storedColumns: readonly JsonObject[],
  builtColumns: readonly BuiltColumn[],
  createOid: OidFactory,
  timestamp: string,
): JsonObject[] {
  const columnsByName = new Map(storedColumns.map((column) => [getTextMember(column, 'name'), column]));
  const names = new Set(builtColumns.map(({ name }) => name));
  const generated = builtColumns.map(({ name, type }) => {
    const storedColumn = columnsByName.get(name);
    if (storedColumn === undefined) {
      return createColumnDocument({ id: name, name, type }, createOid(), timestamp);
    }
    return storedColumn['type'] === type ? storedColumn : { ...storedColumn, type, lastUpdated: timestamp };
  });
  const customColumns = storedColumns.filter(
    (column) => column['isCustom'] === true && !names.has(getTextMember(column, 'name')),
  );
  return [...generated, ...customColumns];
}
