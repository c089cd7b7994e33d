import { type JsonValue, isJsonObject } from '../json.ts';
import { mask, maskRanges } from './mask.ts';
import {
  type SecretContext,
  connectionContext,
  documentContext,
  findSecretRanges,
  findSecrets,
  getMemberContext,
} from './findSecrets.ts';

/**
 * The document with the secrets of its connectors masked (platform-facts.md, 2.5): in connections, their parameters and
 * the options of tables, at any depth, by name and by form, and when in doubt. Everything else, such as SQL, belongs to
 * the user: it is sent to the server unchanged and is left alone.
 */
export const maskSecrets = (document: JsonValue): JsonValue => maskValue(document, documentContext);

/** A connection on its own, or anything within one. */
export const maskConnection = (connection: JsonValue): JsonValue => maskValue(connection, connectionContext);

/**
 * Prose with everything that is surely secret masked: server messages, which may repeat what was sent, and log lines.
 */
export const maskText = (text: string): string => maskRanges(text, findSecretRanges(text, '', 'sure'));

/** Returns the same value if there is nothing to mask: documents with thousands of columns are read all the time. */
function maskValue(value: JsonValue, standing: SecretContext): JsonValue {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    const next = items.map((item, index) => maskValue(item, getMemberContext(standing, value, index)));
    return next.some((item, index) => item !== items[index]) ? next : value;
  }
  if (isJsonObject(value)) {
    const names = Object.keys(value);
    const next = names.map((name) => {
      const member = value[name] ?? null;
      return maskValue(member, getMemberContext(standing, value, name));
    });
    const isSame = names.every((name, index) => next[index] === (value[name] ?? null));
    return isSame
      ? value
      : Object.fromEntries(names.map((name, index) => [name, next[index] ?? null] as const));
  }
  const secrets = findSecrets(value, standing);
  if (secrets === 'all') {
    return mask;
  }
  return typeof value === 'string' && secrets.length > 0 ? maskRanges(value, secrets) : value;
}

/** The document kinds that contain settings of a connector (platform-facts.md, 2.2, 2.5). */
const connectorDocuments = /^(datamodel|dataset|table)$/;

/** A document of any kind, safe to show and keep. */
export const maskDocument = (kind: string, document: JsonValue): JsonValue =>
  connectorDocuments.test(kind) ? maskSecrets(document) : document;
