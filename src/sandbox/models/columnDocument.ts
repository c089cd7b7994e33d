import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { BuiltColumn } from '../engine/port.ts';
import { createInvalidProblem } from '../problem.ts';
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
function createColumnDocument(sent: JsonObject, oid: string, now: string): JsonObject {
  // The defaults are not specified: a missing id or name is taken from the other.
  const id = sent['id'] ?? sent['name'] ?? null;
  return {
    ...defaultColumn,
    ...omitDocumentMembers(sent, ['oid']),
    oid,
    id,
    name: sent['name'] ?? id,
    lastUpdated: now,
  };
}

/** Creates the columns of a new table, each with a new oid. */
export const createColumnDocuments = (
  sent: readonly JsonObject[],
  newOid: OidFactory,
  now: string,
): JsonObject[] => sent.map((column) => createColumnDocument(column, newOid(), now));

/**
 * Returns the columns after a PATCH (rest-api.md, "Datamodel API" 2): the array replaces the stored one. A column with
 * an oid is merged into the stored column, one without an oid is created, and a stored one that is missing is deleted.
 * @throws HttpProblem 400 for an oid that the table does not have, or that was sent twice.
 */
export function replaceColumns(
  stored: readonly JsonObject[],
  sent: readonly JsonObject[],
  newOid: OidFactory,
  now: string,
): JsonObject[] {
  const byOid = new Map(stored.map((column) => [getTextMember(column, 'oid'), column]));
  return sent.map((column, index) => {
    const oid = getTextMember(column, 'oid');
    if (oid === '') {
      return createColumnDocument(column, newOid(), now);
    }
    const known = byOid.get(oid);
    if (known === undefined) {
      throw createInvalidProblem(
        `columns/${index}/oid: the table has no column "${oid}", or it is sent twice`,
      );
    }
    byOid.delete(oid);
    return { ...known, ...column, lastUpdated: now };
  });
}

/**
 * Returns the columns of a custom table after a build (rest-api.md, "Table"). A stored column of the same name keeps
 * its oid and fields; the table's custom columns are kept.
 */
export function createGeneratedColumns(
  stored: readonly JsonObject[],
  built: readonly BuiltColumn[],
  newOid: OidFactory,
  now: string,
): JsonObject[] {
  const byName = new Map(stored.map((column) => [getTextMember(column, 'name'), column]));
  const names = new Set(built.map(({ name }) => name));
  const generated = built.map(({ name, type }) => {
    const known = byName.get(name);
    if (known === undefined) {
      return createColumnDocument({ id: name, name, type }, newOid(), now);
    }
    return known['type'] === type ? known : { ...known, type, lastUpdated: now };
  });
  const calculated = stored.filter(
    (column) => column['isCustom'] === true && !names.has(getTextMember(column, 'name')),
  );
  return [...generated, ...calculated];
}
