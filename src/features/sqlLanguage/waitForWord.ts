import * as vscode from 'vscode';

/** A place where a space was typed: its line at that time, and the token that cancels the wait. */
interface BlankContext {
  readonly line: string;
  readonly token: vscode.CancellationToken;
}

/**
 * Waits for what is typed after a space: true when it begins a word. The editor requests completions at the space, and
 * until it has the answer it requests none at the letters that follow. If the answer were empty, a letter typed
 * meanwhile would have no completions until the next one; so the answer waits for the letter. The editor itself cancels
 * when the caret moves elsewhere, and shows nothing of a request that it made on its own.
 */
export function waitForWord(
  document: vscode.TextDocument,
  position: vscode.Position,
  { line, token }: BlankContext,
): Promise<boolean> {
  return new Promise((resolve) => {
    const subscriptions: vscode.Disposable[] = [];
    const checkLine = (): void => {
      const isOver =
        document.isClosed || token.isCancellationRequested || position.line >= document.lineCount;
      const now = isOver ? undefined : document.lineAt(position).text;
      if (now !== line) {
        vscode.Disposable.from(...subscriptions).dispose();
        resolve(now !== undefined && startsWord(line, now, position.character));
      }
    };
    subscriptions.push(
      token.onCancellationRequested(checkLine),
      vscode.workspace.onDidCloseTextDocument(checkLine),
      vscode.workspace.onDidChangeTextDocument(checkLine),
    );
    checkLine();
  });
}

const startsWord = (before: string, now: string, at: number): boolean =>
  now.length > before.length &&
  now.slice(0, at) === before.slice(0, at) &&
  /^[\p{L}_]/u.test(now.slice(at)) &&
  now.endsWith(before.slice(at));
