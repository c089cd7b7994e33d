import type * as vscode from 'vscode';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { readViewAddress } from '../../catalog/viewAddress.ts';
import { schemes } from '../../contributions.ts';
import { readDocumentAddress } from '../../documents/documentAddress.ts';

/** Returns the connection and resource of a server document; `undefined` for files. */
export function findServerResource(
  uri: vscode.Uri,
): { readonly connectionId: string; readonly resource: ResourceRef } | undefined {
  switch (uri.scheme) {
    case schemes.document:
      return readDocumentAddress(uri);
    case schemes.view:
      return readViewAddress(uri.query);
    default:
      return undefined;
  }
}
