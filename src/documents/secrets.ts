import type { JsonValue } from '../base/json.ts';
import { type MaskPath, findMaskPaths, findSecretBehindMask, unmask } from '../base/secrets/maskPaths.ts';
import type { DocumentEdit } from './kinds/documentKind.ts';
import { DocumentRefusedError } from './refusals.ts';

/**
 * Replaces masks by secrets: each is either entered by the user or, if the user chose so, sent back unchanged. The mask
 * itself is never sent.
 * @param content the part of the document to send, with the same paths as in the document
 * @param isSent returns whether the value at a path is sent; the user has to answer only for secrets that are
 * @throws DocumentRefusedError `secrets-needed`, also when the server has no secret to send back
 */
export function fillSecrets(
  content: JsonValue,
  { source, getSecretAnswer }: Pick<DocumentEdit, 'source' | 'getSecretAnswer'>,
  isSent: (path: MaskPath) => boolean = () => true,
): JsonValue {
  const getSecret = (path: MaskPath): JsonValue | undefined => {
    const answer = getSecretAnswer(path);
    if (answer === undefined) {
      return undefined;
    }
    return answer === 'server-value' ? findSecretBehindMask(source, content, path) : answer.typedValue;
  };
  const missing = findMaskPaths(content).filter((path) => isSent(path) && getSecret(path) === undefined);
  if (missing.length > 0) {
    throw new DocumentRefusedError('secrets-needed', { paths: missing });
  }
  return unmask(content, (path) => getSecret(path) ?? findSecretBehindMask(source, content, path) ?? null);
}
