import type * as vscode from 'vscode';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { readViewAddress } from '../../catalog/viewAddress.ts';
import { schemes } from '../../contributions.ts';
import { readDocumentPath } from '../../documents/documentAddress.ts';

/** The connection and resource of a document on a server. */
export interface DocumentOrigin {
  readonly connectionId: string;
  readonly resource: ResourceRef;
}

/**
 * Returns the origin of a document, read from its URI; `undefined` for other documents, such as workspace files. A URI
 * scheme that is added here gets all SQL features.
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
