import assert from 'node:assert/strict';
import { findMarkup, hostileName } from '../support/hostileName.ts';
import { createHostileResources } from '../support/hostileResources.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import type { Studio } from '../support/studio.ts';
import { waitForTooltip } from '../support/tooltip.ts';

/** Returns the HTML elements and script effects that hostile names have created; empty if all are shown as text. */
async function findMarkupOnScreen({ page }: Studio): Promise<readonly string[]> {
  const found = await Promise.all(page.frames().map((frame) => frame.evaluate(findMarkup)));
  return found.flat();
}

journey('hostile names from an instance are shown as plain text', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  await createHostileResources(sandbox);
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();
  const datamodel = ['Sandbox', 'Datamodels', hostileName];

  const getLabel = async () => (await studio.findTreeItem(datamodel)).locator('.label-name');
  const tooltip = await waitForTooltip(studio.page, getLabel, '__proto__');
  assert.ok((await tooltip.innerText()).includes('[x](command:workbench.action.newWindow)'));
  await studio.screenshot('hostile-tooltip');
  assert.deepEqual(await findMarkupOnScreen(studio), []);

  await studio.chooseFromContextMenu(datamodel, 'Data Security', 'Show Effective Access…');
  await studio
    .getWebview()
    .getByRole('heading', { name: /__proto__/ })
    .waitFor();
  await studio.chooseFromContextMenu(datamodel, 'Build', 'More Options…');
  await studio.selectQuickPick('Replace All');
  await waitForTooltip(studio.page, () => studio.waitForStatusBarItem(/__proto__/, 60_000), '__proto__');
  await studio.screenshot('hostile-build');
  assert.deepEqual(await findMarkupOnScreen(studio), []);
  assert.equal(studio.page.context().pages().length, 1, 'no window was opened');
});
