import assert from 'node:assert/strict';
import { setCustomTableExpression } from '../support/demo.ts';
import { startRecordingProxy } from '../support/recordingProxy.ts';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  const recorder = owned.use(await startRecordingProxy(sandbox));
  return { sandbox, recorder, options: { env: recorder.env } };
});

/** Makes builds started from now on take longer than a journey, or no time at all. */
async function slowBuilds(sandbox: JourneySandbox, areSlow: boolean): Promise<void> {
  const faults = areSlow ? [{ kind: 'slowBuilds', ms: 600_000 }] : [];
  await sandbox.request('PUT', '/sandbox/faults', { faults });
}

journey('lists running builds and counts them in the badge', async ({ studio, sandbox }) => {
  await slowBuilds(sandbox, true);
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Builds', /No build is running/]);
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
  await studio.quickPick('Full');
  await studio.treeItem(['Sandbox', 'Builds', 'Retail']);
  await studio.page.locator('.part.activitybar .badge-content', { hasText: '1' }).first().waitFor();
  await studio.screenshot('explorer-builds');
  await studio.tree.inlineAction(['Sandbox', 'Builds', 'Retail'], 'Cancel Build…');
  const build = studio.page.locator('.part.sidebar .monaco-list-row', { hasText: 'cancelled' });
  await build.waitFor();
  await studio.page
    .locator('.part.activitybar .badge-content', { hasText: '1' })
    .waitFor({ state: 'hidden' });
});

journey('shows the explorer and a running build in every theme', async ({ studio, sandbox }) => {
  await slowBuilds(sandbox, true);
  await studio.openView();
  await studio.expand(['Sandbox', 'Datamodels', 'Retail', 'Custom Tables', 'Customer Value']);
  await studio.expand(['Retail', 'Relations']);
  await studio.expand(['Retail', 'Data Security']);
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
  await studio.quickPick('Full');
  await studio.statusBar(/Building Retail/);
  for (const theme of allThemes) {
    await studio.setTheme(theme);
    await studio.screenshot(`explorer-${theme}`);
  }
  await studio.notificationAction('Building Retail', 'Cancel');
  await studio.statusBar(/Build of Retail cancelled/);
});

journey('cancels a build from its notification', async ({ studio, sandbox }) => {
  await slowBuilds(sandbox, true);
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
  await studio.quickPick('Schema Changes');
  await studio.notification('Building Retail');
  await studio.screenshot('building');
  await studio.notificationAction('Building Retail', 'Cancel');
  await studio.statusBar(/Build of Retail cancelled/);
  await studio.notificationGone('Building Retail');
});

journey(
  'builds a sample, publishes a live datamodel, and reports and retries a failed build',
  async ({ studio, sandbox }) => {
    await slowBuilds(sandbox, false);
    await studio.openView();
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
    await studio.quickPick('Sample…');
    await studio.inputBox('10');
    await studio.statusBar(/Retail built in/);
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Support Desk'], 'Build…');
    await studio.statusBar(/Support Desk published/);

    await sandbox.request('PUT', '/sandbox/faults', {
      faults: [{ kind: 'status', status: 500, pathPrefix: '/api/v2/datamodels/' }],
    });
    await studio.expand(['Sandbox', 'Datamodels', 'Marketing']);
    await studio.treeItem(['Marketing', /Server error \(500\)/]);
    await studio.screenshot('explorer-error');
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    await studio.tree.click(['Marketing', /Server error/]);
    await studio.treeItem(['Marketing', 'Relations']);

    await setCustomTableExpression(sandbox, 'Retail', 'Customer Value', 'SELECT [Revenu] FROM [Order Items]');
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
    await studio.quickPick('Full');
    await studio.notification(/Build of Retail failed: table Customer Value: .*no such column: Revenu/);
    await studio.screenshot('build-failed');
    const item = await studio.statusBar('Build of Retail failed');
    await item.click();
    await studio.quickPick(/Retail/);
  },
);

journey('shows that the build of a datamodel is running, and that it failed', async ({ studio, sandbox }) => {
  await setCustomTableExpression(sandbox, 'Retail', 'Customer Value', 'SELECT Broken FROM Nowhere');
  await slowBuilds(sandbox, false);
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
  await studio.quickPick('Full');
  await studio.notification(/Build of Retail failed/);
  const failed = studio.page.locator('.part.sidebar .monaco-list-row', {
    hasText: /Retail.*build.failed,.extract/,
  });
  await failed.waitFor();
  for (const theme of allThemes) {
    await studio.setTheme(theme);
    await studio.screenshot(`explorer-build-failed-${theme}`);
  }
  await studio.treeItem(['Sandbox', 'Builds', 'Retail']);
});

journey('Cancel All explains when the server does not report the datamodel', async ({ studio, recorder }) => {
  recorder.takeRequests();
  recorder.answer = (method, path) => {
    if (method === 'DELETE') {
      return { status: 204, body: '' };
    }
    return path.endsWith('/builds')
      ? { status: 200, body: '[{"oid":"foreign-task","status":"building"}]' }
      : undefined;
  };
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Builds'], 'Refresh');
  await studio.treeItem(['Sandbox', 'Builds', 'foreign-task']);
  await studio.statusBar(/Building foreign-task/);
  await studio.runCommand('Datamodel Studio: Cancel All Builds of Datamodel');
  await studio.quickPick('foreign-task');
  await studio.notification(/does not say which datamodel the build foreign-task belongs to/);
  await studio.screenshot('cancel-all-unknown');
  assert.deepEqual(
    recorder.takeRequests().filter((line) => line.startsWith('DELETE')),
    [],
  );
  await studio.notificationAction(/foreign-task/, 'Cancel This Build');
  while (!(await recorder.waitForRequests(1)).some((line) => line === 'DELETE /api/v2/builds/foreign-task')) {
    // Status polls may come in between.
  }
  recorder.answer = undefined;
});
