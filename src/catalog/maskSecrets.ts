import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';

/** What stands where a secret was. */
export const mask = '••••••••';

/** Names of fields that hold secrets (platform-facts 2.5); a connection string may carry a password. */
const secretName = /pass|secret|token|key|private|connectionstring/i;

/**
 * The document with the secrets of its dataset connections masked: fields whose names tell so, at any depth, and
 * `parameters` that are one encrypted string (platform-facts 2.5). Elsewhere nothing is changed.
 */
export function maskSecrets(value: JsonValue): JsonValue {
  return mapFields(value, (name, field) =>
    name === 'connection' ? maskConnection(field) : maskSecrets(field),
  );
}

/** A connection on its own, or anything within one. */
export function maskConnection(value: JsonValue): JsonValue {
  return mapFields(value, (name, field) => {
    const isSecret = secretName.test(name) || (name === 'parameters' && typeof field === 'string');
    return isSecret && holdsSomething(field) ? mask : maskConnection(field);
  });
}

/** Nothing, yes and no are no secrets, and tell whether there is one. */
const holdsSomething = (value: JsonValue): boolean =>
  value !== null && typeof value !== 'boolean' && value !== '';

function mapFields(value: JsonValue, map: (name: string, field: JsonValue) => JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => mapFields(item, map));
  }
  return isJsonObject(value) ? mapObject(value, map) : value;
}

const mapObject = (value: JsonObject, map: (name: string, field: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [name, map(name, field)]));
