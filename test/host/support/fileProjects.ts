import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type ProjectFiles, formatFile, paths, validFiles } from '../../support/projectFiles.ts';
import { complete, findCaret, getCompletionLabel } from './language.ts';
import { TestProject } from './projects.ts';
import { waitFor } from './waiting.ts';

/** Changes, creates or deletes files as the editor does. */
export async function changeFiles(change: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  change(edit);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Waits until a completion is proposed at a caret. */
export async function waitForCompletion(
  editor: vscode.TextEditor,
  markedText: string,
  label: string,
): Promise<void> {
  await waitFor(
    async () =>
      (await complete(editor, findCaret(editor, markedText))).some(
        (item) => getCompletionLabel(item) === label,
      ),
    () => `${label} is not proposed`,
  );
}

/** A project in the workspace whose files are opened and edited. */
export interface FileProject extends AsyncDisposable {
  readonly project: TestProject;
  show(path: string): Promise<vscode.TextEditor>;
  /** Replaces a part of a text, without saving it. */
  edit(editor: vscode.TextEditor, from: string, to: string): Promise<void>;
  /** Shows the rules, and waits until the project is known, so that they have its names. */
  showRules(): Promise<vscode.TextEditor>;
  /** Waits until a file is in the active editor. */
  waitForActive(path: string): Promise<void>;
}

/** Creates a project in the workspace. */
export async function createFileProject(changes: ProjectFiles = {}): Promise<FileProject> {
  const files = Object.entries({ ...validFiles, ...changes, 'datamodel-studio.json': { version: 1 } });
  const texts = files.flatMap(([path, content]) =>
    content === undefined ? [] : [[path, formatFile(content)] as const],
  );
  const project = await TestProject.moveIntoWorkspace(`files-${randomUUID()}`, {
    '': Object.fromEntries(texts),
  });
  const show = async (path: string): Promise<vscode.TextEditor> =>
    vscode.window.showTextDocument(await vscode.workspace.openTextDocument(project.getUri(path)), {
      preview: false,
    });
  return {
    project,
    show,
    showRules: async () => {
      const editor = await show(paths.rules);
      await waitForCompletion(editor, '"column": "|Status"', 'Label');
      return editor;
    },
    edit: async ({ document }, from, to) => {
      const start = document.getText().indexOf(from);
      assert.notEqual(start, -1);
      const range = new vscode.Range(document.positionAt(start), document.positionAt(start + from.length));
      await changeFiles((edit) => edit.replace(document.uri, range, to));
    },
    waitForActive: async (path) => {
      await waitFor(
        () => vscode.window.activeTextEditor?.document.uri.path === project.getUri(path).path,
        () => `Active: ${String(vscode.window.activeTextEditor?.document.uri)}`,
      );
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await project[Symbol.asyncDispose]();
    },
  };
}
