import assert from 'node:assert/strict';
import { fetchTable } from '../support/demo.ts';
import { journey } from '../support/journey.ts';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import type { Studio } from '../support/studio.ts';
import { waitForTooltip } from '../support/tooltip.ts';

/** A name as an attacker would choose it. */
const hostile = '<img src=x onerror="top.owned=1">[x](command:workbench.action.newWindow)$(bug)__proto__';

/** Gives this name to a table of the demo, a datamodel and a viewpoint. */
async function takeOver(sandbox: JourneySandbox): Promise<void> {
  const { path } = await fetchTable(sandbox, 'Retail', 'Returns');
  await sandbox.request('PATCH', path, { name: hostile, description: hostile });
  await sandbox.request('POST', '/api/v2/datamodels', { title: hostile, type: 'extract' });
  await sandbox.request('POST', '/api/v1/infusion/viewpoints', {
    name: hostile,
    description: hostile,
    details: {
      datasource: { title: hostile },
      columns: [{ table: hostile, column: hostile, dim: `[${hostile}.${hostile}]`, title: hostile }],
    },
  });
}

/** Anything on the screen that the names became besides text. */
async function getMade(studio: Studio): Promise<readonly string[]> {
  const found: string[] = [];
  for (const frame of studio.page.frames()) {
    found.push(
      ...(await frame.evaluate(() => {
        const made = document.querySelectorAll(
          'img[src="x"], [onerror], a[href^="command:workbench"], a[data-href^="command:workbench"], .codicon-bug:not(.action-label)',
        );
        return [...made].map(({ outerHTML }) => outerHTML);
      })),
    );
  }
  const owned = await studio.page.evaluate(() => 'owned' in globalThis);
  return owned ? [...found, 'a script ran'] : found;
}

journey('hostile names from an instance are shown as plain text', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  await takeOver(sandbox);
  const studio = await openStudio({
    env: sandbox.env,
    settings: { 'datamodelStudio.explorer.pageSize': 250 },
  });
  await studio.openView();

  const label = async () =>
    (await studio.treeItem(['Sandbox', 'Datamodels', hostile])).locator('.label-name');
  const reported = await waitForTooltip(studio.page, label, '__proto__');
  assert.ok((await reported.innerText()).includes('[x](command:workbench.action.newWindow)'));
  await studio.screenshot('hostile-tooltip');
  assert.deepEqual(await getMade(studio), []);

  await studio.tree.inlineAction(['Sandbox', 'Datamodels', 'Retail', 'Sales', hostile], 'Open as JSON');
  await studio.editorShows(/onerror/);
  await studio.tree.click(['Sandbox', 'Viewpoints', hostile]);
  await studio.webview().getByText('__proto__').first().waitFor();
  await studio.screenshot('hostile-form');
  assert.deepEqual(await getMade(studio), []);

  await studio.contextMenu(['Sandbox', 'Datamodels', hostile], 'Show Who Sees What…');
  await studio
    .webview()
    .getByRole('heading', { name: /__proto__/ })
    .waitFor();
  await studio.screenshot('hostile-access');
  assert.deepEqual(await getMade(studio), []);

  await studio.contextMenu(['Sandbox', 'Datamodels', hostile], 'Build…');
  await studio.quickPick('Full');
  await waitForTooltip(studio.page, () => studio.statusBar(/__proto__/, 60_000), '__proto__');
  await studio.screenshot('hostile-build');
  assert.deepEqual(await getMade(studio), []);
  assert.equal(studio.page.context().pages().length, 1, 'no window was opened');
});
