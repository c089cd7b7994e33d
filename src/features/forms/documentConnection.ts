import type { Uri } from 'vscode';
import { schemes } from '../../contributions.ts';
import { readDocumentAddress } from '../../documents/documentAddress.ts';
import type { FormsDeps } from './deps.ts';

/** Returns the ID of the connection that a document belongs to; for a workspace file, of the current connection. */
export const getDocumentConnectionId = ({ current }: FormsDeps, uri: Uri): string | undefined =>
  uri.scheme === schemes.document ? readDocumentAddress(uri)?.connectionId : current.value?.id;
