import * as vscode from 'vscode';
import * as z from 'zod';
import { schemes } from '../../contributions.ts';

/** Identifies the text of a file as it is on the server. */
export interface ServerTextAddress {
  /** The folder of the project, as the text of a URI. */
  readonly folder: string;
  readonly environment: string;
  /** The path of the file in the project. */
  readonly path: string;
}

const querySchema = z.object({ folder: z.string(), environment: z.string() });

/** Returns the URI of the text that a file would have if it matched the server. */
export const createServerTextUri = ({ folder, environment, path }: ServerTextAddress): vscode.Uri =>
  vscode.Uri.from({
    scheme: schemes.projectVersion,
    // The same path as that of the file: otherwise, a comparison would look like a rename.
    path: `${vscode.Uri.parse(folder).path}/${path}`,
    query: JSON.stringify({ folder, environment }),
  });

/** Returns the URI of an empty text, for a side of a comparison that has no file. */
export const createEmptyTextUri = (path: string): vscode.Uri =>
  vscode.Uri.from({ scheme: schemes.projectVersion, path: `/${path}`, query: 'empty' });

/** Parses a URI that {@link createServerTextUri} has created; `undefined` for other URIs. */
export function parseServerTextUri({ scheme, path, query }: vscode.Uri): ServerTextAddress | undefined {
  if (scheme !== schemes.projectVersion || !query.startsWith('{')) {
    return undefined;
  }
  const { folder, environment } = querySchema.parse(JSON.parse(query));
  return { folder, environment, path: path.slice(vscode.Uri.parse(folder).path.length + 1) };
}
