import type { JsonValue } from '../base/json.ts';
import { type SecretPath, maskedPaths, secretBehind, unmasked } from '../base/secrets/maskedPaths.ts';
import type { Edit } from './kinds/documentKind.ts';
import { DocumentRefusal } from './refusals.ts';

/**
 * What is sent for a document that shows masks: every secret is one that the person gives, or lets go back as it came.
 * The mask itself is never sent.
 * @param sent the part of the document that is sent, with its names from the root
 * @throws DocumentRefusal `secrets-needed`, also for what the server has no secret for that could go back
 */
export function withSecrets(
  sent: JsonValue,
  { source, secret }: Pick<Edit, 'source' | 'secret'>,
  isSent: (path: SecretPath) => boolean = () => true,
): JsonValue {
  const secretAt = (path: SecretPath): JsonValue | undefined => {
    const given = secret(path);
    if (given === undefined) {
      return undefined;
    }
    return given === 'as-it-came' ? secretBehind(source, sent, path) : given.typed;
  };
  const missing = maskedPaths(sent).filter((path) => isSent(path) && secretAt(path) === undefined);
  if (missing.length > 0) {
    throw new DocumentRefusal('secrets-needed', { paths: missing });
  }
  return unmasked(sent, (path) => secretAt(path) ?? secretBehind(source, sent, path) ?? null);
}
