import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fetchViewpoint, getDescribedText } from '../../editor/support/viewpointDocument.ts';
import {
  changeViewpoint,
  documentSettings,
  openNewViewpoint,
  readLeftSide,
  save,
  saveInVain,
  waitForSaved,
} from '../support/documents.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const isNotified = /was changed on the server since you opened it/;
const isCompared = /on the server ↔ yours/;

describeStudio(
  'document conflicts',
  async (owned) => {
    const sandbox = owned.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    test('the editor itself asks about a newer version of another length, and nothing is sent', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Longer');
      await studio.replaceText(await getDescribedText(sandbox, 'Mine', 'Longer'));
      await changeViewpoint(sandbox, 'Longer', { description: 'Somebody else was here' });
      await saveInVain(document);
      assert.equal(studio.fileSystems.writes, 0, 'The editor does not even write');
      assert.deepEqual(studio.messages.history, []);
      assert.equal((await fetchViewpoint(sandbox, 'Longer')).description, 'Somebody else was here');
    });

    test('a conflict that the editor does not see is reported, and only overwritten on request', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Same length');
      await studio.replaceText(await getDescribedText(sandbox, 'Mine', 'Same length'));
      // Same length as when opened: the editor's own question doesn't appear.
      await changeViewpoint(sandbox, 'Same length', { description: 'Other' });
      await saveInVain(document);
      await studio.saveError('It has changed on the server. Nothing was sent.');
      const { severity, actions } = await studio.notification(isNotified);
      assert.equal(severity, 'warning');
      assert.deepEqual(actions, ['Compare', 'Merge', 'Overwrite']);
      assert.equal((await fetchViewpoint(sandbox, 'Same length')).description, 'Other');

      await studio.notificationAction(isNotified, 'Compare');
      assert.match(await readLeftSide(studio, isCompared), /"description": "Other"/);
      await studio.runCommand('View: Close Editor');
      // Reported again, since the first message was answered without a decision.
      await vscode.window.showTextDocument(document);
      await saveInVain(document);
      await studio.notificationAction(isNotified, 'Overwrite');
      await waitForSaved(document);
      assert.equal((await fetchViewpoint(sandbox, 'Same length')).description, 'Mine');
    });

    test('a conflict is reported each time, and its message closed without an answer changes nothing', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Reported twice');
      await studio.replaceText(await getDescribedText(sandbox, 'Mine', 'Reported twice'));
      await changeViewpoint(sandbox, 'Reported twice', { description: 'Other' });
      await saveInVain(document);
      const first = await studio.notification(isNotified);
      await saveInVain(document);
      await waitFor(
        () => studio.messages.history.length === 2,
        () => 'The conflict is reported once',
      );
      first.answer(undefined);
      (await studio.notification(isNotified)).answer(undefined);
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
      await saveInVain(document);
      await studio.notificationAction(isNotified, 'Merge');
      await studio.notification('Merged now has the changes of both. Look at it and save it.');
      assert.match(document.getText(), /"Other"/);
      assert.match(document.getText(), /"Area!!"/);
      assert.deepEqual((await fetchViewpoint(sandbox, 'Merged')).details, before.details);
      await save(document);
      const after = await fetchViewpoint(sandbox, 'Merged');
      assert.equal(after.description, 'Other');
      assert.equal(after.details?.columns?.[0]?.title, 'Area!!');
    });

    test('changes of the same value cannot be merged: both are shown, and one overwrites', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Both changed it');
      await studio.replaceText(await getDescribedText(sandbox, 'Mine', 'Both changed it'));
      await changeViewpoint(sandbox, 'Both changed it', { description: 'Theirs, and longer' });
      const bothChanged = /Both sides changed description\. Take over on the right what you want of the left/;

      await studio.runCommand('Datamodel Studio: Merge with Server');
      (await studio.notification(bothChanged)).answer(undefined);
      assert.match(await readLeftSide(studio, isCompared), /"Theirs, and longer"/);
      assert.equal(document.isDirty, true);
      await studio.runCommand('View: Close Editor');
      await vscode.window.showTextDocument(document);

      await studio.runCommand('Datamodel Studio: Merge with Server');
      await studio.notificationAction(bothChanged, 'Overwrite');
      await waitForSaved(document);
      assert.equal((await fetchViewpoint(sandbox, 'Both changed it')).description, 'Mine');
    });

    test('a text that is not JSON is not merged, and a file without a document neither', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Unreadable');
      await studio.replaceText('{ "name": ');
      await studio.runCommand('Datamodel Studio: Merge with Server');
      const { severity } = await studio.notification('This is not valid JSON, so nothing was sent.');
      assert.equal(severity, 'error');
      assert.equal(document.getText(), '{ "name": ');

      const other = await vscode.workspace.openTextDocument({ content: 'x' });
      await vscode.window.showTextDocument(other);
      await studio.runCommand('Datamodel Studio: Merge with Server');
      await studio.notification(
        'Open a resource from the Datamodel Studio explorer, or a file that is a copy of one, first.',
      );
    });

    test('a conflict is still found after a restart of the window, with the unsaved text', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Restarted');
      await studio.replaceText(await getDescribedText(sandbox, 'Mine', 'Restarted'));
      await changeViewpoint(sandbox, 'Restarted', { description: 'Other' });
      await studio.reloadWindow();
      assert.match(document.getText(), /"Mine"/);
      await saveInVain(document);
      await studio.notificationAction(isNotified, 'Overwrite');
      await waitForSaved(document);
      assert.equal((await fetchViewpoint(sandbox, 'Restarted')).description, 'Mine');
    });

    test('without a conflict, the text that outlived a restart is saved at once', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Undisturbed');
      await studio.replaceText(await getDescribedText(sandbox, 'Mine', 'Undisturbed'));
      await studio.reloadWindow();
      await save(document);
      assert.equal((await fetchViewpoint(sandbox, 'Undisturbed')).description, 'Mine');
      assert.deepEqual(studio.messages.history, []);
    });

    test('the server version is compared from the palette; undone changes leave nothing to save', async ({
      studio,
      sandbox,
    }) => {
      const document = await openNewViewpoint(studio, sandbox, 'Compared');
      await studio.replaceText(await getDescribedText(sandbox, 'Mine', 'Compared'));
      await studio.runCommand('Datamodel Studio: Compare with Server');
      assert.match(await readLeftSide(studio, isCompared), /"First"/);
      await studio.runCommand('View: Close Editor');
      await vscode.window.showTextDocument(document);
      await studio.runCommand('Undo');
      assert.equal(document.isDirty, false);
      await changeViewpoint(sandbox, 'Compared', { description: 'Other' });
      await studio.contextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
      await studio.editorShows(/"Other"/);
      assert.equal((await fetchViewpoint(sandbox, 'Compared')).description, 'Other');
    });
  },
);
