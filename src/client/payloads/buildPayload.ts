import { type JsonObject, isRawNumber } from '../../base/json.ts';
import { newBuildSchema } from '../../contract/build.ts';
import { PayloadError } from '../errors.ts';
import { type DocumentToWrite, pickProperties } from './documentToWrite.ts';

const buildFields = ['datamodelId', 'buildType', 'schemaOrigin', 'rowLimit'];

/**
 * Body of POST /builds (rest-api.md, "POST /builds body"): `datamodelId` and `buildType`, with `schemaOrigin` and
 * `rowLimit` if given. Missing fields are not sent: an instance before L2021.3 does not know `schemaOrigin`.
 * @throws PayloadError
 */
export function createBuildPayload(document: DocumentToWrite): JsonObject {
  const body = pickProperties(document, buildFields);
  const { rowLimit } = body;
  const parsedBody = isRawNumber(rowLimit) ? { ...body, rowLimit: Number(rowLimit.rawJSON) } : body;
  const result = newBuildSchema.safeParse(parsedBody);
  if (!result.success) {
    const name = result.error.issues[0]?.path[0];
    const path = typeof name === 'string' ? [name] : [];
    throw new PayloadError(
      path.length === 1 && !(String(name) in body) ? 'missing-property' : 'wrong-type',
      path,
    );
  }
  return body;
}
