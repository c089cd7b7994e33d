import type { Locator } from 'playwright-core';
import { setCustomTableExpression, fetchDatamodel } from '../support/demo.ts';
import { journey } from '../support/journey.ts';
import { chooseFromMenu } from '../support/menus.ts';
import { startRecordingProxy } from '../support/recordingProxy.ts';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import type { Studio } from '../support/studio.ts';

/** Starts a build through the API, as a colleague would. */
async function startElsewhere(sandbox: JourneySandbox, name: string): Promise<string> {
  const { oid: datamodelId } = await fetchDatamodel(sandbox, name);
  const task = await sandbox.request('POST', '/api/v2/builds', { datamodelId, buildType: 'full' });
  return (task as { oid: string }).oid;
}

/** Opens the Builds view, which is collapsed at first. */
async function openBuildsView(studio: Studio): Promise<void> {
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
  await studio.page.locator('.part.sidebar .pane-header', { hasText: 'Builds' }).click();
}

/** The row of a build in the Builds view, found by its text. */
async function buildRow(studio: Studio, text: RegExp): Promise<Locator> {
  const view = studio.page
    .locator('.part.sidebar .pane')
    .filter({ has: studio.page.locator('.pane-header', { hasText: 'Builds' }) });
  const row = view.locator('.monaco-list-row', { hasText: text }).first();
  await row.waitFor({ timeout: 60_000 });
  return row;
}

/** Right-clicks the row of a build. */
async function chooseForBuild(studio: Studio, text: RegExp, action: string): Promise<void> {
  const row = await buildRow(studio, text);
  await row.click({ button: 'right' });
  await chooseFromMenu(studio.page, [action]);
}

journey('the view shows builds that succeed, fail, are canceled and vanish', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  await using recorder = await startRecordingProxy(sandbox);
  const studio = await openStudio({ env: recorder.env });
  await openBuildsView(studio);

  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail'], 'Build…');
  await studio.quickPick('Full');
  await studio.statusBar(/Retail built in/);
  await buildRow(studio, /done in/);

  await setCustomTableExpression(sandbox, 'Retail', 'Customer Value', 'SELECT [Revenu] FROM [Order Items]');
  await chooseForBuild(studio, /done in/, 'Build Again');
  await studio.notification(/Build of Retail failed: table Customer Value/);
  await buildRow(studio, /failed: table Customer Value/);
  await studio.screenshot('builds-failed');
  await studio.runCommand('Notifications: Clear All Notifications');
  await chooseForBuild(studio, /failed/, 'Open Failed Table');
  await studio.openedEditor('Customer Value.table.json');
  // The name unknown to the engine is selected.
  await studio.statusBar(/\(8 selected\)/);
  await studio.page.keyboard.press('Home');
  await studio.statusBar(/^\s*Ln \d+, Col \d+\s*$/);
  await studio.runCommand('Problems: Focus on Problems View');
  await studio.page.getByText(/The build failed: .*no such column: Revenu/).dblclick();
  await studio.statusBar(/\(8 selected\)/);
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
  await buildRow(studio, /no longer listed since .*last reported as building/);
  await studio.screenshot('builds-gone-light');
  await studio.setTheme('dark');
  await studio.screenshot('builds-gone-dark');
  await studio.setTheme('hc');
  await studio.screenshot('builds-gone-contrast');
});
