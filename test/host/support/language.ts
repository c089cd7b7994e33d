import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { waitFor } from './waiting.ts';

/** The position of the caret, which `|` marks in a part of the document's text. */
export function findCaret({ document }: vscode.TextEditor, markedText: string): vscode.Position {
  const start = document.getText().indexOf(markedText.replace('|', ''));
  assert.ok(start >= 0, `${markedText} is not in: ${document.getText()}`);
  return document.positionAt(start + markedText.indexOf('|'));
}

/** The proposals at a position. */
export async function complete(
  { document }: vscode.TextEditor,
  position: vscode.Position,
  trigger?: string,
): Promise<readonly vscode.CompletionItem[]> {
  const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    document.uri,
    position,
    trigger,
  );
  return items;
}

export const getCompletionLabel = ({ label }: vscode.CompletionItem): string =>
  typeof label === 'string' ? label : label.label;

/** Accepts a proposal at a position, as the editor does: its text, and the edits elsewhere that belong to it. */
export async function acceptProposal(
  editor: vscode.TextEditor,
  position: vscode.Position,
  label: string,
): Promise<void> {
  let items: readonly vscode.CompletionItem[] = [];
  // As for a person, a proposal appears once the extension has loaded the names that it's made from.
  const item = await waitFor(
    async () => {
      items = await complete(editor, position);
      return items.find((candidate) => getCompletionLabel(candidate) === label);
    },
    () => `${label} is not among ${items.slice(0, 30).map(getCompletionLabel).join(', ')}`,
  );
  const { range, insertText, additionalTextEdits = [] } = item;
  assert.ok(range instanceof vscode.Range);
  if (insertText instanceof vscode.SnippetString) {
    assert.deepEqual(additionalTextEdits, []);
    await editor.insertSnippet(insertText, range);
    return;
  }
  assert.ok(insertText !== undefined);
  await editor.edit((edit) => {
    edit.replace(range, insertText);
    for (const additional of additionalTextEdits) {
      edit.replace(additional.range, additional.newText);
    }
  });
}

/** The quick fixes and refactorings at a position. */
export const getCodeActions = (
  { document }: vscode.TextEditor,
  position: vscode.Position,
): Thenable<readonly vscode.CodeAction[]> =>
  vscode.commands.executeCommand(
    'vscode.executeCodeActionProvider',
    document.uri,
    new vscode.Range(position, position),
  );

/** Applies a quick fix at a position by its title. */
export async function applyFix(
  editor: vscode.TextEditor,
  position: vscode.Position,
  title: string,
): Promise<void> {
  let actions: readonly vscode.CodeAction[] = [];
  const edit = await waitFor(
    async () => {
      actions = await getCodeActions(editor, position);
      return actions.find((candidate) => candidate.title === title)?.edit;
    },
    () => `No ${title} but: ${actions.map((candidate) => candidate.title).join(', ')}`,
  );
  await vscode.workspace.applyEdit(edit);
}

/** Asks for the edits that rename the symbol at a position. */
export const requestRename = (
  { document }: vscode.TextEditor,
  position: vscode.Position,
  name: string,
): Thenable<vscode.WorkspaceEdit> =>
  vscode.commands.executeCommand('vscode.executeDocumentRenameProvider', document.uri, position, name);

/** The text in the box of F2 at a position, and the text of the range that it stands for. */
export async function prepareRename(
  { document }: vscode.TextEditor,
  position: vscode.Position,
): Promise<readonly [placeholder: string, text: string]> {
  const { placeholder, range } = await vscode.commands.executeCommand<{
    readonly placeholder: string;
    readonly range: vscode.Range;
  }>('vscode.prepareRename', document.uri, position);
  return [placeholder, document.getText(range)];
}

/** The text that appears when the pointer rests at a position; empty if there is none. */
export async function readHover({ document }: vscode.TextEditor, position: vscode.Position): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    position,
  );
  return decodeMarkdown(
    hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (typeof content === 'string' ? content : content.value))
      .join('\n'),
  );
}

/** The text that Markdown shows in which all special characters are escaped. */
export const decodeMarkdown = (markdown: string): string =>
  markdown
    .replaceAll(/&#(\d+);/g, (_entity, code) => String.fromCodePoint(Number(code)))
    .replaceAll('\u00a0', ' ');

/** Where the symbol at a position is defined. */
export const findDefinitions = (
  { document }: vscode.TextEditor,
  position: vscode.Position,
): Thenable<readonly (vscode.Location | vscode.LocationLink)[]> =>
  vscode.commands.executeCommand('vscode.executeDefinitionProvider', document.uri, position);

/** The messages of a document's problems. */
export const getProblems = ({ document }: vscode.TextEditor): readonly string[] =>
  vscode.languages.getDiagnostics(document.uri).map(({ message }) => message);

/** Waits until the problems of a document are exactly these. */
export async function waitForProblems(
  editor: vscode.TextEditor,
  ...messages: readonly string[]
): Promise<void> {
  await waitFor(
    () => JSON.stringify(getProblems(editor)) === JSON.stringify(messages),
    () => `The problems are: ${getProblems(editor).join(' | ')}`,
  );
}
