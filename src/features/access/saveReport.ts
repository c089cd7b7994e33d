import * as vscode from 'vscode';

const formats = {
  markdown: { extension: 'md', label: 'Markdown' },
  csv: { extension: 'csv', label: 'CSV' },
} as const;

/** Saves a report to a file that the user chooses, and opens it. */
export async function saveReport(
  { format, text }: { readonly format: keyof typeof formats; readonly text: string },
  title: string,
): Promise<void> {
  const { extension, label } = formats[format];
  const name = `${toFileName(title)}.${extension}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    filters: { [label]: [extension] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
    title: vscode.l10n.t('Save Who Sees What'),
  });
  if (uri !== undefined) {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await vscode.window.showTextDocument(uri, { preview: false });
  }
}

/** Turns a title into a file name by replacing everything but letters, digits, `.`, `_` and `-`. */
const toFileName = (title: string): string =>
  `who-sees-what-${title}`.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80);
