import assert from 'node:assert/strict';
import { findAxeViolations } from '../support/axe.ts';
import { answerFileDialog } from '../support/fileDialog.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';

journey('Effective Access is shown, saved as a report, and restored on reload', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();
  await studio.chooseFromContextMenu(
    ['Sandbox', 'Datamodels', 'Retail'],
    'Data Security',
    'Show Effective Access…',
  );
  const page = studio.getWebview();
  await page
    .locator(':focus')
    .and(page.getByLabel('User', { exact: true }))
    .waitFor();
  const row = page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: 'Regions.Region', exact: true }) });
  await row.getByText('Sees no values').waitFor();
  const group = page.getByLabel('In group');
  await group.fill('Sales North');
  await group.press('Enter');
  await row.getByText('Sees only North and Nordics').first().waitFor();
  await studio.screenshot('access');
  assert.deepEqual(await findAxeViolations(page), []);

  await page.getByRole('button', { name: 'Save as Markdown…' }).click();
  await answerFileDialog(studio.page);
  await studio.waitForEditorText(/Effective\sAccess:\sRetail/);
  await studio.runCommand('View: Close Editor');
  await studio.reloadWindow();
  await row.getByText('Sees only North and Nordics').first().waitFor();
});
