import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import { isDirty, replaceText, save } from '../support/savedState.ts';
import {
  describe,
  openViewpoint,
  settings,
  viewpointOf,
  withDescription,
} from '../support/viewpointDocument.ts';

journey('of the same length, which the editor does not see: we ask, once', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env, settings });
  await describe(sandbox, 'First');
  await openViewpoint(studio);
  await replaceText(studio, await withDescription(sandbox, 'Mine'));
  await describe(sandbox, 'Other');
  await save(studio);
  await studio.notification(/changed on the server since you opened it/);
  assert.equal((await viewpointOf(sandbox)).description, 'Other');
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    // Told again: what was told before is out of sight by now.
    await save(studio);
    await studio.notification(/changed on the server since you opened it/);
    await studio.screenshot(`conflict-${theme}`);
  }
  await studio.notificationAction(/changed on the server since you opened it/, 'Overwrite');
  await isDirty(studio, false);
  assert.equal((await viewpointOf(sandbox)).description, 'Mine');
});
