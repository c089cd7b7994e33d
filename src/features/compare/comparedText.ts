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
export async function readComparableText(
  sessions: Sessions,
  { connectionId, resource }: Pick<ResourceTarget, 'connectionId' | 'resource'>,
): Promise<string | undefined> {
  const { client } = await sessions.get(connectionId);
  const document = await new DocumentReader(client).readDocument(resource);
  return document === undefined ? undefined : formatComparable(resource.kind, document);
}

/** Reads the text of one side of a comparison that VS Code restores after the window was closed. */
export async function readRestoredSide(sessions: Sessions, uri: vscode.Uri): Promise<string> {
  const address = readViewAddress(uri.query);
  let text: string | undefined;
  try {
    text = address && (await readComparableText(sessions, address));
  } catch (error) {
    throw new Error(getUserMessage(error), { cause: error });
  }
  if (text === undefined) {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
  return text;
}

/**
 * Creates the URI of one side of a comparison. It ends in `.json` or `.sql` rather than in the suffix of its kind of
 * document, so that it gets neither diagnostics nor completions.
 * @param names the names of the connection and of the containers within it, outermost first, then of the resource
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
    // The editor would otherwise show a text that it has already read.
    fragment: String(version),
  });
}
