import * as vscode from 'vscode';
import { translateSchema } from '../../json/language/translateSchema.ts';

/** Returns the schema with the address, generated at build time, in the language of the editor. */
export async function readSchema(extensionUri: vscode.Uri, { path }: vscode.Uri): Promise<string> {
  const file = vscode.Uri.joinPath(extensionUri, 'dist', 'schemas', path.replaceAll(/[^\w.-]/g, ''));
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  return vscode.l10n.bundle === undefined
    ? text
    : JSON.stringify(translateSchema(JSON.parse(text), vscode.l10n.t));
}
