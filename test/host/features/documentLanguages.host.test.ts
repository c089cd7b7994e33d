import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { languages, schemes } from '../../../src/contributions.ts';
import { getDocumentPath } from '../../../src/documents/documentAddress.ts';
import { documentSettings, openNewViewpoint } from '../support/documents.ts';
import { TestFiles } from '../support/files.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const customTable = [...retail, 'Custom Tables', 'Customer Value'] as const;

/** The messages of a document's problems. */
const getMessages = ({ uri }: vscode.TextDocument): readonly string[] =>
  vscode.languages.getDiagnostics(uri).map(({ message }) => message);

describeStudio(
  'the languages of documents',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const files = await TestFiles.create(disposables);
    return { sandbox, files, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    test('documents of a server have languages of their own, unlike files and read-only collections', async ({
      studio,
      sandbox,
      files,
    }) => {
      const viewpoint = await openNewViewpoint(studio, sandbox, 'In its language');
      assert.equal(viewpoint.languageId, languages.documentJson);
      await studio.chooseFromContextMenu(customTable, 'Open as JSON');
      assert.equal(
        (await studio.waitForEditorText(/"expression"/)).document.languageId,
        languages.documentJson,
      );
      await studio.chooseFromContextMenu(customTable, 'Open SQL');
      const sql = (await studio.waitForEditorText(/^SELECT/)).document;
      assert.equal(sql.languageId, languages.documentSql);
      for (const { uri, languageId } of [viewpoint, sql]) {
        // Tabs of earlier versions have the identity in the path.
        const legacyUri = vscode.Uri.from({ scheme: schemes.document, path: getDocumentPath(uri) });
        assert.equal((await vscode.workspace.openTextDocument(legacyUri)).languageId, languageId);
      }
      await studio.chooseFromContextMenu([...retail, 'Data Security'], 'Open as JSON');
      assert.equal((await studio.waitForEditorText(/"shares"/)).document.languageId, 'jsonc');
      for (const [name, languageId] of [
        ['a.viewpoint.json', 'jsonc'],
        ['a.datamodel.sql', languages.sql],
        ['a.table.json', 'json'],
      ] as const) {
        assert.equal((await files.open(name, '')).document.languageId, languageId);
      }
    });

    test('auto save is off for documents of a server, and unchanged for all other languages', () => {
      const inspect = (languageId: string) =>
        vscode.workspace.getConfiguration('files', { languageId }).inspect('autoSave')?.defaultLanguageValue;
      for (const languageId of [languages.documentJson, languages.documentSql]) {
        assert.equal(inspect(languageId), 'off');
      }
      for (const languageId of ['json', 'jsonc', 'sql', 'plaintext', languages.sql]) {
        assert.equal(inspect(languageId), undefined);
      }
      return Promise.resolve();
    });

    test("documents get the editor's JSON support: schemas, completion, formatting, comments, brackets", async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'With help');
      const text = document.getText();
      await studio.replaceText(
        text.replace('{', '{\n// why\n"description": 5,').replace(/\n\s*"description": "First",/, ''),
      );
      const messages = await waitFor(
        () => {
          const found = getMessages(document);
          return found.some((message) => message === '"description" must be a string.') ? found : undefined;
        },
        () => `No schema: ${getMessages(document).join(' | ')}`,
      );
      assert.deepEqual(
        messages.filter((message) => /comment/i.test(message)),
        [],
      );

      const edits = await vscode.commands.executeCommand<vscode.TextEdit[] | undefined>(
        'vscode.executeFormatDocumentProvider',
        document.uri,
        { tabSize: 2, insertSpaces: true },
      );
      assert.ok(edits !== undefined && edits.length > 0, 'It is not formatted');

      const editor = await studio.waitForEditorText(/"description": 5/);
      editor.selection = new vscode.Selection(2, 0, 2, 0);
      await vscode.commands.executeCommand('editor.action.commentLine');
      assert.match(document.lineAt(2).text, /^\s*\/\/ ?"description"/);
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await vscode.commands.executeCommand('editor.action.jumpToBracket');
      assert.equal(document.lineAt(editor.selection.active).text, '}');

      // Words of the document are not suggested, so only members that it lacks are.
      await studio.replaceText(document.getText().replace(/\n\s*"visibility": \{[^}]*\},?/, '\n'));
      const position = document.positionAt(document.getText().indexOf('\n\n') + 1);
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        position,
      );
      const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
      assert.ok(
        labels.includes('visibility') || labels.includes('"visibility"'),
        `${labels.join()} in ${document.getText()}`,
      );
    });

    test('comments are rejected in the JSON of a table, and errors in its SQL are reported', async ({
      studio,
    }) => {
      await studio.chooseFromContextMenu(customTable, 'Open as JSON');
      const { document } = await studio.waitForEditorText(/"expression"/);
      await studio.replaceText(
        document.getText().replace('{', '{ // why\n').replace('[Customers] c', '[Costumers] c'),
      );
      await waitFor(
        () =>
          getMessages(document).some((message) => /Comments are not permitted/.test(message)) &&
          getMessages(document).some((message) => /Costumers/.test(message)),
        () => `Other problems: ${getMessages(document).join(' | ')}`,
      );
    });
  },
);
