import assert from 'node:assert/strict';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import { waitForUnsavedState, replaceEditorText, pressSave } from '../support/activeEditor.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import {
  setViewpointDescription,
  openViewpointAsText,
  textEditorSettings,
  fetchViewpoint,
  getTextWithDescription,
} from '../support/viewpointDocument.ts';

const journey = createSharedStudio(async (disposables) => {
  const sandbox = disposables.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
});

/**
 * Opens a viewpoint with the description `First`, which another user can then change. Each journey uses a different
 * viewpoint, because a document that is opened shortly after a save is shown as it was saved, without a request.
 */
async function openUnchangedViewpoint(
  studio: Studio,
  sandbox: JourneySandbox,
  viewpointName: string,
): Promise<void> {
  await setViewpointDescription(sandbox, 'First', viewpointName);
  await openViewpointAsText(studio, viewpointName);
  await studio.waitForEditorText(/"description":.?"First"/);
}

/** The message about a conflict. */
const conflictMessage = /was changed on the server \(.*\)\. Your changes weren't saved\./;

journey(
  'saving a document that another user has changed shows a message, from which versions are compared or overwritten',
  async ({ studio, sandbox }) => {
    const viewpointName = 'Revenue by Region';
    await openUnchangedViewpoint(studio, sandbox, viewpointName);

    await replaceEditorText(studio, await getTextWithDescription(sandbox, 'Mine', viewpointName));
    await waitForUnsavedState(studio, true);
    await setViewpointDescription(sandbox, 'Somebody else was here', viewpointName);
    await pressSave(studio);
    await studio.waitForNotification(conflictMessage);
    assert.equal((await fetchViewpoint(sandbox, viewpointName)).description, 'Somebody else was here');
    await studio.clickNotificationAction(conflictMessage, 'Compare');
    await studio.waitForEditorText(/Somebody.else.was.here/);
    await studio.screenshot('conflict-editor-compare');
    await studio.page.keyboard.press('Control+w');
    await studio.waitForEditor(`${viewpointName}.viewpoint.json`);
    await pressSave(studio);
    await studio.clickNotificationAction(conflictMessage, 'Overwrite');
    await waitForUnsavedState(studio, false);
    assert.equal((await fetchViewpoint(sandbox, viewpointName)).description, 'Mine');
  },
);
