import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { PayloadError } from '../errors.ts';

/**
 * A document to write: edited by the user and parsed losslessly, or an object literal of the contract's types. The
 * payload functions change only the fields that they name; all others are sent unchanged.
 */
export type DocumentToWrite = Readonly<Record<string, unknown>>;

/** The document without some of its properties. */
export function omitProperties(document: DocumentToWrite, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name))) as JsonObject;
}

/** Only these properties of the document, in its own order; absent ones stay absent. */
export function pickProperties(document: DocumentToWrite, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(document).filter(([name, value]) => names.includes(name) && value !== undefined),
  ) as JsonObject;
}

/** @throws PayloadError if the value is not an object */
export function requireObject(value: unknown, path: readonly (string | number)[]): JsonObject {
  if (!isJsonObject(value)) {
    throw new PayloadError(value === undefined || value === null ? 'missing-property' : 'wrong-type', path);
  }
  return value;
}

/** @throws PayloadError if the value is not an array */
export function requireArray(value: unknown, path: readonly (string | number)[]): readonly JsonValue[] {
  if (!Array.isArray(value)) {
    throw new PayloadError(value === undefined || value === null ? 'missing-property' : 'wrong-type', path);
  }
  return value as readonly JsonValue[];
}

/** @throws PayloadError if the value is not text or is empty */
export function requireText(value: unknown, path: readonly (string | number)[]): string {
  if (typeof value !== 'string') {
    throw new PayloadError(value === undefined || value === null ? 'missing-property' : 'wrong-type', path);
  }
  if (value === '') {
    throw new PayloadError('missing-property', path);
  }
  return value;
}
