import type { Uri } from 'vscode';
import { schemes } from '../../contributions.ts';
import { readDocumentPath } from '../../documents/documentAddress.ts';
import type { FormsDeps } from './deps.ts';

/** The connection that a document belongs to; a file of the workspace goes by the one that is worked on. */
export const getDocumentConnectionId = ({ current }: FormsDeps, uri: Uri): string | undefined =>
  uri.scheme === schemes.document ? readDocumentPath(uri.path)?.connectionId : current.value?.id;
