import * as vscode from 'vscode';

/** A place where a blank was typed: its line as it was then, and what says that nobody waits any more. */
interface BlankContext {
  readonly line: string;
  readonly token: vscode.CancellationToken;
}

/**
 * Waits for what is typed after a blank: true when it begins a word. The editor asks for proposals at the blank, and
 * until it has the answer it asks for none at the letters that follow. Were the answer "nothing", a letter that was
 * typed meanwhile would have no proposals until the next one; so the answer waits for the letter. The editor itself
 * cancels when the caret goes elsewhere, and shows nothing of a request that it made by itself.
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
