import type { JsonObject } from '../../base/json.ts';
import { datamodelTypes } from '../../contract/datamodel.ts';
import { PayloadError } from '../payloadError.ts';
import { type WriteDocument, textAt } from './document.ts';

/**
 * Body of POST /datamodels: `title` (required) and `type`, extract unless said (spec, "Datamodel"). Nothing else of
 * a datamodel can be written.
 * @throws PayloadError
 */
export function newDatamodelPayload(document: WriteDocument): JsonObject {
  const title = textAt(document['title'], ['title']);
  const type = document['type'] ?? 'extract';
  const word = typeof type === 'string' ? type.toLowerCase() : '';
  if (!datamodelTypes.some((known) => known === word)) {
    throw new PayloadError('wrong-type', ['type']);
  }
  return { title, type: word };
}
