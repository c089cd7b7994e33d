import * as vscode from 'vscode';
import { toPathSegment } from '../../catalog/pathSegment.ts';
import { createViewAddress, readViewAddress } from '../../catalog/viewAddress.ts';
import { formatComparable } from '../../changes/model/comparableDocument.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';
import type { Sessions } from '../../connections/sessions.ts';
import { type ResourceTarget, schemes } from '../../contributions.ts';
import { getUserMessage } from '../../platform/userErrors.ts';

/**
 * Reads a resource of a server as a text to compare; `undefined` if the server doesn't have it.
 * @throws ApiError
 */
export async function readText(
  sessions: Sessions,
  { connectionId, resource }: Pick<ResourceTarget, 'connectionId' | 'resource'>,
): Promise<string | undefined> {
  const { client } = await sessions.get(connectionId);
  const document = await new DocumentReader(client).readDocument(resource);
  return document === undefined ? undefined : formatComparable(resource.kind, document);
}

/** Reads the text of a side of a comparison that was open when the window was closed. */
export async function readComparedText(sessions: Sessions, uri: vscode.Uri): Promise<string> {
  const address = readViewAddress(uri.query);
  let text: string | undefined;
  try {
    text = address && (await readText(sessions, address));
  } catch (error) {
    throw new Error(getUserMessage(error), { cause: error });
  }
  if (text === undefined) {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
  return text;
}

/**
 * Creates the URI of a side of a comparison. Its name has a general suffix, since the text is not a document of its
 * kind: it must not get the problems and help of one.
 * @param names the connection and what is in it, outermost first
 */
export function createComparedUri(
  target: ResourceTarget,
  names: readonly string[],
  version: number,
): vscode.Uri {
  const { kind } = target.resource;
  const suffix = kind === 'tableExpression' || kind === 'columnExpression' ? '.sql' : '.json';
  return vscode.Uri.from({
    scheme: schemes.comparison,
    path: `/${names.map(toPathSegment).join('/')}${suffix}`,
    query: createViewAddress(target).query,
    // Makes the editor read the text again.
    fragment: String(version),
  });
}
