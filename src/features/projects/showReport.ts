import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { schemes } from '../../contributions.ts';

const queryPrefix = 'report-';

/**
 * Shows a Markdown report in a read-only editor.
 * @param texts the texts of read-only documents, by URI
 */
export async function showReport(texts: Map<string, string>, title: string, text: string): Promise<void> {
  const uri = vscode.Uri.from({
    scheme: schemes.projectVersion,
    path: `/${title.replaceAll(/[/\\]/g, '∕')}.md`,
    query: `${queryPrefix}${randomUUID()}`,
  });
  texts.set(String(uri), text);
  const listener = vscode.workspace.onDidCloseTextDocument((document) => {
    if (String(document.uri) === String(uri)) {
      texts.delete(String(uri));
      listener.dispose();
    }
  });
  await vscode.window.showTextDocument(uri, { preview: false });
}

/**
 * Returns what to show in place of a report that the editor has restored, whose text isn't kept; `undefined` for other
 * documents.
 */
export const getLostReportNotice = ({ query }: vscode.Uri): string | undefined =>
  query.startsWith(queryPrefix) ? vscode.l10n.t('This report is no longer available.') : undefined;
