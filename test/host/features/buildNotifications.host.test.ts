import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { buildsView, createDatamodel, showBuilds } from '../support/builds.ts';
import { addConnection, removeConnections } from '../support/connections.ts';
import { useFaults } from '../support/faults.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

/** Sets which notifications of builds are shown until the end of the block. */
async function useNotifications(value: string): Promise<AsyncDisposable> {
  const update = (next: string | undefined): Thenable<void> =>
    vscode.workspace
      .getConfiguration('datamodelStudio.builds')
      .update('notifications', next, vscode.ConfigurationTarget.Global);
  await update(value);
  return {
    async [Symbol.asyncDispose]() {
      await update(undefined);
    },
  };
}

async function build(studio: HostStudio, title: string): Promise<void> {
  await studio.chooseFromContextMenu('Sandbox', 'Refresh');
  await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', title], 'Build', 'More Options…');
  await studio.selectQuickPick('Replace All');
}

const failingBuilds = { kind: 'failingBuilds', message: 'no disk' };
const slowBuilds = { kind: 'slowBuilds', ms: 600_000 };

describeOnSandbox('build notifications', (test) => {
  test('the notification of a failed build has buttons for the Builds view and the log', async ({
    studio,
    sandbox,
  }) => {
    await createDatamodel(sandbox, 'Failing');
    await using _ = await useFaults(sandbox, failingBuilds);
    await build(studio, 'Failing');
    const { actions, severity } = await studio.waitForNotification('Build of Failing failed: no disk');
    assert.deepEqual([severity, ...actions], ['error', 'Show Builds', 'Show Log']);
    await studio.waitForStatusBarItem('Build of Failing failed');
    await studio.clickNotificationAction('Build of Failing failed', 'Show Builds');
    await studio.status.waitForTextGone('Build of Failing failed');
    await waitFor(
      () => studio.tree.getView(buildsView).visible,
      () => 'The view stays hidden',
    );
    await build(studio, 'Failing');
    await studio.clickNotificationAction('Build of Failing failed', 'Show Log');
    await studio.waitForNotificationGone('Build of Failing failed');
    await createDatamodel(sandbox, 'Failing Too');
    await build(studio, 'Failing Too');
    await studio.waitForStatusBarItem('2 builds failed');
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    await build(studio, 'Failing');
    await studio.waitForStatusBarItem('Build of Failing Too failed');
    await showBuilds(studio);
  });

  test('removing a connection also removes the results and problems of its builds', async ({ studio }) => {
    await using other = await startHostSandbox();
    await using _ = await useFaults(other, { ...failingBuilds, table: 'Campaigns' });
    await addConnection(studio, { name: 'Second', url: other.url, token: other.adminToken });
    await studio.chooseFromContextMenu(['Second', 'Datamodels', 'Marketing'], 'Build', 'More Options…');
    await studio.selectQuickPick('Replace All');
    await studio.waitForStatusBarItem('Build of Marketing failed');
    const findProblems = (): readonly string[] =>
      vscode.languages
        .getDiagnostics()
        .flatMap(([, all]) => all.flatMap(({ source, message }) => (source === 'build' ? [message] : [])));
    await waitFor(
      () => findProblems().includes('The build failed: no disk'),
      () => findProblems().join(' | '),
    );
    await removeConnections(studio, ['Second']);
    await studio.status.waitForTextGone('Build of Marketing failed');
    assert.deepEqual(findProblems(), []);
  });

  test('with notifications turned off, a failure is shown in the status bar only', async ({
    studio,
    sandbox,
  }) => {
    await createDatamodel(sandbox, 'Quiet');
    await using _setting = await useNotifications('none');
    await using _ = await useFaults(sandbox, failingBuilds);
    await build(studio, 'Quiet');
    await studio.waitForStatusBarItem('Build of Quiet failed');
    assert.deepEqual(studio.messages.history, []);
    await showBuilds(studio);
  });

  test('with notifications of failures only, a running build is not reported', async ({
    studio,
    sandbox,
  }) => {
    await createDatamodel(sandbox, 'Brief');
    await using _setting = await useNotifications('failures');
    await using _ = await useFaults(sandbox, failingBuilds);
    await build(studio, 'Brief');
    await studio.waitForNotification('Build of Brief failed: no disk');
    assert.deepEqual(studio.messages.history, ['Build of Brief failed: no disk']);
    await showBuilds(studio);
  });

  test('with the setting for all notifications, a successful build is also reported', async ({
    studio,
    sandbox,
  }) => {
    await createDatamodel(sandbox, 'Loud');
    await using _setting = await useNotifications('all');
    await build(studio, 'Loud');
    await studio.waitForNotification(/^Loud built in [\d.]+ s$/);
    assert.match(studio.messages.history.join('\n'), /^Building Loud\nLoud built in/);
  });

  test('only one build at a time shows its progress in a notification', async ({ studio, sandbox }) => {
    await createDatamodel(sandbox, 'Once');
    await createDatamodel(sandbox, 'Twice');
    await using _ = await useFaults(sandbox, slowBuilds);
    await build(studio, 'Once');
    await studio.waitForNotification('Building Once');
    await build(studio, 'Twice');
    await studio.waitForStatusBarItem(/2 builds 0:\d\d/);
    assert.deepEqual(
      studio.messages.open.map(({ text }) => text.split(':')[0]),
      ['Building Once'],
    );
    assert.match(studio.messages.history.join('\n'), /^Building Once(: queued)?$/m);
    await studio.clickNotificationAction('Building Once', 'Cancel');
    await studio.clickNotificationAction('Building Twice', 'Cancel');
    await studio.waitForStatusBarItem('Build of Twice canceled');
  });

  test('builds that cannot be monitored are reported once, with a button to test the connection', async ({
    studio,
    sandbox,
  }) => {
    await createDatamodel(sandbox, 'Locked');
    await using _ = await useFaults(sandbox, slowBuilds);
    await build(studio, 'Locked');
    await studio.tree.findRowInView('datamodelStudio.builds', /^Locked building/);
    await using _refused = await useFaults(sandbox, {
      kind: 'status',
      status: 403,
      pathPrefix: '/api/v2/builds',
    });
    await studio.runCommand('Refresh Builds');
    const { actions } = await studio.waitForNotification(/^Can't monitor builds on Sandbox\. .*403/);
    assert.deepEqual(actions, ['Sign In…', 'Test Connection…']);
    await studio.runCommand('Refresh Builds');
    await studio.tree.findRowInView('datamodelStudio.builds', /^Sandbox no response since/);
    assert.equal(studio.messages.history.filter((text) => text.includes("Can't monitor builds")).length, 1);
    await studio.clickNotificationAction(/Can't monitor builds/, 'Test Connection…');
    await studio.quickInput.waitForTitle('Connection Test: Sandbox');
    await studio.quickInput.cancel();
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    await studio.runCommand('Refresh Builds');
    await studio.tree.findRowInView('datamodelStudio.builds', /^Sandbox 1 running/);
    await studio.chooseFromContextMenu(['Sandbox', 'Builds', 'Locked'], 'Cancel Build');
    await studio.waitForStatusBarItem('Build of Locked canceled');
  });
});
