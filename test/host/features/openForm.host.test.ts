import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { viewpointFileText } from '../../editor/support/viewpointFile.ts';
import type { ViewpointEdit } from '../../../src/viewpoints/form/viewpointEdit.ts';
import type { ViewpointQuestion } from '../../../src/webviews/protocol/formQuestions.ts';
import { paths } from '../../support/projectFiles.ts';
import { createFileProject } from '../support/fileProjects.ts';
import { prepareSandboxAndFiles } from '../support/files.ts';
import { HostedForm } from '../support/hostedForm.ts';
import { describeStudio } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const viewType = 'datamodelStudio.viewpointForm';
const otherViewType = 'datamodelStudio.ruleForm';

/** The tabs of an editor group: the view type of a form, and `text` of a text editor. */
const getTabs = (viewColumn: vscode.ViewColumn): readonly string[] =>
  (vscode.window.tabGroups.all.find((group) => group.viewColumn === viewColumn)?.tabs ?? []).map(
    ({ input }) => (input instanceof vscode.TabInputCustom ? input.viewType : 'text'),
  );

const waitForTabs = (viewColumn: vscode.ViewColumn, expected: readonly string[]): Promise<true> =>
  waitFor(
    () => getTabs(viewColumn).join() === expected.join() || undefined,
    () => `The tabs of group ${viewColumn} are ${getTabs(viewColumn).join()}`,
  );

/**
 * A file system with one file, whose text can always be read. If `statError` is set, reading the metadata of the file
 * fails with this error.
 */
class SingleFileSystem implements vscode.FileSystemProvider {
  statError: vscode.FileSystemError | undefined;
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;
  readonly #bytes = new TextEncoder().encode(viewpointFileText);

  stat(): vscode.FileStat {
    if (this.statError !== undefined) {
      throw this.statError;
    }
    return { type: vscode.FileType.File, ctime: 0, mtime: 1, size: this.#bytes.length };
  }

  readFile(): Uint8Array {
    return this.#bytes;
  }

  watch(): vscode.Disposable {
    return { dispose() {} };
  }

  writeFile(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }
}

const scheme = 'one-file-test';

describeStudio('opening a form', prepareSandboxAndFiles, (test) => {
  for (const [kind, error] of [
    ['of a server that cannot be reached', vscode.FileSystemError.Unavailable('<b>Gone</b> & lost.')],
    ['that may no longer be read', vscode.FileSystemError.NoPermissions('<b>Gone</b> & lost.')],
  ] as const) {
    test(`the form of a document ${kind} shows the error and cannot be edited`, async ({ studio }) => {
      const file = new SingleFileSystem();
      const registration = vscode.workspace.registerFileSystemProvider(scheme, file);
      try {
        const uri = vscode.Uri.from({ scheme, path: '/Sales.viewpoint.json' });
        await vscode.window.showTextDocument(uri, { preview: false });
        file.statError = error;
        await studio.runCommand('Datamodel Studio: Open Form');
        const page = await studio.findPage(viewType);
        await waitFor(
          () => page.html !== '',
          () => 'The page is empty',
        );
        assert.match(page.html, /<p role="alert">&lt;b&gt;Gone&lt;\/b&gt; &amp; lost\.<\/p>/);
        assert.doesNotMatch(page.html, /<script/);
      } finally {
        registration.dispose();
      }
    });
  }

  test('a document whose file was deleted can be edited in its form, and saving creates the file again', async ({
    studio,
    files,
  }) => {
    const editor = await files.open('Deleted.viewpoint.json', viewpointFileText);
    await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), '  // Unsaved.\n'));
    await vscode.workspace.fs.delete(editor.document.uri);
    const form = await HostedForm.open<ViewpointEdit, ViewpointQuestion>(studio, viewType, editor);
    await form.waitForMessage('file', ({ isDeleted }) => isDeleted);
    await form.edit({ kind: 'text', key: 'name', value: 'Sales again' });
    await studio.runCommand('File: Save');
    await waitFor(
      () => !form.document.isDirty,
      () => 'The file is not saved',
    );
    const bytes = await vscode.workspace.fs.readFile(form.document.uri);
    assert.match(new TextDecoder().decode(bytes), /"name": "Sales again"/);
    await form.waitForMessage('file', ({ isDeleted }) => !isDeleted);
  });

  test('a form says that another program has deleted its file, until the file exists again', async ({
    studio,
  }) => {
    await using files = await createFileProject();
    const editor = await files.show(paths.rules);
    const form = await HostedForm.open(studio, 'datamodelStudio.ruleSetForm', editor);
    const { fsPath } = editor.document.uri;
    await rm(fsPath);
    await form.waitForMessage('file', ({ isDeleted }) => isDeleted);
    // Saving creates the file again, although the document has no changes.
    await studio.runCommand('File: Save');
    await form.waitForMessage('file', ({ isDeleted }) => !isDeleted);
    assert.equal(await readFile(fsPath, 'utf8'), form.document.getText());
    await rm(fsPath);
    await form.waitForMessage('file', ({ isDeleted }) => isDeleted);
    await writeFile(fsPath, '[]');
    await form.waitForMessage('file', ({ isDeleted }) => !isDeleted);
  });

  test('a form opens in place of the text, even if another editor of the file is open in another group', async ({
    studio,
    files,
  }) => {
    const { document } = await files.open('Twice.viewpoint.json', viewpointFileText);
    await vscode.commands.executeCommand(
      'vscode.openWith',
      document.uri,
      otherViewType,
      vscode.ViewColumn.Two,
    );
    await waitForTabs(vscode.ViewColumn.Two, [otherViewType]);
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await studio.runCommand('Datamodel Studio: Open Form');
    await waitForTabs(vscode.ViewColumn.One, [viewType]);
    await waitForTabs(vscode.ViewColumn.Two, [otherViewType]);
  });
});
