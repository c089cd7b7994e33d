import { replacementCharacter } from '../base/decodeText.ts';
import { type JsonObject, type JsonValue, isJsonObject, getMember } from '../base/json.ts';
import type { DocumentHandler } from './kinds/kinds.ts';
import { DocumentRefusedError } from './refusals.ts';
import { editDocumentText } from './textEdits.ts';
import { type Version, readVersion } from './version.ts';

/**
 * Converts the text of a file to the text to save to a server's document. Members that identify the document or are
 * assigned by the server are taken from the server, all others from the file. The file may come from another instance,
 * so columns whose oid the server does not have are matched by name.
 * @throws DocumentRefusedError when the file cannot be read as a document of that kind, or when it contains replacement
 *   characters from a failed decoding
 */
export function adaptToTarget(
  text: string,
  server: Version,
  handler: Pick<DocumentHandler, 'language' | 'isServerManaged' | 'isEditable'>,
): string {
  if (text.includes(replacementCharacter) && !server.text.includes(replacementCharacter)) {
    throw new DocumentRefusedError('lost-letters');
  }
  const file = readVersion(text, handler);
  if (file === undefined) {
    throw new DocumentRefusedError('not-json');
  }
  if (typeof file.value === 'string') {
    return file.value;
  }
  if (!isJsonObject(server.value)) {
    return text;
  }
  if (!isJsonObject(file.value)) {
    throw new DocumentRefusedError('wrong-shape', { paths: [[]] });
  }
  return editDocumentText(text, joinMembers(file.value, server.value, handler.isEditable));
}

function joinMembers(
  file: JsonObject,
  server: JsonObject,
  isEditable: (name: string) => boolean,
): JsonObject {
  const own = Object.entries(file).filter(([name]) => isEditable(name));
  const members = new Map<string, JsonValue>([...Object.entries(server), ...own]);
  return Object.fromEntries(
    [...members].map(([name, member]) =>
      name === 'columns' && Array.isArray(member)
        ? [name, member.map((column: JsonValue) => addOid(column, getMember(server, 'columns')))]
        : [name, member],
    ),
  );
}

/**
 * Replaces an oid that the server does not have by that of the server's column with the same name. Without such a
 * column the oid is removed, and the save creates the column.
 */
function addOid(column: JsonValue, there: JsonValue | undefined): JsonValue {
  const known = (Array.isArray(there) ? (there as readonly JsonValue[]) : []).filter(isJsonObject);
  if (
    !isJsonObject(column) ||
    column['oid'] === undefined ||
    known.some(({ oid }) => oid === column['oid'])
  ) {
    return column;
  }
  const { oid: _oid, ...rest } = column;
  const named = known.find(({ name }) => name !== undefined && name === column['name']);
  return named?.['oid'] === undefined ? rest : { oid: named['oid'], ...rest };
}
