import { replacementCharacter } from '../base/decodeText.ts';
import { type JsonObject, type JsonValue, isJsonObject, getMember } from '../base/json.ts';
import type { DocumentHandler } from './kinds/documentHandler.ts';
import { DocumentRefusedError } from './refusals.ts';
import { editDocumentText } from './editDocumentText.ts';
import { type Version, readVersion } from './version.ts';

/**
 * Converts the text of a file to the text to save to a server's document. Members that identify the document or are
 * assigned by the server are taken from the server. The others are taken from the file; those that the file lacks stay
 * as they are on the server. The file may come from another instance, so columns whose oid the server does not have are
 * matched by name.
 * @throws DocumentRefusedError when the file cannot be read as a document of that kind, or when it contains replacement
 *   characters from a failed decoding that the server's text does not have
 */
export function adaptToTarget(
  text: string,
  serverVersion: Version,
  handler: Pick<DocumentHandler, 'language' | 'isServerManaged' | 'isEditable'>,
): string {
  if (text.includes(replacementCharacter) && !serverVersion.text.includes(replacementCharacter)) {
    throw new DocumentRefusedError('undecodable-text');
  }
  const fileVersion = readVersion(text, handler);
  if (fileVersion === undefined) {
    throw new DocumentRefusedError('not-json');
  }
  if (typeof fileVersion.value === 'string') {
    return fileVersion.value;
  }
  if (!isJsonObject(serverVersion.value)) {
    return text;
  }
  if (!isJsonObject(fileVersion.value)) {
    throw new DocumentRefusedError('wrong-shape', { paths: [[]] });
  }
  return editDocumentText(text, mergeMembers(fileVersion.value, serverVersion.value, handler.isEditable));
}

function mergeMembers(
  fileMembers: JsonObject,
  serverMembers: JsonObject,
  isEditable: (name: string) => boolean,
): JsonObject {
  const editableMembers = Object.entries(fileMembers).filter(([name]) => isEditable(name));
  const members = new Map<string, JsonValue>([...Object.entries(serverMembers), ...editableMembers]);
  return Object.fromEntries(
    [...members].map(([name, member]) =>
      name === 'columns' && Array.isArray(member)
        ? [name, replaceUnknownOids(member, getMember(serverMembers, 'columns'))]
        : [name, member],
    ),
  );
}

/**
 * Replaces each oid that the server does not have by that of the server's column with the same name, unless another
 * column of the file has that one already. Without such a column the oid is removed, and the save creates the column.
 */
function replaceUnknownOids(
  columns: readonly JsonValue[],
  serverColumns: JsonValue | undefined,
): readonly JsonValue[] {
  const knownColumns = (Array.isArray(serverColumns) ? (serverColumns as readonly JsonValue[]) : []).filter(
    isJsonObject,
  );
  const knownOids = new Set(knownColumns.map(({ oid }) => oid));
  const columnsByName = Map.groupBy(knownColumns, ({ name }) => name);
  const usedOids = new Set(columns.map((column) => getMember(column, 'oid')));
  return columns.map((column) => {
    if (!isJsonObject(column) || column['oid'] === undefined || knownOids.has(column['oid'])) {
      return column;
    }
    const { oid: _oid, ...columnWithoutOid } = column;
    const { name } = column;
    const sameNameColumns = name === undefined ? [] : (columnsByName.get(name) ?? []);
    const serverOid = sameNameColumns.find(({ oid }) => !usedOids.has(oid))?.['oid'];
    if (serverOid === undefined) {
      return columnWithoutOid;
    }
    usedOids.add(serverOid);
    return { oid: serverOid, ...columnWithoutOid };
  });
}
