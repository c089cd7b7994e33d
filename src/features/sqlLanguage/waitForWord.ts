import * as vscode from 'vscode';

/** The text of the line in which a space was typed, and the token that cancels the wait. */
interface SpaceContext {
  readonly lineText: string;
  readonly token: vscode.CancellationToken;
}

/**
 * Waits for the next input after a space, and returns whether it starts a word. The editor requests completions at the
 * space, and sends no request for the following letters before it gets a response. An empty response would leave the
 * first letter without completions, so the response is delayed until a letter is typed. The editor cancels the request
 * when the caret moves elsewhere, and shows no progress for requests that the user did not trigger.
 */
export function waitForWord(
  document: vscode.TextDocument,
  position: vscode.Position,
  { lineText, token }: SpaceContext,
): Promise<boolean> {
  return new Promise((resolve) => {
    const subscriptions: vscode.Disposable[] = [];
    const checkLine = (): void => {
      const hasEnded =
        document.isClosed || token.isCancellationRequested || position.line >= document.lineCount;
      const currentLine = hasEnded ? undefined : document.lineAt(position).text;
      if (currentLine !== lineText) {
        vscode.Disposable.from(...subscriptions).dispose();
        resolve(currentLine !== undefined && startsWord(lineText, currentLine, position.character));
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

const startsWord = (oldLine: string, newLine: string, character: number): boolean =>
  newLine.length > oldLine.length &&
  newLine.slice(0, character) === oldLine.slice(0, character) &&
  /^[\p{L}_]/u.test(newLine.slice(character)) &&
  newLine.endsWith(oldLine.slice(character));
