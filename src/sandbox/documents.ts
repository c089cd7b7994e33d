import { type JsonObject, isJsonObject, parseLossless, stringify } from '../base/json.ts';

/** Reads a document that this sandbox wrote. */
export function parseDocument(text: string): JsonObject {
  const value = parseLossless(text);
  if (!isJsonObject(value)) {
    throw new Error('A stored document is not a JSON object');
  }
  return value;
}

/** Returns a copy without the given members. */
export function omitDocumentMembers(document: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)));
}

/** Returns a copy with only the given members, as far as they exist. */
export function pickDocumentMembers(document: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
}

/**
 * Adds members at the end of the text of a JSON object without parsing it, so that a large model is assembled from its
 * parts in milliseconds. `members` are JSON texts, and none may be in the object already.
 */
export function appendMembers(objectText: string, members: Readonly<Record<string, string>>): string {
  const own = objectText.slice(1, -1);
  const added = Object.entries(members).map(([name, text]) => `${stringify(name)}:${text}`);
  return `{${[own, ...added].filter((text) => text !== '').join(',')}}`;
}

/** Joins JSON texts into the text of a JSON array. */
export const joinAsArray = (texts: readonly string[]): string => `[${texts.join(',')}]`;

/** Returns a text member; an empty text if it is missing or not a text. */
export function getTextMember(document: JsonObject, name: string): string {
  const value = document[name];
  return typeof value === 'string' ? value : '';
}
