import type { Uri } from 'vscode';
import { schemes } from '../../contributions.ts';
import { readDocumentAddress } from '../../documents/documentAddress.ts';
import type { FormsDeps } from './deps.ts';

/** Returns the ID of the connection of a document; for a workspace file, that of the current connection. */
export const getDocumentConnectionId = ({ currentConnection }: FormsDeps, uri: Uri): string | undefined =>
  uri.scheme === schemes.document ? readDocumentAddress(uri)?.connectionId : currentConnection.value?.id;
