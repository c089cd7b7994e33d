import { type JsonValue, isJsonObject, mapMembers } from '../json.ts';
import { mask, maskRanges } from './mask.ts';
import {
  type SecretContext,
  connectorContext,
  documentContext,
  findSecretRanges,
  findSecrets,
  getMemberContext,
} from './findSecrets.ts';

/**
 * Masks the secrets in the connector settings of a document (platform-facts.md, 2.5): in connections, their parameters
 * and the options of tables, at any depth, by the name of the member and by the format of the value. What may be a
 * secret is masked too. Everything else, such as SQL, is the user's own content and stays unchanged.
 */
export const maskConnectorDocument = (document: JsonValue): JsonValue => maskValue(document, documentContext);

/** Masks the secrets in a connection, or in any part of one. */
export const maskConnectorSettings = (connection: JsonValue): JsonValue =>
  maskValue(connection, connectorContext);

/**
 * Masks values in prose that are certainly secret. For log lines and server messages, which may repeat what was sent.
 */
export const maskText = (text: string): string => maskRanges(text, findSecretRanges(text, '', 'sure'));

/** Returns the value itself if there is nothing to mask, because documents with thousands of columns are read often. */
function maskValue(value: JsonValue, context: SecretContext): JsonValue {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    let maskedItems: JsonValue[] | undefined;
    for (const [index, item] of items.entries()) {
      const maskedItem = maskValue(item, getMemberContext(context, value, index));
      if (maskedItem !== item) {
        maskedItems ??= [...items];
        maskedItems[index] = maskedItem;
      }
    }
    return maskedItems ?? value;
  }
  if (isJsonObject(value)) {
    let maskedMembers: Map<string, JsonValue> | undefined;
    for (const name of Object.keys(value)) {
      const member = value[name] ?? null;
      const maskedMember = maskValue(member, getMemberContext(context, value, name));
      if (maskedMember !== member) {
        maskedMembers ??= new Map();
        maskedMembers.set(name, maskedMember);
      }
    }
    return maskedMembers === undefined
      ? value
      : mapMembers(value, (member, name) => maskedMembers.get(name) ?? member);
  }
  const secrets = findSecrets(value, context);
  if (secrets === 'all') {
    return mask;
  }
  return typeof value === 'string' && secrets.length > 0 ? maskRanges(value, secrets) : value;
}

/** Kinds of documents that contain settings of a connector (platform-facts.md, 2.2, 2.5). */
const connectorDocumentKinds = /^(datamodel|dataset|table)$/;

/** Masks the secrets in a document of any kind, so that it can be shown and stored. */
export const maskDocument = (kind: string, document: JsonValue): JsonValue =>
  connectorDocumentKinds.test(kind) ? maskConnectorDocument(document) : document;
