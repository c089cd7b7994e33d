import * as vscode from 'vscode';
import type { Clock } from '../base/clock.ts';

/**
 * Waits until the editor has handled all earlier messages of the extension, and its own replies to them have arrived.
 * Messages are handled in order, so this sends a harmless command and waits for its response.
 */
export const waitForEditor = (): Thenable<unknown> =>
  vscode.commands.executeCommand('setContext', 'datamodelStudio.isReady', true);

/**
 * Calls back when a Quick Pick shows the items and values that were last set. Events before that call, such as changes
 * of the active item, are about what the Quick Pick showed earlier.
 */
export async function whenQuickPickIsShown(clock: Clock, callback: () => void): Promise<void> {
  // The changes of a Quick Pick are sent together when the current task has ended.
  await new Promise<void>((resolve) => {
    clock.schedule(0, resolve);
  });
  await waitForEditor();
  callback();
}
