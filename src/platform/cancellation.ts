import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';

/** A signal that aborts with the editor's token, for as long as it is not disposed; its reason is a silent error. */
export function signalOf(token: vscode.CancellationToken): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new vscode.CancellationError());
  if (token.isCancellationRequested) {
    abort();
  }
  const subscription = token.onCancellationRequested(abort);
  return { signal: controller.signal, dispose: () => subscription.dispose() };
}
