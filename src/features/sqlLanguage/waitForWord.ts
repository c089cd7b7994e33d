import * as vscode from 'vscode';

/** The text of the line in which a space was typed, and the token that cancels the wait. */
interface BlankContext {
  readonly line: string;
  readonly token: vscode.CancellationToken;
}

/**
 * Waits for the next input after a space, and returns whether it starts a word. The editor requests completions at the
 * space, and sends no request for the following letters until that one is answered. If the result were empty, the first
 * letter would have no completions; so the result waits for the letter. The editor cancels the request when the caret
 * moves elsewhere, and shows no progress for requests that the user did not trigger.
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
