import type * as vscode from 'vscode';
import { readViewAddress } from '../../catalog/viewAddress.ts';
import { schemes } from '../../contributions.ts';
import { readDocumentAddress } from '../../documents/documentAddress.ts';

/** Returns the connection of a document of an instance; `undefined` for an address that is not one. */
export const readConnectionId = (uri: vscode.Uri): string | undefined =>
  uri.scheme === schemes.view
    ? readViewAddress(uri.query)?.connectionId
    : readDocumentAddress(uri)?.connectionId;
