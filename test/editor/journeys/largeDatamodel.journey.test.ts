import assert from 'node:assert/strict';
import { findAxeViolations } from '../support/axe.ts';
import { getColumnRow, waitUntilSelected, getTableBox } from '../support/diagramPage.ts';
import { maxPageSize, loadViewpointPages } from '../support/largeDatamodel.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox({ seed: 'large' }));
  const settings = { 'datamodelStudio.explorer.pageSize': maxPageSize };
  return { options: { env: sandbox.env, settings } };
});

journey('500 tables stay usable', async ({ studio }) => {
  await studio.runCommand('Datamodel Studio: Show Diagram');
  await studio.quickPick('Enterprise');
  const page = studio.webview();
  await page.getByText('500 tables, 499 relations').waitFor({ timeout: 60_000 });
  await studio.screenshot('diagram-large');
  await page.getByLabel('Find a table or column').fill('table 321');
  await page.getByLabel('Find a table or column').press('Enter');
  await waitUntilSelected(studio, 'Table 321');
  await getTableBox(studio, 'Table 321').press('Space');
  await getColumnRow(studio, 'Table 321', 'Column 17').waitFor();
  await studio.screenshot('diagram-large-table');
  assert.deepEqual(await findAxeViolations(page), []);
});

journey(
  'the 500-table model expands, viewpoints are paged, and a filter finds deep nodes',
  async ({ studio }) => {
    await studio.openView();
    await studio.treeItem(['Sandbox', 'Datamodels', 'Enterprise', 'Source 10', 'Table 451', 'Column 40']);
    await studio.screenshot('explorer-large');
    await studio.tree.collapse(['Sandbox', 'Datamodels', 'Enterprise']);

    await loadViewpointPages(studio, 3 * maxPageSize);
    await studio.treeItem(['Sandbox', 'Viewpoints', `${maxPageSize + 1} to ${2 * maxPageSize}`]);
    await studio.screenshot('explorer-large-viewpoints');
    await studio.expand(['Viewpoints', `${maxPageSize + 1} to ${2 * maxPageSize}`]);

    await studio.runCommand('Datamodel Studio: Filter…');
    await studio.page.getByPlaceholder('Words of the name').waitFor();
    await studio.page.keyboard.type('table 499');
    await studio.page.keyboard.press('Enter');
    await studio.treeItem(['Sandbox', 'Datamodels', 'Enterprise', 'Source 10', 'Table 499']);
    await studio.screenshot('explorer-large-filtered');
  },
);
