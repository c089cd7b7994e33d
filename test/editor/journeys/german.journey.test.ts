import assert from 'node:assert/strict';
import { findAxeViolations } from '../support/axe.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { openWorkspaceFile } from '../support/viewpointFile.ts';

const workspace = {
  'Sales.viewpoint.json': '{ "name": 3, "descripton": "" }',
  // The problems of a project are found in a worker thread, which doesn't know the language of the editor.
  'datamodel-studio.json': '{ "version": 1, "manage": { "datamodels": "Retail" } }',
};

journey('in German, menus, pages, problems, and help in documents are German', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  const studio = await openStudio({ env: sandbox.env, language: 'de', workspace });
  await studio.openView();
  // The menus are translated in the manifest, the tree in the code, and the page by its host.
  await studio.chooseFromContextMenu(
    ['Sandbox', 'Datenmodelle', 'Retail'],
    'Datensicherheit',
    'Effektiven Zugriff anzeigen…',
  );
  const page = studio.getWebview();
  await page.getByRole('heading', { name: 'Spalten mit Regeln' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  await page.getByText('Regel für alle anderen: keine Werte').first().waitFor();
  assert.deepEqual(await findAxeViolations(page), []);
  await studio.screenshot('german');

  await openWorkspaceFile(studio, 'Sales.viewpoint.json');
  await studio.runCommand('Problems: Focus on Problems View');
  const problems = studio.page.locator('.markers-panel .monaco-list-row');
  await problems.filter({ hasText: '"name" muss eine Zeichenfolge sein' }).first().waitFor();
  await problems.filter({ hasText: 'Unbekannte Eigenschaft "descripton".' }).first().waitFor();
  await problems
    .filter({ hasText: '"datamodels" muss ein Array sein, nicht eine Zeichenfolge.' })
    .first()
    .waitFor();
});
