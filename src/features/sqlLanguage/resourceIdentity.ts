import type * as vscode from 'vscode';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { readViewAddress } from '../../catalog/viewAddress.ts';
import { schemes } from '../../contributions.ts';
import { readDocumentAddress } from '../../documents/documentAddress.ts';

/** The connection and the resource that a document of a server shows. */
export interface ResourceIdentity {
  readonly connectionId: string;
  readonly resource: ResourceRef;
}

/**
 * Returns the connection and the resource of a document, read from its URI; `undefined` for other documents, such as
 * workspace files. Documents of every URI scheme handled here get all SQL features.
 */
export function getResourceIdentity({ scheme, path, query }: vscode.Uri): ResourceIdentity | undefined {
  switch (scheme) {
    case schemes.document:
      return readDocumentAddress({ path, query });
    case schemes.view:
      return readViewAddress(query);
    default:
      return undefined;
  }
}

/**
 * Returns a key of an SQL expression that is the same wherever the expression is shown: in a document of its own, or in
 * the JSON of its table or column. `undefined` for a resource without an expression.
 * @param columnId the oid of the column, for an expression in the JSON of a table
 */
export function getExpressionKey(
  { connectionId, resource }: ResourceIdentity,
  columnId?: string,
): string | undefined {
  if (!('tableId' in resource)) {
    return undefined;
  }
  const ownColumnId = 'columnId' in resource ? resource.columnId : columnId;
  return JSON.stringify([connectionId, resource.datamodelId, resource.tableId, ownColumnId ?? null]);
}
