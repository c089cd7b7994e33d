import { type JsonObject, isJsonObject, parseLossless, stringify } from '../base/json.ts';

/** Reads a document that this sandbox has written. */
export function parseDocument(text: string): JsonObject {
  const value = parseLossless(text);
  if (!isJsonObject(value)) {
    throw new Error('A stored document is not a JSON object');
  }
  return value;
}

/** A copy without some members. */
export function omitDocumentMembers(document: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)));
}

/** A copy with some members only, those that are there. */
export function pickDocumentMembers(document: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
}

/**
 * The text of a JSON object with members added at its end, without parsing it: a large model is put together from
 * its parts in milliseconds. `members` are JSON texts, and none may be in the object already.
 */
export function appendMembers(objectText: string, members: Readonly<Record<string, string>>): string {
  const own = objectText.slice(1, -1);
  const added = Object.entries(members).map(([name, text]) => `${stringify(name)}:${text}`);
  return `{${[own, ...added].filter((text) => text !== '').join(',')}}`;
}

/** The text of a JSON array of JSON texts. */
export const joinAsArray = (texts: readonly string[]): string => `[${texts.join(',')}]`;

/** A member that is text; an empty text where it is missing or something else. */
export function getTextMember(document: JsonObject, name: string): string {
  const value = document[name];
  return typeof value === 'string' ? value : '';
}
