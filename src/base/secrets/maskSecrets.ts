import { type JsonValue, isJsonObject } from '../json.ts';
import { mask, withMasks } from './mask.ts';
import { type Standing, inConnection, inDocument, secretRanges, secretsOf, standingOf } from './secretsIn.ts';

/**
 * The document with the secrets of its connectors masked (platform-facts 2.5): in connections, their parameters and
 * the options of tables, at any depth, by name and by form, and where in doubt. What else a document says is a person's
 * own, such as SQL: it goes back to the server as it is and is left alone.
 */
export const maskSecrets = (document: JsonValue): JsonValue => masked(document, inDocument);

/** A connection on its own, or anything within one. */
export const maskConnection = (connection: JsonValue): JsonValue => masked(connection, inConnection);

/**
 * Prose with what is surely secret in it masked: words of a server, which may repeat what it was sent, and lines of
 * the log.
 */
export const maskText = (text: string): string => withMasks(text, secretRanges(text, '', 'sure'));

function masked(value: JsonValue, standing: Standing): JsonValue {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, index) =>
      masked(item, standingOf(standing, value, index)),
    );
  }
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        masked(member, standingOf(standing, value, name)),
      ]),
    );
  }
  const secrets = secretsOf(value, standing);
  if (secrets === 'all') {
    return mask;
  }
  return typeof value === 'string' && secrets.length > 0 ? withMasks(value, secrets) : value;
}

/** Which documents have settings of a connector (platform-facts 2.2, 2.5), by their kind. */
const connectorDocuments = /^(datamodel|dataset|table)$/;

/** A document of any kind, as it may be shown and kept. */
export const maskDocument = (kind: string, document: JsonValue): JsonValue =>
  connectorDocuments.test(kind) ? maskSecrets(document) : document;
