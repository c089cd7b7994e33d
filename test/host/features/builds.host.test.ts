import assert from 'node:assert/strict';
import { describeOnSandbox } from '../support/suite.ts';

describeOnSandbox('builds', (test) => {
  test('a datamodel is built from its menu', async ({ studio }) => {
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
    await studio.quickPick('Full');
    await studio.statusBar(/Retail built in/);
  });

  test('a build is canceled from its notification', async ({ studio, sandbox }) => {
    await sandbox.request('PUT', '/sandbox/faults', { faults: [{ kind: 'slowBuilds', ms: 600_000 }] });
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
    await studio.quickPick('Schema Changes');
    await studio.notificationAction('Building Retail', 'Cancel');
    await studio.statusBar(/Build of Retail cancelled/);
    await studio.notificationGone('Building Retail');
    await studio.reloadWindow();
    assert.ok((await studio.tree.children(['Sandbox', 'Datamodels'])).includes('Retail'));
  });
});
