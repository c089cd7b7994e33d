import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { isDirty, isPutBy, replaceText, save } from '../support/savedState.ts';
import {
  describe,
  name,
  openViewpoint,
  settings,
  viewpointOf,
  withDescription,
} from '../support/viewpointDocument.ts';

journey('unsaved changes outlive a restart, and so does what they were made from', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env, settings });
  await describe(sandbox, 'First');
  await openViewpoint(studio);
  await replaceText(studio, await withDescription(sandbox, 'Over night'));
  await isDirty(studio, true);
  await describe(sandbox, 'Other');
  await isPutBy(studio, 'Over night');
  await studio.reload();
  await studio.openedEditor(`${name}.viewpoint.json`);
  await isDirty(studio, true);
  await studio.editorShows(/Over.night/);
  await save(studio);
  await studio.notificationAction(/changed on the server since you opened it/, 'Overwrite');
  await isDirty(studio, false);
  assert.equal((await viewpointOf(sandbox)).description, 'Over night');
});
