import type { DocumentToWrite } from '../../client/payloads/documentToWrite.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import type { Write, WriteEndpointId } from '../model/operation.ts';

/** Returns the path parameters of a write. Not checked here: the client rejects missing ones. */
export const getPathParams = <Id extends WriteEndpointId>(write: Write): PathParams<Id> =>
  write.params as PathParams<Id>;

/** Returns the request body. Not checked here: the client validates its shape. */
export const getObjectBody = (write: Write): DocumentToWrite => write.body as DocumentToWrite;

/** Returns the request body of a list. Not checked here: the client validates its shape. */
export const getListBody = (write: Write): readonly DocumentToWrite[] =>
  write.body as unknown as readonly DocumentToWrite[];
