import assert from 'node:assert/strict';
import { findAxeViolations } from '../support/axe.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { getMatrixCell, openMatrixPage, readColumnRules, waitForCellText } from '../support/matrixPage.ts';

const retail = '/api/elasticubes/LocalHost/Retail/datasecurity';

journey('rules are edited as a grid by the keyboard, and applied as one plan', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  const studio = await openStudio({ env: sandbox.env });
  const { keyboard } = studio.page;
  await openMatrixPage(studio, 'Retail');
  const page = studio.getWebview();
  await waitForCellText(studio, 'Sales North', 'Regions.Region', /North; Nordics/);

  await (await getMatrixCell(studio, 'Sales North', 'Regions.Region')).click();
  await keyboard.press('F2');
  await page.getByLabel('Cell values').fill('North; Alps');
  await keyboard.press('Enter');
  await waitForCellText(studio, 'Sales North', 'Regions.Region', /North; Alps.*changed/);
  // Selects two cells in the row below, which now has the focus. VS Code leaves the undo keys to the page.
  await keyboard.press('Shift+ArrowRight');
  await page.getByText('2 cells', { exact: true }).waitFor();
  await keyboard.press('Delete');
  await keyboard.press(' ');
  await waitForCellText(studio, 'Sales South', 'Customers.Segment', /Nothing/);
  await keyboard.press('Control+z');
  await waitForCellText(studio, 'Sales South', 'Customers.Segment', /everyone else: All/);
  await keyboard.press('Control+y');
  await waitForCellText(studio, 'Sales South', 'Customers.Segment', /Nothing/);
  // Copies text for a spreadsheet, and pastes text from one.
  await studio.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const pageBody = page.locator('body');
  await keyboard.press('Control+c');
  await page.getByText('2 cells copied.').waitFor();
  assert.equal(await pageBody.evaluate(() => navigator.clipboard.readText()), 'Nothing\tNothing\n');
  await pageBody.evaluate((_body, text) => navigator.clipboard.writeText(text), 'West; Alps\r\n');
  await (await getMatrixCell(studio, 'Sales North', 'Regions.Region')).click();
  await keyboard.press('Control+v');
  await waitForCellText(studio, 'Sales North', 'Regions.Region', /West; Alps.*changed/);
  await studio.waitForEditor(/^● Rules: Retail/);
  await studio.screenshot('matrix-changed');
  assert.deepEqual(await findAxeViolations(page), []);

  await page.getByRole('button', { name: 'Apply 3 Changes…' }).click();
  await studio.waitForEditor(/^Review Changes: /);
  const apply = studio.getWebview().getByRole('button', { name: 'Apply', exact: true });
  // The tab is shown before its content has loaded.
  await apply.waitFor();
  await studio.screenshot('matrix-plan');
  await apply.click();
  await studio.waitForEditor('Rules: Retail');
  await page.getByText('The rules on the server match the grid.').waitFor();
  const regions = await readColumnRules(sandbox, retail, 'Regions.Region');
  assert.ok(regions.includes('Sales North: West; Alps'), regions.join('\n'));
  assert.ok(regions.includes('Sales South: Nothing'), regions.join('\n'));
});
