import type * as vscode from 'vscode';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { readViewAddress } from '../../catalog/viewAddress.ts';
import { schemes } from '../../contributions.ts';
import { readDocumentPath } from '../../documents/documentAddress.ts';

/** The resource that a document of a server shows. */
export interface DocumentOrigin {
  readonly connectionId: string;
  readonly resource: ResourceRef;
}

/**
 * Returns the resource of a document, from its URI; `undefined` for one that shows no resource of a server, such as a
 * file of the workspace. A new kind of document needs a line here, and then has all SQL features.
 */
export function getDocumentOrigin({ scheme, path, query }: vscode.Uri): DocumentOrigin | undefined {
  switch (scheme) {
    case schemes.document:
      return readDocumentPath(path);
    case schemes.view:
      return readViewAddress(query);
    default:
      return undefined;
  }
}
