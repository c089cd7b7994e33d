import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fetchViewpoint, getTextWithDescription } from '../../editor/support/viewpointDocument.ts';
import { documentSettings, openNewViewpoint, readLeftSide, save } from '../support/documents.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const comparisonTitle = /Server ↔ Yours/;
const noDocument = 'First open a resource from the Connections view, or a file that is a copy of one.';

const getCopyUri = (studio: HostStudio, name: string): vscode.Uri =>
  vscode.Uri.joinPath(studio.storageFolder, 'copies', name);

/** Writes a file and shows it. */
async function openFile(uri: vscode.Uri, text: string): Promise<vscode.TextDocument> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

describeStudio(
  'copies of documents',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    test('a copy of a document is saved to a file, and its text is applied to the document', async ({
      studio,
      sandbox,
    }) => {
      await openNewViewpoint(studio, sandbox, 'Copied');
      const file = getCopyUri(studio, 'mine.viewpoint.json');
      studio.answerSaveDialog(file);
      await studio.runCommand('Datamodel Studio: Save Copy to Workspace…');
      await studio.waitForEditor('mine.viewpoint.json');
      const copy = await studio.replaceText(await getTextWithDescription(sandbox, 'From a file', 'Copied'));
      await save(copy);
      assert.equal((await fetchViewpoint(sandbox, 'Copied')).description, 'First');

      await studio.runCommand('Datamodel Studio: Compare with Server');
      assert.match(await readLeftSide(studio, comparisonTitle), /"First"/);
      await studio.runCommand('View: Close Editor');
      await vscode.window.showTextDocument(copy);

      await studio.runCommand('Datamodel Studio: Send to Server…');
      await studio.waitForNotification('Nothing has been sent yet. Save Copied to send your changes.');
      assert.match(await readLeftSide(studio, comparisonTitle), /"First"/);
      const { document } = await studio.waitForEditorText(/"From a file"/);
      assert.equal(document.uri.scheme, 'datamodel');
      assert.equal(document.isDirty, true);
      assert.equal((await fetchViewpoint(sandbox, 'Copied')).description, 'First');

      // Only the open document has this version: the server still has the first one.
      await vscode.window.showTextDocument(copy);
      studio.messages.reset();
      await studio.runCommand('Datamodel Studio: Send to Server…');
      await studio.waitForNotification('Nothing has been sent yet. Save Copied to send your changes.');
      await save(document);
      assert.equal((await fetchViewpoint(sandbox, 'Copied')).description, 'From a file');

      await vscode.window.showTextDocument(copy);
      await studio.runCommand('Datamodel Studio: Send to Server…');
      await studio.waitForNotification('The server already has this version.');
    });

    test('no copy is made if no file, or a document of the server, is selected for it', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Not copied');
      const documentUri = document.uri;
      // A copy cannot be saved over a document of the server.
      for (const answer of [undefined, documentUri]) {
        studio.answerSaveDialog(answer);
        await studio.runCommand('Datamodel Studio: Save Copy to Workspace…');
      }
      await studio.runCommand('Datamodel Studio: Compare with Server');
      await studio.waitForEditor(comparisonTitle);
      assert.deepEqual(studio.messages.history, []);
      assert.equal((await fetchViewpoint(sandbox, 'Not copied')).description, 'First');
    });

    test('for a file of unknown origin, the user selects the open resource only once', async ({
      studio,
      sandbox,
    }) => {
      const viewpoint = await openNewViewpoint(studio, sandbox, 'Linked');
      await vscode.window.showTextDocument(viewpoint, { preview: false });
      const text = await getTextWithDescription(sandbox, 'By link', 'Linked');
      await openFile(getCopyUri(studio, 'stray.viewpoint.json'), text);
      await studio.runCommand('Datamodel Studio: Compare with Server');
      await studio.quickInput.waitForTitle('Select Resource for stray');
      assert.equal((await studio.quickInput.waitForRow('Linked')).description, 'Sandbox');
      await studio.quickInput.cancel();
      await studio.waitForEditor('stray.viewpoint.json');

      await studio.runCommand('Datamodel Studio: Compare with Server');
      await studio.selectQuickPick('Linked');
      assert.match(await readLeftSide(studio, comparisonTitle), /"First"/);
      await studio.runCommand('View: Close Editor');
      await studio.waitForEditor('stray.viewpoint.json');
      await studio.runCommand('Datamodel Studio: Compare with Server');
      await studio.waitForEditor(comparisonTitle);
      assert.equal(studio.quickInput.current, undefined);
    });

    test('a file that belongs to no document, or does not have the expected structure, is not sent', async ({
      studio,
      sandbox,
    }) => {
      await openFile(getCopyUri(studio, 'lonely.rule.json'), '{}');
      await studio.runCommand('Datamodel Studio: Send to Server…');
      await studio.waitForNotification(
        'Open the resource for lonely from the Connections view and try again.',
      );

      const document = await openNewViewpoint(studio, sandbox, 'Kept as it is');
      await vscode.window.showTextDocument(document, { preview: false });
      const cases = [
        ['{ "name": ', 'Invalid JSON. Nothing was sent.'],
        ['[]', "The document doesn't have the expected structure. Nothing was sent."],
      ] as const;
      for (const [index, [text, message]] of cases.entries()) {
        await openFile(getCopyUri(studio, `bad${index}.viewpoint.json`), text);
        await studio.runCommand('Datamodel Studio: Send to Server…');
        await studio.selectQuickPick('Kept as it is');
        assert.equal((await studio.waitForNotification(message)).severity, 'error');
      }
      assert.equal(document.isDirty, false);
    });

    test('if no document is open, each command says what to open first', async ({ studio }) => {
      for (const command of [
        'Merge with Server',
        'Compare with Server',
        'Save Copy to Workspace…',
        'Send to Server…',
      ]) {
        await studio.runCommand('View: Close All Editors');
        await waitFor(
          () => vscode.window.activeTextEditor === undefined,
          () => 'An editor stays',
        );
        await studio.runCommand(`Datamodel Studio: ${command}`);
        (await studio.waitForNotification(noDocument)).answer(undefined);
      }
      assert.equal(studio.messages.history.length, 4);
    });
  },
);
