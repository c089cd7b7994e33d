import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { waitForDirtyState, replaceEditorText, pressSave } from '../support/editorState.ts';
import {
  openViewpointAsText,
  textEditorSettings,
  fetchViewpoint,
  getDescribedText,
} from '../support/viewpointDocument.ts';

journey('auto save never writes', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  const studio = await openStudio({
    env: sandbox.env,
    settings: { ...textEditorSettings, 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 },
  });
  await openViewpointAsText(studio);
  const before = (await fetchViewpoint(sandbox)).description;
  await replaceEditorText(studio, await getDescribedText(sandbox, 'By itself'));
  await studio.notification(/Only a save by hand/);
  await waitForDirtyState(studio, true);
  assert.equal((await fetchViewpoint(sandbox)).description, before);
  await pressSave(studio);
  await waitForDirtyState(studio, false);
  assert.equal((await fetchViewpoint(sandbox)).description, 'By itself');

  // The editor does not announce this save, just as it does not announce its own saves when a window closes.
  await replaceEditorText(studio, await getDescribedText(sandbox, 'Not announced'));
  // A save requested while auto save is running would be treated as part of it.
  await studio.notification(/Only a save by hand/);
  await studio.runCommand('File: Save without Formatting');
  await studio.notification(/did not say who wants this save/);
  assert.equal((await fetchViewpoint(sandbox)).description, 'By itself');
  await studio.notificationAction(/did not say who wants this save/, 'Save to Server');
  await waitForDirtyState(studio, false);
  assert.equal((await fetchViewpoint(sandbox)).description, 'Not announced');
});
