import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Viewpoint } from '../../../src/contract/viewpoint.ts';
import { fetchViewpoint, getTextWithDescription } from '../../editor/support/viewpointDocument.ts';
import {
  changeViewpoint,
  documentSettings,
  openNewViewpoint,
  readLeftSide,
  save,
  expectSaveRefused,
  waitForSaved,
} from '../support/documents.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const conflictMessage = /was changed on the server \(.*\)\. Your changes weren't saved\./;
const comparisonTitle = /Server ↔ Yours/;

describeStudio(
  'document conflicts',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    test('the message of a conflict says who changed the document and when, and overwriting keeps what only the other user changed', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Longer');
      const before = await fetchViewpoint(sandbox, 'Longer');
      const withTitle = ({ details }: Viewpoint, title: string): Viewpoint['details'] => ({
        ...details,
        columns: (details?.columns ?? []).map((column, index) =>
          index === 0 ? { ...column, title } : column,
        ),
      });
      await studio.replaceText(JSON.stringify({ ...before, details: withTitle(before, 'Mine') }));
      await changeViewpoint(sandbox, 'Longer', {
        description: 'Somebody else was here',
        details: withTitle(before, 'Theirs, and longer'),
      });
      await expectSaveRefused(document);
      const { text } = await studio.waitForNotification(conflictMessage);
      assert.match(text, /^Longer was changed on the server \(by .+, .+\d:\d\d.*\)\./);
      assert.deepEqual(studio.fileWrites.errors, [], 'The editor shows no error');
      assert.equal((await fetchViewpoint(sandbox, 'Longer')).description, 'Somebody else was here');

      await studio.clickNotificationAction(conflictMessage, 'Overwrite');
      await waitForSaved(document);
      const after = await fetchViewpoint(sandbox, 'Longer');
      assert.equal(after.description, 'Somebody else was here');
      assert.equal(after.details?.columns?.[0]?.title, 'Mine');
      assert.match(document.getText(), /"Somebody else was here"/);
    });

    test('a conflict that VS Code does not detect is reported, and the version on the server is overwritten only on request', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Same length');
      await studio.replaceText(await getTextWithDescription(sandbox, 'Mine', 'Same length'));
      // Same length as when opened: the editor's own question doesn't appear.
      await changeViewpoint(sandbox, 'Same length', { description: 'Other' });
      await expectSaveRefused(document);
      const { severity, actions } = await studio.waitForNotification(conflictMessage);
      assert.equal(severity, 'warning');
      assert.deepEqual(actions, ['Merge', 'Compare', 'Overwrite']);
      assert.equal((await fetchViewpoint(sandbox, 'Same length')).description, 'Other');

      await studio.clickNotificationAction(conflictMessage, 'Compare');
      assert.match(await readLeftSide(studio, comparisonTitle), /"description": "Other"/);
      await studio.runCommand('View: Close Editor');
      // Reported again, since the first message was answered without a decision.
      await vscode.window.showTextDocument(document);
      await expectSaveRefused(document);
      await studio.clickNotificationAction(conflictMessage, 'Overwrite');
      await waitForSaved(document);
      assert.equal((await fetchViewpoint(sandbox, 'Same length')).description, 'Mine');
    });

    test('a conflict is reported at each save, and closing its message changes nothing', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Reported twice');
      await studio.replaceText(await getTextWithDescription(sandbox, 'Mine', 'Reported twice'));
      await changeViewpoint(sandbox, 'Reported twice', { description: 'Other' });
      await expectSaveRefused(document);
      const first = await studio.waitForNotification(conflictMessage);
      await expectSaveRefused(document);
      await waitFor(
        () => studio.messages.history.length === 2,
        () => 'The conflict is reported once',
      );
      first.answer(undefined);
      (await studio.waitForNotification(conflictMessage)).answer(undefined);
      assert.equal(document.isDirty, true);
      assert.equal((await fetchViewpoint(sandbox, 'Reported twice')).description, 'Other');
    });

    test('changes from both sides are merged', async ({ studio, sandbox }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Merged');
      const before = await fetchViewpoint(sandbox, 'Merged');
      const details = before.details ?? {};
      const columns = (details.columns ?? []).map((column, index) =>
        index === 0 ? { ...column, title: 'Area!!' } : column,
      );
      await studio.replaceText(JSON.stringify({ ...before, details: { ...details, columns } }));
      await changeViewpoint(sandbox, 'Merged', { description: 'Other' });
      await expectSaveRefused(document);
      await studio.clickNotificationAction(conflictMessage, 'Merge');
      await studio.waitForNotification('Merged Merged. Review and save.');
      assert.match(document.getText(), /"Other"/);
      assert.match(document.getText(), /"Area!!"/);
      assert.deepEqual((await fetchViewpoint(sandbox, 'Merged')).details, before.details);
      await save(document);
      const after = await fetchViewpoint(sandbox, 'Merged');
      assert.equal(after.description, 'Other');
      assert.equal(after.details?.columns?.[0]?.title, 'Area!!');
    });

    test('if both sides changed the same value, the merge editor opens, in which all other changes are merged', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Both changed it');
      const { details } = await fetchViewpoint(sandbox, 'Both changed it');
      const serverColumns = (details?.columns ?? []).map((column, index) =>
        index === 0 ? { ...column, title: 'Area!!' } : column,
      );
      const localColumns = (details?.columns ?? []).map((column, index) =>
        index === 1 ? { ...column, title: 'Mine too' } : column,
      );
      const text = JSON.parse(await getTextWithDescription(sandbox, 'Mine', 'Both changed it')) as Viewpoint;
      await studio.replaceText(
        JSON.stringify({ ...text, details: { ...details, columns: localColumns } }, null, 2),
      );
      await changeViewpoint(sandbox, 'Both changed it', {
        description: 'Theirs, and longer',
        details: { ...details, columns: serverColumns },
      });
      await expectSaveRefused(document);
      const saved: string[] = [];
      const listener = vscode.workspace.onDidSaveTextDocument(({ uri }) => saved.push(uri.toString()));
      await studio.clickNotificationAction(conflictMessage, 'Merge');
      await studio.waitForEditor(/^Merging: /);
      // The merge editor saves its result when it opens, which sends nothing.
      await waitFor(
        () => saved.length > 0 && document.isDirty && document.getText().includes('Area!!'),
        () => 'Nothing is merged',
      );
      listener.dispose();
      assert.equal((await fetchViewpoint(sandbox, 'Both changed it')).description, 'Theirs, and longer');
      assert.deepEqual(studio.fileWrites.errors, []);

      // With unresolved conflicts, the result is not saved.
      await expectSaveRefused(document);
      (await studio.waitForNotification(conflictMessage)).answer(undefined);
      assert.equal((await fetchViewpoint(sandbox, 'Both changed it')).description, 'Theirs, and longer');

      await vscode.commands.executeCommand('merge.acceptAllInput2');
      await waitFor(
        () => document.getText().includes('"Mine"'),
        () => 'The local side is not accepted',
      );
      await vscode.commands.executeCommand('mergeEditor.acceptMerge');
      await waitForSaved(document);
      const after = await fetchViewpoint(sandbox, 'Both changed it');
      assert.equal(after.description, 'Mine');
      assert.equal(after.details?.columns?.[0]?.title, 'Area!!');
      assert.equal(after.details?.columns?.[1]?.title, 'Mine too');
    });

    test('neither a text that is not JSON nor a file that belongs to no document is merged', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Unreadable');
      await studio.replaceText('{ "name": ');
      await studio.runCommand('Datamodel Studio: Merge with Server');
      const { severity } = await studio.waitForNotification('Invalid JSON. Nothing was sent.');
      assert.equal(severity, 'error');
      assert.equal(document.getText(), '{ "name": ');

      const other = await vscode.workspace.openTextDocument({ content: 'x' });
      await vscode.window.showTextDocument(other);
      await studio.runCommand('Datamodel Studio: Merge with Server');
      await studio.waitForNotification(
        'First open a resource from the Connections view, or a file that is a copy of one.',
      );
    });

    test('a conflict is still found after a restart of the window, with the unsaved text', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Restarted');
      await studio.replaceText(await getTextWithDescription(sandbox, 'Mine', 'Restarted'));
      await changeViewpoint(sandbox, 'Restarted', { description: 'Other' });
      await studio.reloadWindow();
      assert.match(document.getText(), /"Mine"/);
      await expectSaveRefused(document);
      await studio.clickNotificationAction(conflictMessage, 'Overwrite');
      await waitForSaved(document);
      assert.equal((await fetchViewpoint(sandbox, 'Restarted')).description, 'Mine');
    });

    test('without a conflict, the unsaved text that was restored after a restart is saved at once', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Undisturbed');
      await studio.replaceText(await getTextWithDescription(sandbox, 'Mine', 'Undisturbed'));
      await studio.reloadWindow();
      await save(document);
      assert.equal((await fetchViewpoint(sandbox, 'Undisturbed')).description, 'Mine');
      assert.deepEqual(studio.messages.history, []);
    });

    test('a document is compared with the server by a command of the palette, and has no unsaved changes after they are undone', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Compared');
      await studio.replaceText(await getTextWithDescription(sandbox, 'Mine', 'Compared'));
      await studio.runCommand('Datamodel Studio: Compare with Server');
      assert.match(await readLeftSide(studio, comparisonTitle), /"First"/);
      await studio.runCommand('View: Close Editor');
      await vscode.window.showTextDocument(document);
      await studio.runCommand('Undo');
      assert.equal(document.isDirty, false);
      await changeViewpoint(sandbox, 'Compared', { description: 'Other' });
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
      await studio.waitForEditorText(/"Other"/);
      assert.equal((await fetchViewpoint(sandbox, 'Compared')).description, 'Other');
    });
  },
);
