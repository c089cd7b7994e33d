import type { WriteDocument } from '../../client/payloads/writeDocument.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { CatalogChange } from '../../catalog/instanceCatalog.ts';
import type { Write, WriteEndpointId } from '../model/operation.ts';

/** The names of a write as its endpoint's path needs them; one that is missing is refused by the client. */
export const getPathParams = <Id extends WriteEndpointId>(write: Write): PathParams<Id> =>
  write.params as PathParams<Id>;

/** The client checks what is sent: a body of another form is refused there. */
export const getObjectBody = (write: Write): WriteDocument => write.body as WriteDocument;

export const getListBody = (write: Write): readonly WriteDocument[] =>
  write.body as unknown as readonly WriteDocument[];

/** What is in a datamodel is known with it. */
export function getDatamodelChanges({ params, target }: Write): readonly CatalogChange[] {
  const datamodelId = params['datamodelId'] ?? (target && 'datamodelId' in target ? target.datamodelId : '');
  return [{ kind: 'datamodel', datamodelId }];
}
