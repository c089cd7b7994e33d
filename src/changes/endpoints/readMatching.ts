import type { JsonValue } from '../../base/json.ts';
import { asObject, getText } from '../model/readJson.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { readDocuments } from './readDocuments.ts';

/**
 * Reads the custom data objects that match a filter, each as its own document; those without an ID as one document.
 * @throws ApiError
 */
export async function readMatching(
  reader: DocumentReader,
  filter: JsonValue,
): Promise<readonly ReadDocument[]> {
  const { _id: own, ...others } = asObject(filter);
  if (getText(own) !== '' && Object.keys(others).length === 0) {
    // The reader caches the list of all objects, so many writes of single objects share one request.
    const [one] = await readDocuments(reader, [{ kind: 'customDataObject', objectId: getText(own) }]);
    return one?.document === undefined ? [] : [one];
  }
  const objects = await reader.matching(filter);
  const getId = (object: JsonValue): string => getText(asObject(object)['_id']);
  const nameless = objects.filter((object) => getId(object) === '');
  const named = objects.flatMap((document): readonly ReadDocument[] => {
    const objectId = getId(document);
    return objectId === '' ? [] : [{ ref: { kind: 'customDataObject', objectId }, document }];
  });
  return nameless.length === 0 ? named : [...named, { ref: { kind: 'customData' }, document: nameless }];
}
