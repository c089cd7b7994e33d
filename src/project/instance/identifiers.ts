import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { getObjects, getText } from '../../changes/model/jsonMembers.ts';
import { getColumnName, getTableName } from '../../contract/table.ts';

/** The identifiers of an instance that documents may contain. */
export interface Identifiers {
  /** Returns the reference that replaces an identifier in a file; `undefined` for any other text. */
  findReference(id: string): JsonValue | undefined;
  /** Returns whether a text is an identifier, with or without a name. */
  isIdentifier(text: string): boolean;
}

/**
 * Creates a reference from one file to the item of another: `{"$ref": {"table": "Orders", "column": "Order Date"}}`.
 */
export const createReference = (names: JsonObject): JsonObject => ({ $ref: names });

/** Matches the forms of the platform's identifiers: UUIDs, and 24 hexadecimal digits (platform-facts.md, 0). */
const identifierPattern =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/gi;

/** Shorter texts contain no identifier, and most texts are shorter. */
const minIdentifierLength = 24;

/** Returns the parts of a text that look like identifiers. */
export const findIdentifierTexts = (text: string): readonly string[] =>
  text.length < minIdentifierLength ? [] : (text.match(identifierPattern) ?? []);

/** True if a whole text looks like an identifier. */
export const looksLikeIdentifier = (text: string): boolean => findIdentifierTexts(text)[0] === text;

/** Collects the identifiers in a datamodel, with the names of what they identify. */
export function collectDatamodelIdentifiers(
  document: JsonObject,
  getDatasetName: (dataset: JsonObject) => string,
): Identifiers {
  const references = new Map<string, JsonObject>();
  const add = (id: JsonValue | undefined, names: JsonObject): void => {
    if (typeof id === 'string' && id !== '') {
      references.set(id, createReference(names));
    }
  };
  add(document['oid'], { datamodel: getText(document['title']) });
  for (const dataset of getObjects(document['datasets'])) {
    add(dataset['oid'], { dataset: getDatasetName(dataset) });
    for (const table of readTables(dataset)) {
      const tableName = readTableName(table);
      add(table['oid'], { table: tableName });
      for (const column of getObjects(table['columns'])) {
        add(column['oid'], { table: tableName, column: readColumnName(column) });
      }
    }
  }
  const others = collectAssignedIdentifiers(document);
  return {
    findReference: (id) => references.get(id),
    isIdentifier: (text) => references.has(text) || others.has(text),
  };
}

/** Returns identifiers of both sources; the first one's names take precedence. */
export const combineIdentifiers = (first: Identifiers, second: Identifiers): Identifiers => ({
  findReference: (id) => first.findReference(id) ?? second.findReference(id),
  isIdentifier: (text) => first.isIdentifier(text) || second.isIdentifier(text),
});

/**
 * Collects the values of members that identify something: `oid`, `_id`, and what looks like an identifier in `id`,
 * `serverId` and the like.
 */
export function collectAssignedIdentifiers(document: JsonValue): ReadonlySet<string> {
  const identifiers = new Set<string>();
  const visit = (value: JsonValue): void => {
    if (Array.isArray(value)) {
      (value as readonly JsonValue[]).forEach(visit);
    } else if (isJsonObject(value)) {
      for (const name of Object.keys(value)) {
        const member = value[name];
        if (typeof member === 'object' && member !== null) {
          visit(member);
        } else if (typeof member === 'string' && isIdentifierMember(name, member)) {
          identifiers.add(member);
        }
      }
    }
  };
  visit(document);
  return identifiers;
}

const isIdentifierMember = (name: string, value: string): boolean =>
  value !== '' &&
  (name === 'oid' || name === '_id' || (looksLikeIdentifier(value) && /^id$|Id$|Oid$/.test(name)));

export const readTables = (dataset: JsonObject): readonly JsonObject[] =>
  getObjects(getMember(dataset['schema'], 'tables'));

/** Returns the name by which SQL and rules refer to a table. */
export const readTableName = (table: JsonObject): string => getTableName({ oid: '', ...readNames(table) });

/** Returns the name by which SQL and rules refer to a column; empty if it has none. */
export const readColumnName = (column: JsonObject): string => getColumnName(readNames(column));

function readNames({ name, id }: JsonObject): { readonly name?: string; readonly id?: string } {
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof id === 'string' ? { id } : {}),
  };
}
