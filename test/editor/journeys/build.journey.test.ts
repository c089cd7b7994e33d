import assert from 'node:assert/strict';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';

const journey = createSharedStudio(async (disposables) => {
  const sandbox = disposables.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env } };
});

journey('a running build is counted in the badge, and canceled from its row', async ({ studio, sandbox }) => {
  await sandbox.request('PUT', '/sandbox/faults', { faults: [{ kind: 'slowBuilds', ms: 600_000 }] });
  await studio.openView();
  await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build', 'More Options…');
  await studio.selectQuickPick('Replace All');
  await studio.findTreeItem(['Sandbox', 'Builds', 'Retail']);
  const badge = studio.page.locator('.part.activitybar .badge-content', { hasText: '1' });
  await badge.first().waitFor();
  await studio.waitForNotification('Building Retail');
  await studio.screenshot('explorer-build');
  await studio.tree.clickInlineAction(['Sandbox', 'Builds', 'Retail'], 'Cancel Build');
  await studio.page.locator('.part.sidebar .monaco-list-row', { hasText: 'canceled' }).waitFor();
  await badge.waitFor({ state: 'hidden' });
  await studio.waitForNotificationGone('Building Retail');
});

journey(
  'in a folder that is not trusted, a build set is neither built nor reported as being built',
  async ({ studio, sandbox }) => {
    const before = await sandbox.request('GET', '/api/v2/builds');
    await studio.openView();
    await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
    await studio.runCommand('Build Several Datamodels…');
    await studio.quickInput.pickMany(['Retail', 'Support Desk']);
    await studio.selectQuickPick(/Build in This Order/);
    await studio.selectQuickPick('Replace All');
    await studio.selectQuickPick('One at a time');
    await studio.clickDialogAction('Publish');
    await studio.page.locator('.monaco-dialog-box', { hasText: /Do you trust the authors/ }).waitFor();
    await studio.screenshot('build-task-untrusted');
    await studio.clickDialogAction('Cancel');
    await studio.runCommand('Notifications: Show Notifications');
    await studio.page.locator('.notifications-center').waitFor();
    const startNotification = studio.page.locator('.notification-list-item', { hasText: 'Builds started' });
    assert.equal(await startNotification.count(), 0);
    assert.deepEqual(await sandbox.request('GET', '/api/v2/builds'), before);
  },
);
