import type { WriteDocument } from '../../client/payloads/document.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { CatalogChange } from '../../catalog/catalog.ts';
import type { Write, WriteEndpointId } from '../model/operation.ts';

/** The names of a write as its endpoint's path needs them; one that is missing is refused by the client. */
export const pathNames = <Id extends WriteEndpointId>(write: Write): PathParams<Id> =>
  write.params as PathParams<Id>;

/** The client checks what is sent: a body of another form is refused there. */
export const objectBody = (write: Write): WriteDocument => write.body as WriteDocument;

export const listBody = (write: Write): readonly WriteDocument[] =>
  write.body as unknown as readonly WriteDocument[];

/** What is in a datamodel is known with it. */
export function affectsDatamodel({ params, target }: Write): readonly CatalogChange[] {
  const datamodelId = params['datamodelId'] ?? (target && 'datamodelId' in target ? target.datamodelId : '');
  return [{ kind: 'datamodel', datamodelId }];
}
