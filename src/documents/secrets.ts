import type { JsonValue } from '../base/json.ts';
import {
  type SecretPath,
  findMaskedPaths,
  findSecretBehindMask,
  unmask,
} from '../base/secrets/maskedPaths.ts';
import type { DocumentEdit } from './kinds/documentKind.ts';
import { DocumentRefusedError } from './refusals.ts';

/**
 * Replaces masks by secrets: each is either entered by the user or, if the user chose so, sent back unchanged. The mask
 * itself is never sent.
 * @param content the part of the document to send, with the same paths as in the document
 * @throws DocumentRefusedError `secrets-needed`, also when the server has no secret to send back
 */
export function fillSecrets(
  sent: JsonValue,
  { source, secret }: Pick<DocumentEdit, 'source' | 'secret'>,
  isSent: (path: SecretPath) => boolean = () => true,
): JsonValue {
  const secretAt = (path: SecretPath): JsonValue | undefined => {
    const given = secret(path);
    if (given === undefined) {
      return undefined;
    }
    return given === 'as-it-came' ? findSecretBehindMask(source, sent, path) : given.typed;
  };
  const missing = findMaskedPaths(sent).filter((path) => isSent(path) && secretAt(path) === undefined);
  if (missing.length > 0) {
    throw new DocumentRefusedError('secrets-needed', { paths: missing });
  }
  return unmask(sent, (path) => secretAt(path) ?? findSecretBehindMask(source, sent, path) ?? null);
}
