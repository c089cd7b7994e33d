import { replacementCharacter } from '../base/decodeText.ts';
import { type JsonObject, type JsonValue, isJsonObject, getMember } from '../base/json.ts';
import type { DocumentHandler } from './kinds/kinds.ts';
import { DocumentRefusedError } from './refusals.ts';
import { editDocumentText } from './textEdits.ts';
import { type Version, readVersion } from './version.ts';

/**
 * The text of a file as the text of a server's document: what the file says, with what belongs to the document itself
 * (its identity, and what the server makes) as the server has it. A file may come from another instance, so that
 * columns are told by their names where their oids are unknown there.
 * @throws DocumentRefusedError when the file cannot be read as a document of that kind, or letters of it are lost already
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

/** The column with the oid that its name has there; one of a name that is not there is made by a save. */
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
