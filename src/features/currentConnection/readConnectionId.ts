import type * as vscode from 'vscode';
import { readViewAddress } from '../../catalog/viewAddress.ts';
import { schemes } from '../../contributions.ts';
import { readDocumentAddress } from '../../documents/documentAddress.ts';

/** Returns the ID of the connection in the URI of a document of an instance; `undefined` for other URIs. */
export const readConnectionId = (uri: vscode.Uri): string | undefined =>
  uri.scheme === schemes.view
    ? readViewAddress(uri.query)?.connectionId
    : readDocumentAddress(uri)?.connectionId;
