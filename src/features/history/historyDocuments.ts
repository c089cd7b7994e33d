import * as vscode from 'vscode';
import * as z from 'zod';
import { stringify } from '../../base/json.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';
import type { HistoryFeatureDeps } from './deps.ts';

const addressSchema = z.object({
  connectionId: z.string(),
  entryId: z.string(),
  document: z.int().nonnegative(),
  side: z.enum(['before', 'now']),
});

/** Returns the text of one side of a comparison: a stored document, or the server's current version of it. */
export async function getHistoryDocument(deps: HistoryFeatureDeps, uri: vscode.Uri): Promise<string> {
  const address = parseAddress(uri.query);
  if (address === undefined) {
    return vscode.l10n.t('Invalid address.');
  }
  const { history } = await deps.changeServices();
  const entry = await history.readEntry(address.connectionId, address.entryId);
  const snapshot = entry?.before[address.document];
  if (snapshot === undefined) {
    return vscode.l10n.t('The history no longer contains this entry.');
  }
  if (address.side === 'before') {
    return snapshot.document === undefined ? '' : `${stringify(snapshot.document, 2)}\n`;
  }
  try {
    const { client } = await deps.sessions.get(address.connectionId);
    const currentDocument = await new DocumentReader(client).readDocument(snapshot.ref);
    // The text of a deleted document is empty, so that the comparison shows all lines as deleted.
    return currentDocument === undefined ? '' : `${stringify(currentDocument, 2)}\n`;
  } catch (error) {
    return getUserMessage(error);
  }
}

function parseAddress(query: string): z.infer<typeof addressSchema> | undefined {
  try {
    return addressSchema.safeParse(JSON.parse(query)).data;
  } catch {
    return undefined;
  }
}
