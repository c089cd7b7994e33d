import { replacementCharacter } from '../base/decodeText.ts';
import { type JsonObject, type JsonValue, isJsonObject, getMember } from '../base/json.ts';
import type { DocumentHandler } from './kinds/kinds.ts';
import { DocumentRefusedError } from './refusals.ts';
import { editDocumentText } from './textEdits.ts';
import { type Version, readVersion } from './version.ts';

/**
 * Converts the text of a file to the text of a server's document: the file's content, with the members that belong to
 * the document itself (its identity, and what the server assigns) as the server has them. A file may come from another
 * instance, so columns are matched by name if their oids are unknown there.
 * @throws DocumentRefusedError when the file cannot be read as a document of that kind, or letters of it are lost
 *   already
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

/** Returns the column with the oid of its name on the server; a column whose name is unknown is created by a save. */
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
