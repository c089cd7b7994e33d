import { maskConnectorDocument } from '../../base/secrets/maskSecrets.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import type { DocumentRef } from '../documentAddress.ts';
import type { DocumentKindDescriptor } from './documentKind.ts';

/** A datamodel has no editable fields (rest-api.md, "Datamodel"): its document is read-only. */
export const datamodelKind: DocumentKindDescriptor<Extract<DocumentRef, { kind: 'datamodel' }>> = {
  language: 'json',
  getSourceKey: getRefKey,
  fetch: (client, ref, signal) => client.datamodels.get(ref, signal),
  getVisiblePart: maskConnectorDocument,
};
