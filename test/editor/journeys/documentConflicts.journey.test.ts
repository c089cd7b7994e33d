import assert from 'node:assert/strict';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import { waitForDirtyState, replaceEditorText, pressSave } from '../support/editorState.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import {
  setViewpointDescription,
  openViewpointAsText,
  textEditorSettings,
  fetchViewpoint,
  getDescribedText,
} from '../support/viewpointDocument.ts';

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
