import * as vscode from 'vscode';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** How long a save waits at most. VS Code stops calling a listener that took more than 1500 ms three times. */
const maxWaitMs = 1000;

/**
 * Validates documents before VS Code saves them, so that the question about errors refers to the text that is saved,
 * not to the text before the last keystrokes.
 */
export const validateBeforeSave = (
  clock: Clock,
  validate: (document: vscode.TextDocument) => Promise<void>,
): Disposable =>
  vscode.workspace.onWillSaveTextDocument((event) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.schedule(maxWaitMs, resolve);
    void validate(event.document).finally(() => {
      timer.dispose();
      resolve();
    });
    event.waitUntil(promise);
  });
