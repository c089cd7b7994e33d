import type { JsonValue } from '../../base/json.ts';
import { asObject, getText } from '../model/jsonMembers.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { readDocuments } from './readDocuments.ts';

/**
 * Reads the custom data objects that match a filter, each as its own document; those without an ID as one document.
 * @throws ApiError
 */
export async function readCustomDataObjects(
  reader: DocumentReader,
  filter: JsonValue,
): Promise<readonly ReadDocument[]> {
  const { _id: id, ...otherConditions } = asObject(filter);
  if (getText(id) !== '' && Object.keys(otherConditions).length === 0) {
    // The reader caches the list of all objects, so many writes of single objects share one request.
    const [document] = await readDocuments(reader, [{ kind: 'customDataObject', objectId: getText(id) }]);
    return document?.document === undefined ? [] : [document];
  }
  const objects = await reader.readMatchingObjects(filter);
  const getId = (object: JsonValue): string => getText(asObject(object)['_id']);
  const withoutId = objects.filter((object) => getId(object) === '');
  const withId = objects.flatMap((document): readonly ReadDocument[] => {
    const objectId = getId(document);
    return objectId === '' ? [] : [{ ref: { kind: 'customDataObject', objectId }, document }];
  });
  return withoutId.length === 0 ? withId : [...withId, { ref: { kind: 'customData' }, document: withoutId }];
}
