import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { views } from '../../../src/contributions.ts';
import { buildsView } from '../support/builds.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox, describeStudio } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

/** Reads the address, the process and the token of the embedded sandbox from the files in its folder. */
async function readSandboxFiles({ storageFolder }: HostStudio) {
  const read = async (name: string): Promise<Record<string, unknown>> =>
    JSON.parse(await readFile(join(storageFolder.fsPath, 'sandbox', name), 'utf8'));
  const { url, pid } = await read('sandbox.json');
  const { adminToken } = await read('tokens.json');
  return { url: String(url), pid: Number(pid), adminToken: String(adminToken) };
}

describeStudio(
  'sandbox',
  async () => ({ options: {} }),
  (test) => {
    test('a stopped sandbox is started only by the user, not by commands that refresh the tree', async ({
      studio,
    }) => {
      await vscode.commands.executeCommand('workbench.view.explorer');
      await studio.runCommand('Datamodel Studio: Start Sandbox');
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
      await waitFor(
        () => studio.tree.getView(views.explorer).visible,
        () => 'The view stays hidden',
      );
      await studio.findTreeItem([
        'Sandbox',
        'Cube Sets',
        'Regional Sales',
        'Regions.Region',
        'Everyone else',
      ]);
      await studio.waitForStatusBarItem('$(beaker) Sandbox (development)');
      const tooltip = studio.status.getTooltip('Sandbox').replaceAll(/&nbsp;|&#160;/g, ' ');
      assert.match(tooltip, /Sandbox on this machine[^]*Role: development[^]*Writes allowed/);
      await studio.status.click('Sandbox (development)');
      await studio.quickInput.waitForRow(/^ Sandbox\ndevelopment, current\nSandbox on this machine$/);
      await studio.quickInput.cancel();
      await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build', 'More Options…');
      await studio.selectQuickPick('Replace All');
      await studio.waitForStatusBarItem(/Building Retail|Retail built/);
      await studio.chooseFromContextMenu('Sandbox', 'Stop Sandbox');
      const { severity } = await studio.waitForNotification(
        'The sandbox has stopped. Its data is kept for the next start.',
      );
      assert.equal(severity, 'information');
      await studio.tree.waitForItemText(['Sandbox', 'Stopped'], /Start Sandbox/);

      // Each of these refreshes the tree, which must not start the sandbox.
      await studio.runCommand('Datamodel Studio: Filter Connections…');
      await studio.quickInput.fill('Retail');
      await studio.quickInput.current?.accept();
      await studio.runCommand('Datamodel Studio: Clear Connections Filter');
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      await studio.runCommand('Datamodel Studio: Refresh Connections');
      assert.deepEqual(await studio.tree.getChildLabels('Sandbox'), ['Stopped']);
      await studio.status.waitForTextGone(/Building/);
      assert.match(
        (await studio.tree.findRowInView(buildsView, /^Retail/)).description,
        /^(done in|not listed since)/,
      );

      await studio.runCommand('Datamodel Studio: Test Connection…');
      await studio.quickInput.waitForRow(/^ Address\nFailed: the sandbox isn't running/);
      await studio.quickInput.cancel();
      assert.deepEqual(await studio.tree.getChildLabels('Sandbox'), ['Stopped']);

      await studio.tree.click(['Sandbox', 'Stopped']);
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales']);
      await studio.findTreeItem(['Sandbox', 'Viewpoints', /Revenue by/]);
      assert.deepEqual(
        await studio.tree.getChildLabels(),
        ['Sandbox'],
        'one connection, however often it starts',
      );
      await studio.chooseFromContextMenu('Sandbox', 'Stop Sandbox');
      await studio.findTreeItem(['Sandbox', 'Stopped']);
    });

    test('an unexpected end of the sandbox is reported, and the result of its running build as unknown', async ({
      studio,
    }) => {
      await studio.runCommand('Datamodel Studio: Start Sandbox');
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
      const { url, pid, adminToken } = await readSandboxFiles(studio);
      await fetch(`${url}/sandbox/faults`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${adminToken}` },
        body: JSON.stringify({ faults: [{ kind: 'slowBuilds', ms: 600_000 }] }),
      });
      await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build', 'More Options…');
      await studio.selectQuickPick('Replace All');
      await studio.tree.findRowInView(buildsView, /^Retail building/);
      process.kill(pid, 'SIGKILL');
      await studio.tree.waitForItemText(['Sandbox', 'Ended unexpectedly'], /Start Sandbox/);
      const { severity, actions } = await studio.waitForNotification(
        'The outcome of the build of Retail is unknown. The server no longer lists the build.',
      );
      assert.deepEqual([severity, ...actions], ['warning', 'Build Again', 'Show Builds']);
      await studio.waitForStatusBarItem('Build of Retail: outcome unknown');
      assert.match(
        await studio.tree.getTooltip(['Sandbox', 'Ended unexpectedly']),
        /^The sandbox ended unexpectedly\. Start it again\. For details, see the log\./,
      );
      await studio.tree.click(['Sandbox', 'Ended unexpectedly']);
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
      await studio.chooseFromContextMenu('Sandbox', 'Stop Sandbox');
      await studio.findTreeItem(['Sandbox', 'Stopped']);
    });

    test('stopping a sandbox that this window has not started is refused with the reason', async ({
      studio,
    }) => {
      await studio.runCommand('Datamodel Studio: Stop Sandbox');
      await studio.waitForNotification(
        "This window didn't start the sandbox. Stop it where it was started, for example, in a terminal.",
      );
    });
  },
);

describeStudio(
  'a sandbox that does not start',
  async () => ({ options: {} }),
  (test) => {
    test('is reported with the reason, and starts once the cause is gone', async ({ studio }) => {
      const { fsPath } = studio.storageFolder;
      await mkdir(fsPath, { recursive: true });
      await writeFile(join(fsPath, 'sandbox'), 'a file in place of the folder');
      await studio.runCommand('Datamodel Studio: Start Sandbox');
      const { severity } = await studio.waitForNotification(/^The sandbox didn't start: ./);
      assert.equal(severity, 'error');
      assert.deepEqual(await studio.tree.getChildLabels(), []);
      await rm(join(fsPath, 'sandbox'));
      await studio.runCommand('Datamodel Studio: Start Sandbox');
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
    });
  },
);

describeOnSandbox('a sandbox that was started in a terminal', (test) => {
  test('cannot be stopped from the editor, and keeps running', async ({ studio, sandbox }) => {
    await studio.runCommand('Datamodel Studio: Stop Sandbox');
    await studio.waitForNotification(/^This window didn't start the sandbox\./);
    await sandbox.request('GET', '/api/v2/builds');
    await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
  });
});
