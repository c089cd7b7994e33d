import assert from 'node:assert/strict';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import { waitForDirtyState, waitForBackup, replaceEditorText, pressSave } from '../support/editorState.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import {
  setViewpointDescription,
  openViewpointAsText,
  textEditorSettings,
  fetchViewpoint,
  getDescribedText,
} from '../support/viewpointDocument.ts';

const isNotified = /changed on the server since you opened it/;

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
});

/**
 * Opens a viewpoint before anyone changes it. Each journey has its own: for a moment after a save, a document is opened
 * as saved, without a request.
 */
async function openFirst(studio: Studio, sandbox: JourneySandbox, called: string): Promise<void> {
  await setViewpointDescription(sandbox, 'First', called);
  await openViewpointAsText(studio, called);
  await studio.editorShows(/"description":.?"First"/);
}

journey(
  'a document changed by another user: the editor or the extension asks, and nothing is lost',
  async ({ studio, sandbox }) => {
    const called = 'Revenue by Region';
    await openFirst(studio, sandbox, called);

    await replaceEditorText(studio, await getDescribedText(sandbox, 'Mine', called));
    await waitForDirtyState(studio, true);
    await setViewpointDescription(sandbox, 'Somebody else was here', called);
    await pressSave(studio);
    await studio.notification(/content of the file is newer/);
    assert.equal((await fetchViewpoint(sandbox, called)).description, 'Somebody else was here');
    await studio.notificationAction(/content of the file is newer/, 'Compare');
    await studio.editorShows(/Somebody.else.was.here/);
    await studio.screenshot('conflict-editor-compare');
    await studio.page.keyboard.press('Control+w');
    await studio.openedEditor(`${called}.viewpoint.json`);
    await pressSave(studio);
    await studio.notificationAction(/content of the file is newer/, 'Overwrite');
    await waitForDirtyState(studio, false);
    assert.equal((await fetchViewpoint(sandbox, called)).description, 'Mine');
  },
);

journey('changes from both sides are merged', async ({ studio, sandbox }) => {
  const called = 'Revenue by Store';
  await openFirst(studio, sandbox, called);
  const before = await fetchViewpoint(sandbox, called);
  const details = before.details ?? {};
  const columns = (details.columns ?? []).map((column, index) =>
    index === 0 ? { ...column, title: 'Area!!' } : column,
  );
  await replaceEditorText(studio, JSON.stringify({ ...before, details: { ...details, columns } }));
  await setViewpointDescription(sandbox, 'Other', called);
  await pressSave(studio);
  await studio.notificationAction(isNotified, 'Merge');
  await studio.notification(/has the changes of both/);
  await studio.editorShows(/Other/);
  await pressSave(studio);
  await waitForDirtyState(studio, false);
  const after = await fetchViewpoint(sandbox, called);
  assert.equal(after.description, 'Other');
  assert.equal(after.details?.columns?.[0]?.title, 'Area!!');
});

journey(
  'a conflict that the editor does not see is reported, also after a restart; what cannot be saved stays and gives the reason',
  async ({ studio, sandbox }) => {
    const called = 'Revenue by Brand';
    await openFirst(studio, sandbox, called);
    await replaceEditorText(studio, await getDescribedText(sandbox, 'Mine', called));
    await waitForDirtyState(studio, true);
    // Same length as when opened: the editor's own question doesn't appear.
    await setViewpointDescription(sandbox, 'Other', called);
    await pressSave(studio);
    await studio.notification(isNotified);
    assert.equal((await fetchViewpoint(sandbox, called)).description, 'Other');
    for (const theme of ['light', 'dark', 'hc'] as const) {
      await studio.setTheme(theme);
      // Reported a second time: the first message is off the screen by now.
      await pressSave(studio);
      await studio.notification(isNotified);
      await studio.screenshot(`conflict-${theme}`);
    }

    await waitForBackup(studio, 'Mine');
    await studio.reload();
    await studio.openedEditor(`${called}.viewpoint.json`);
    await waitForDirtyState(studio, true);
    await studio.editorShows(/Mine/);
    await pressSave(studio);
    await studio.notificationAction(isNotified, 'Overwrite');
    await waitForDirtyState(studio, false);
    assert.equal((await fetchViewpoint(sandbox, called)).description, 'Mine');

    await replaceEditorText(studio, await getDescribedText(sandbox, 'Saved by hand', called));
    await waitForDirtyState(studio, true);
    await pressSave(studio);
    await waitForDirtyState(studio, false);
    assert.equal((await fetchViewpoint(sandbox, called)).description, 'Saved by hand');

    await replaceEditorText(studio, '{ "name": ');
    await pressSave(studio);
    await studio.notification(/not valid JSON/);
    await waitForDirtyState(studio, true);
    assert.equal((await fetchViewpoint(sandbox, called)).description, 'Saved by hand');
    await studio.screenshot('document-refused');

    // The comment stays, and isn't sent to the server.
    await replaceEditorText(
      studio,
      `/* mine */ ${await getDescribedText(sandbox, 'With a comment', called)}`,
    );
    await pressSave(studio);
    await studio.notification(/keeps no comments/);
    await waitForDirtyState(studio, false);
    await studio.editorShows(/mine/);
    assert.equal((await fetchViewpoint(sandbox, called)).description, 'With a comment');
  },
);
