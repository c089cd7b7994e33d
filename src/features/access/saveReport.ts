import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { reportFailure } from '../../platform/commands.ts';

const formats = {
  markdown: { extension: 'md', label: 'Markdown' },
  csv: { extension: 'csv', label: 'CSV' },
} as const;

/**
 * Saves a report to a file that the user chooses, and opens it. Shows a failure to the user, because the page that
 * requests the report is not notified of it.
 * @param options the title of the dialog, and the proposed name of the file, without its extension
 */
export async function saveReport(
  { format, text }: { readonly format: keyof typeof formats; readonly text: string },
  options: { readonly title: string; readonly name: string },
  log: Log,
): Promise<void> {
  const { title, name } = options;
  const { extension, label } = formats[format];
  const fileName = `${toFileName(name)}.${extension}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    filters: { [label]: [extension] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, fileName) }),
    title,
  });
  if (uri === undefined) {
    return;
  }
  try {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await vscode.window.showTextDocument(uri, { preview: false });
  } catch (error) {
    await reportFailure(error, log);
  }
}

/** Turns a name into a file name by replacing everything but letters, digits, `.`, `_` and `-`. */
const toFileName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80);
