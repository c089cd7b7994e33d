import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildsView } from '../support/builds.ts';
import { describeOnSandbox, describeStudio } from '../support/suite.ts';

describeStudio(
  'sandbox',
  async () => ({ options: {} }),
  (test) => {
    test('a stopped sandbox stays stopped until it is started', async ({ studio }) => {
      await studio.runCommand('Datamodel Studio: Start Sandbox');
      await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
      await studio.statusBar('$(beaker) Sandbox (development)');
      const tooltip = studio.status.tooltip('Sandbox').replaceAll(/&nbsp;|&#160;/g, ' ');
      assert.match(tooltip, /The sandbox on this machine[^]*Role&#58; development[^]*Takes writes/);
      await studio.status.click('Sandbox (development)');
      await studio.quickInput.shows(/^ Sandbox\ndevelopment, current\nThe sandbox on this machine$/);
      await studio.quickInput.cancel();
      await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
      await studio.quickPick('Full');
      await studio.statusBar(/Building Retail|Retail built/);
      await studio.contextMenu('Sandbox', 'Stop Sandbox');
      const { severity } = await studio.notification(
        'The sandbox has stopped. Its data is kept until it is started again.',
      );
      assert.equal(severity, 'information');
      await studio.tree.itemShows(['Sandbox', 'Stopped'], /Start Sandbox/);

      // All of this refreshes the tree.
      await studio.runCommand('Datamodel Studio: Filter…');
      await studio.quickInput.fill('Retail');
      await studio.quickInput.current?.accept();
      await studio.runCommand('Datamodel Studio: Clear Filter');
      await studio.contextMenu('Sandbox', 'Refresh');
      await studio.runCommand('Datamodel Studio: Refresh');
      assert.deepEqual(await studio.tree.children('Sandbox'), ['Stopped']);
      await studio.status.gone(/Building/);
      assert.match(
        (await studio.tree.find(buildsView, /^Retail/)).description,
        /^(done in|no longer listed since)/,
      );

      await studio.runCommand('Datamodel Studio: Test Connection…');
      await studio.quickInput.shows(/^ Address\nFailed: the sandbox does not run/);
      await studio.quickInput.cancel();
      assert.deepEqual(await studio.tree.children('Sandbox'), ['Stopped']);

      await studio.tree.click(['Sandbox', 'Stopped']);
      await studio.treeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales']);
      await studio.treeItem(['Sandbox', 'Viewpoints', /Revenue by/]);
      assert.deepEqual(await studio.tree.children(), ['Sandbox'], 'one connection, however often it starts');
      await studio.contextMenu('Sandbox', 'Stop Sandbox');
      await studio.treeItem(['Sandbox', 'Stopped']);
    });

    test('a sandbox that runs elsewhere is not stopped from here', async ({ studio }) => {
      await studio.runCommand('Datamodel Studio: Stop Sandbox');
      await studio.notification(
        'This window did not start a sandbox. Stop it where it was started, such as a terminal.',
      );
    });
  },
);

describeStudio(
  'sandbox that does not start',
  async () => ({ options: {} }),
  (test) => {
    test('the reason is shown, and the next start works', async ({ studio }) => {
      const { fsPath } = studio.storageFolder;
      await mkdir(fsPath, { recursive: true });
      await writeFile(join(fsPath, 'sandbox'), 'a file in place of the folder');
      await studio.runCommand('Datamodel Studio: Start Sandbox');
      const { severity } = await studio.notification(/^The sandbox did not start: ./);
      assert.equal(severity, 'error');
      assert.deepEqual(await studio.tree.children(), []);
      await rm(join(fsPath, 'sandbox'));
      await studio.runCommand('Datamodel Studio: Start Sandbox');
      await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
    });
  },
);

describeOnSandbox('sandbox of a terminal', (test) => {
  test('it cannot be stopped, and goes on', async ({ studio, sandbox }) => {
    await studio.runCommand('Datamodel Studio: Stop Sandbox');
    await studio.notification(/^This window did not start a sandbox\./);
    await sandbox.request('GET', '/api/v2/builds');
    await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
  });
});
