import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { isDirty, replaceText, save } from '../support/savedState.ts';
import { openViewpoint, settings, viewpointOf, withDescription } from '../support/viewpointDocument.ts';

journey('auto save never writes', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({
    env: sandbox.env,
    settings: { ...settings, 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 },
  });
  await openViewpoint(studio);
  const before = (await viewpointOf(sandbox)).description;
  await replaceText(studio, await withDescription(sandbox, 'By itself'));
  await studio.notification(/Only a save by hand/);
  await isDirty(studio, true);
  assert.equal((await viewpointOf(sandbox)).description, before);
  await save(studio);
  await isDirty(studio, false);
  assert.equal((await viewpointOf(sandbox)).description, 'By itself');

  // This one the editor does not announce, as it does not announce what it saves by itself when a window closes.
  await replaceText(studio, await withDescription(sandbox, 'Not announced'));
  // A save that is asked for while auto save is at it would be that one.
  await studio.notification(/Only a save by hand/);
  await studio.runCommand('File: Save without Formatting');
  await studio.notification(/did not say who wants this save/);
  assert.equal((await viewpointOf(sandbox)).description, 'By itself');
  await studio.notificationAction(/did not say who wants this save/, 'Save to Server');
  await isDirty(studio, false);
  assert.equal((await viewpointOf(sandbox)).description, 'Not announced');
});
