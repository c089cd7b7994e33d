import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import { refKey } from '../../catalog/resourceRef.ts';
import type { DocumentRef } from '../documentAddress.ts';
import type { DocumentKind } from './documentKind.ts';

/** A datamodel has no editable fields (spec, "Datamodel"): its document is to be looked at. */
export const datamodelKind: DocumentKind<Extract<DocumentRef, { kind: 'datamodel' }>> = {
  language: 'json',
  sourceKey: refKey,
  ask: (client, ref, signal) => client.datamodels.get(ref, signal),
  show: maskSecrets,
};
