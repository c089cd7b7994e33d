import assert from 'node:assert/strict';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';
import { name, viewpointOf } from '../support/viewpointDocument.ts';

/** Types a name into a list of names, and takes what is offered first for it. */
async function pickName(studio: Studio, title: string, typed: string): Promise<void> {
  const list = studio.page.locator('.quick-input-widget:visible', { hasText: title });
  await list.locator('input').first().fill(typed);
  await list.locator('.monaco-list-row', { hasText: typed }).first().click();
  await list.waitFor({ state: 'hidden' });
}

journey('a viewpoint is published, shared and taken back from the explorer', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();
  const path = ['Sandbox', 'Viewpoints', name] as const;
  await studio.contextMenu(path, 'Publish');
  const row = await studio.treeItem(path);
  await row.filter({ hasNotText: 'unpublished' }).waitFor();
  assert.equal((await viewpointOf(sandbox)).enabled, true);

  await studio.contextMenu(path, 'Share…');
  await studio.quickPick(/Group…/);
  await pickName(studio, 'Share with App', 'slack');
  await pickName(studio, 'Share with Group', 'Sales');
  await row.filter({ hasText: 'shared' }).waitFor();
  await studio.screenshot('viewpoint-shared');
  const { apps, groups } = (await viewpointOf(sandbox)).visibility ?? {};
  assert.deepEqual([apps, groups], [['slack'], ['Sales']]);

  await studio.contextMenu(path, 'Unpublish');
  await row.filter({ hasText: 'shared, unpublished' }).waitFor();
  assert.equal((await viewpointOf(sandbox)).enabled, false);
  await studio.screenshot('viewpoint-shared-unpublished');
});
