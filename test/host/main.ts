/** The entry point of the extension under test: it waits for the tests, which activate the product themselves. */
import type * as vscode from 'vscode';
import { setHostContext } from './support/studio.ts';

export function activate(context: vscode.ExtensionContext): void {
  setHostContext(context);
}
