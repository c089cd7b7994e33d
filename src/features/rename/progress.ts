import * as vscode from 'vscode';
import { toPlainText } from '../../platform/serverText.ts';

/** Shows a notification with cancelable progress. */
export async function withProgress<T>(text: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: toPlainText(text),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_progress, token) => {
    const abortController = new AbortController();
    const subscription = token.onCancellationRequested(() =>
      abortController.abort(new vscode.CancellationError()),
    );
    try {
      return await run(abortController.signal);
    } finally {
      subscription.dispose();
    }
  });
}
