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
 * What is sent for a document that shows masks: every secret is one that the person gives, or lets go back as it came.
 * The mask itself is never sent.
 * @param sent the part of the document that is sent, with its names from the root
 * @throws DocumentRefusedError `secrets-needed`, also for what the server has no secret for that could go back
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
