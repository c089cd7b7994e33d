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
});
