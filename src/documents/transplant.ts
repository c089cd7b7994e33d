import { lostLetter } from '../base/decodeText.ts';
import { type JsonObject, type JsonValue, isJsonObject, memberOf } from '../base/json.ts';
import type { DocumentHandler } from './kinds/kinds.ts';
import { DocumentRefusal } from './refusals.ts';
import { editedText } from './textEdits.ts';
import { type Version, versionOf } from './version.ts';

/**
 * The text of a file as the text of a server's document: what the file says, with what belongs to the document itself
 * (its identity, and what the server makes) as the server has it. A file may come from another instance, so that
 * columns are told by their names where their oids are unknown there.
 * @throws DocumentRefusal when the file cannot be read as a document of that kind, or letters of it are lost already
 */
export function transplanted(
  text: string,
  server: Version,
  handler: Pick<DocumentHandler, 'language' | 'isServers' | 'isEditable'>,
): string {
  if (text.includes(lostLetter) && !server.text.includes(lostLetter)) {
    throw new DocumentRefusal('lost-letters');
  }
  const file = versionOf(text, handler);
  if (file === undefined) {
    throw new DocumentRefusal('not-json');
  }
  if (typeof file.value === 'string') {
    return file.value;
  }
  if (!isJsonObject(server.value)) {
    return text;
  }
  if (!isJsonObject(file.value)) {
    throw new DocumentRefusal('wrong-shape', { paths: [[]] });
  }
  return editedText(text, joined(file.value, server.value, handler.isEditable));
}

function joined(file: JsonObject, server: JsonObject, isEditable: (name: string) => boolean): JsonObject {
  const own = Object.entries(file).filter(([name]) => isEditable(name));
  const members = new Map<string, JsonValue>([...Object.entries(server), ...own]);
  return Object.fromEntries(
    [...members].map(([name, member]) =>
      name === 'columns' && Array.isArray(member)
        ? [name, member.map((column: JsonValue) => withOid(column, memberOf(server, 'columns')))]
        : [name, member],
    ),
  );
}

/** The column with the oid that its name has there; one of a name that is not there is made by a save. */
function withOid(column: JsonValue, there: JsonValue | undefined): JsonValue {
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
