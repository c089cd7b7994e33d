import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { breakCustomTable } from '../support/demo.ts';
import { journey } from '../support/journey.ts';
import { chooseFromMenu } from '../support/menus.ts';
import { record } from '../support/recorder.ts';
import { type TestSandbox, openSandbox } from '../support/sandbox.ts';
import { Studio } from '../support/studio.ts';

async function datamodelNamed(sandbox: TestSandbox, name: string): Promise<Datamodel> {
  const all = (await sandbox.request('GET', '/api/v2/datamodels')) as Datamodel[];
  const found = all.find(({ title }) => title === name);
  assert.ok(found, `The demo has ${name}`);
  return found;
}

/** Starts a build as a colleague at the API would. */
async function startElsewhere(sandbox: TestSandbox, name: string): Promise<string> {
  const { oid: datamodelId } = await datamodelNamed(sandbox, name);
  const task = await sandbox.request('POST', '/api/v2/builds', { datamodelId, buildType: 'full' });
  return (task as { oid: string }).oid;
}

/** Opens the view of builds, which is closed at first. */
async function openBuildsView(studio: Studio): Promise<void> {
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
  await studio.page.locator('.part.sidebar .pane-header', { hasText: 'Builds' }).click();
}

/** The line of a build in the view of builds, by what it says of it. */
async function buildRow(studio: Studio, text: RegExp): Promise<Locator> {
  const view = studio.page
    .locator('.part.sidebar .pane')
    .filter({ has: studio.page.locator('.pane-header', { hasText: 'Builds' }) });
  const row = view.locator('.monaco-list-row', { hasText: text }).first();
  await row.waitFor({ timeout: 60_000 });
  return row;
}

/** Right click on the line of a build. */
async function chooseForBuild(studio: Studio, text: RegExp, action: string): Promise<void> {
  const row = await buildRow(studio, text);
  await row.click({ button: 'right' });
  await chooseFromMenu(studio.page, [action]);
}

journey('the view tells of builds that succeed, fail, are cancelled and vanish', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  await using recorder = await record(sandbox);
  const studio = await openStudio({ env: recorder.env });
  await openBuildsView(studio);

  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
  await studio.quickPick('Full');
  await studio.statusBar(/Retail built in/);
  await buildRow(studio, /done in/);

  await breakCustomTable(sandbox, 'Retail', 'Customer Value', 'SELECT [Revenu] FROM [Order Items]');
  await chooseForBuild(studio, /done in/, 'Build Again');
  await studio.notification(/Build of Retail failed: table Customer Value/);
  await buildRow(studio, /failed: table Customer Value/);
  await studio.screenshot('builds-failed');
  await studio.runCommand('Notifications: Clear All Notifications');
  await chooseForBuild(studio, /failed/, 'Open Failed Table');
  await studio.openedEditor('Customer Value.table.json');
  await studio.runCommand('Problems: Focus on Problems View');
  await studio.page.getByText(/The build failed: .*no such column: Revenu/).waitFor();
  await studio.screenshot('builds-problem');
  await studio.runCommand('View: Toggle Panel Visibility');

  await sandbox.request('PUT', '/sandbox/faults', { faults: [{ kind: 'slowBuilds', ms: 120_000 }] });
  await chooseForBuild(studio, /failed/, 'Build Again');
  await buildRow(studio, /building for/);
  await studio.screenshot('builds-running');
  await chooseForBuild(studio, /building for/, 'Cancel Build…');
  await buildRow(studio, /cancelled/);

  const task = await startElsewhere(sandbox, 'Retail');
  await studio.page.locator('.part.sidebar .pane-header', { hasText: 'Builds' }).hover();
  await studio.runCommand('Look for Builds Now');
  await buildRow(studio, /building, seen for/);
  await studio.statusBar(/Building Retail/);
  recorder.answer = (method, path) => {
    if (method !== 'GET' || !path.startsWith('/api/v2/builds')) {
      return undefined;
    }
    return path.endsWith(task) ? { status: 404, body: '{}' } : { status: 200, body: '[]' };
  };
  await buildRow(studio, /gone since .*last known as building/);
  await studio.screenshot('builds-gone-light');
  await studio.setTheme('dark');
  await studio.screenshot('builds-gone-dark');
  await studio.setTheme('hc');
  await studio.screenshot('builds-gone-contrast');
});

journey('a reload in the middle of a build loses nothing of it', async ({ openStudio }) => {
  await using sandbox = await openSandbox({ buildDelayMs: 75_000 });
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
  await studio.quickPick('Full');
  await studio.statusBar(/Building Retail/);
  await studio.reload();
  await studio.statusBar(/Building Retail/);
  await studio.notification('Building Retail');
  await studio.screenshot('build-after-reload');
  await studio.statusBar(/Retail built in/, 120_000);
  await studio.runCommand('Show Build History');
  const page = studio.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  await page.getByText(/1 build, 0 failed; usually \d:\d\d/).waitFor();
  assert.equal(await page.getByRole('img', { name: /1 build/ }).count(), 1);
  await studio.screenshot('build-history');
});

/** One window asks so often in this journey; two would ask twice as often. */
const pollSeconds = 2;

journey(
  'two windows ask no more than one, and one takes over from the other',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox({ buildDelayMs: 100_000 });
    await using recorder = await record(sandbox);
    const looks: number[] = [];
    recorder.answer = (method, path) => {
      if (method === 'GET' && path === '/api/v2/builds') {
        looks.push(performance.now());
      }
      return undefined;
    };
    const first = await openStudio({
      env: recorder.env,
      settings: { 'datamodelStudio.builds.pollInterval': pollSeconds },
    });
    await first.openView();
    await first.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
    await first.quickPick('Full');
    await first.statusBar(/Building Retail/);

    const page = await first.page.context().newPage();
    await page.goto(first.page.url());
    const second = new Studio(page, first.workspace, 'Datamodel Studio');
    await second.ready();
    await second.statusBar(/Building Retail/, 60_000);
    const together = looks.length;
    while (looks.length < together + 8) {
      recorder.take();
      await recorder.asked(1);
    }
    await second.screenshot('builds-second-window');
    const mean = ((looks.at(-1) ?? 0) - (looks[together] ?? 0)) / (looks.length - 1 - together);
    assert.ok(mean >= pollSeconds * 950, `Two windows asked every ${Math.round(mean)} ms`);

    await first.page.close({ runBeforeUnload: true });
    const closed = looks.length;
    await second.statusBar(/Retail built in/, 150_000);
    assert.ok(looks.length > closed, 'The second window goes on');
    const pauses = looks.slice(closed - 1).map((time, index) => time - (looks[closed - 2 + index] ?? time));
    assert.ok(Math.max(...pauses) < 15_000, `It took over after ${Math.round(Math.max(...pauses))} ms`);
  },
  { timeout: 300_000 },
);

journey(
  'a set of builds runs as a task with an exit code, and in the chosen order',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const tasks = {
      version: '2.0.0',
      tasks: [
        {
          label: 'nightly',
          type: 'datamodel-build',
          connection: 'Sandbox',
          datamodels: ['Retail', 'Support Desk'],
          problemMatcher: ['$datamodel-build'],
        },
        {
          label: 'after',
          type: 'shell',
          command: 'echo all built',
          dependsOn: 'nightly',
          problemMatcher: [],
        },
        { label: 'wrong', type: 'datamodel-build', connection: 'Sandbox', datamodels: ['Nothing'] },
      ],
    };
    const studio = await openStudio({
      env: sandbox.env,
      workspace: { '.vscode/tasks.json': JSON.stringify(tasks) },
      // Drawn into the page, so that it can be read.
      settings: { 'security.workspace.trust.enabled': false, 'terminal.integrated.gpuAcceleration': 'off' },
    });
    const terminal = studio.page.locator('.terminal-wrapper.active .xterm-rows');
    await studio.runCommand('Tasks: Run Task');
    await studio.quickPick('after');
    await terminal.getByText('all built', { exact: true }).first().waitFor({ timeout: 60_000 });
    await studio.screenshot('build-task');
    await studio.runCommand('Tasks: Run Task');
    await studio.quickPick('wrong');
    await terminal
      .getByText(/There is no datamodel Nothing/)
      .first()
      .waitFor({ timeout: 30_000 });

    await studio.openView();
    await studio.runCommand('Build Several Datamodels');
    await studio.quickInput.pickMany(['Retail', 'Support Desk']);
    await studio.quickPick('2. Support Desk');
    await studio.quickPick('1. Support Desk');
    await studio.screenshot('build-order');
    await studio.quickPick(/Build in This Order/);
    await studio.quickPick('Full');
    await studio.quickPick('One after the other');
    await terminal
      .getByText(/Support Desk: started \(publish\)/)
      .first()
      .waitFor({ timeout: 30_000 });
    await studio.notificationAction(/The set is being built/, 'Keep as Task');
    await studio.runCommand('Tasks: Run Task');
    await studio.quickPick(/build Support Desk, Retail on Sandbox/);
  },
);
