import * as vscode from 'vscode';
import type { Clock } from '../base/clock.ts';

/** Waits until the editor has handled all earlier messages of the extension, and its own replies to them have arrived. */
export const waitForEditor = (): Thenable<unknown> =>
  vscode.commands.executeCommand('setContext', 'datamodelStudio.isReady', true);

/**
 * Calls back when the editor has shown what was set in a Quick Pick. Everything that it reported before belongs to what it
 * had shown until then.
 */
export async function whenQuickPickIsShown(clock: Clock, callback: () => void): Promise<void> {
  // The changes of a Quick Pick are sent together when the current task has ended.
  await new Promise<void>((resolve) => {
    clock.schedule(0, resolve);
  });
  await waitForEditor();
  callback();
}
