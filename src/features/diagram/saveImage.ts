import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { reportFailure } from '../../platform/commands.ts';
import { showInformation } from '../../platform/messages.ts';

const t = vscode.l10n.t;
const labels = { svg: 'SVG', png: 'PNG' } as const;

/**
 * Saves an image to a file that the user chooses. Shows a failure to the user, because the page that requests this is
 * not notified of it.
 */
export async function saveImage(
  { format, data }: { readonly format: 'svg' | 'png'; readonly data: string },
  title: string,
  log: Log,
): Promise<void> {
  const name = `${toFileName(title)}.${format}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    filters: { [labels[format]]: [format] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
    title: t('Save Diagram'),
  });
  if (uri === undefined) {
    return;
  }
  try {
    await vscode.workspace.fs.writeFile(
      uri,
      format === 'svg' ? new TextEncoder().encode(data) : Buffer.from(data, 'base64'),
    );
  } catch (error) {
    await reportFailure(error, log);
    return;
  }
  const openFileLabel = t('Open');
  const message = t('Saved the diagram as {0}.', uri.path.split('/').at(-1) ?? uri.path);
  if ((await showInformation(message, openFileLabel)) === openFileLabel) {
    await vscode.commands.executeCommand('vscode.open', uri);
  }
}

/** Turns a title into a file name by replacing everything but letters, digits, `.`, `_` and `-`. */
const toFileName = (title: string): string =>
  `diagram-${title}`.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80);
