import { type JsonObject, isJsonObject, parseLossless, stringify } from '../base/json.ts';

/** Parses the JSON text of a stored document without loss. @throws Error when it is not an object. */
export function parseDocument(text: string): JsonObject {
  const value = parseLossless(text);
  if (!isJsonObject(value)) {
    throw new Error("A stored document isn't a JSON object");
  }
  return value;
}

/** Returns a copy without the given members. */
export function omitDocumentMembers(document: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)));
}

/** Returns a copy with only the given members; missing ones are ignored. */
export function pickDocumentMembers(document: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
}

/**
 * Adds members at the end of the text of a JSON object without parsing it, so that assembling a large model takes only
 * milliseconds. The values of `members` are JSON texts; the object must not have any of these members already.
 */
export function appendMembers(objectText: string, members: Readonly<Record<string, string>>): string {
  const existing = objectText.slice(1, -1);
  const addedMembers = Object.entries(members).map(([name, text]) => `${stringify(name)}:${text}`);
  return `{${[existing, ...addedMembers].filter((text) => text !== '').join(',')}}`;
}

/** Joins JSON texts into the text of a JSON array. */
export const joinAsArray = (texts: readonly string[]): string => `[${texts.join(',')}]`;

/** Returns a string member; an empty string if it is missing or of another type. */
export function getTextMember(document: JsonObject, name: string): string {
  const value = document[name];
  return typeof value === 'string' ? value : '';
}
