import assert from 'node:assert/strict';
import type { Rule } from '../../../src/contract/rule.ts';
import type { Table } from '../../../src/contract/table.ts';
import { createSeedOid } from '../../../src/sandbox/seeds/seedIds.ts';
import { findAxeViolations } from '../support/axe.ts';
import {
  applyShownPlan,
  getMatrixCell,
  openMatrixPage,
  readColumnRules,
  waitForCellText,
  typeIntoCell,
} from '../support/matrixPage.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];
const retail = '/api/elasticubes/LocalHost/Retail/datasecurity';
const stores = `/api/v2/datamodels/${createSeedOid('Retail')}/datasets/${createSeedOid('Retail/dataset/Master Data')}/tables/${createSeedOid('Retail/Stores')}`;
const support = '/api/v1/elasticubes/live/Support%20Desk/datasecurity';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env } };
});

journey(
  'blocks are copied to and from a spreadsheet; a live datamodel without rules gets its first column and party',
  async ({ studio, sandbox }) => {
    for (const { _id } of (await sandbox.request('GET', support)) as readonly Rule[]) {
      await sandbox.request('DELETE', `/api/v1/elasticubes/live/datasecurity/${_id}`);
    }
    const { keyboard } = studio.page;
    await openMatrixPage(studio, 'Retail');
    const page = studio.webview();
    await (await getMatrixCell(studio, 'Sales', 'Regions.Region')).click();
    await (await getMatrixCell(studio, 'Sales South', 'Customers.Segment')).click({ modifiers: ['Shift'] });
    await keyboard.press('Control+c');
    await page.getByText('6 cells copied.').waitFor();

    // The text copied to a spreadsheet, and the text pasted from it.
    await studio.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const inPage = page.locator('body');
    assert.equal(
      await inPage.evaluate(() => navigator.clipboard.readText()),
      'North; South; West\t\nNorth; Nordics\t\nSouth; Alps\t\n',
    );
    const copied = '"West"\tClub; Home Office\r\nAll but Alps\tNothing\r\n';
    await inPage.evaluate((_body, text) => navigator.clipboard.writeText(text), copied);
    await (await getMatrixCell(studio, 'Sales', 'Regions.Region')).click();
    await keyboard.press('Control+v');
    await waitForCellText(studio, 'Sales', 'Regions.Region', /West.*changed/);
    await waitForCellText(studio, 'Sales', 'Customers.Segment', /Club; Home Office/);
    await waitForCellText(studio, 'Sales North', 'Regions.Region', /All but Alps/);
    await waitForCellText(studio, 'Sales North', 'Customers.Segment', /Nothing/);
    await page.getByText('4 cells changed.').waitFor();
    await studio.screenshot('matrix-pasted');
    await page.getByRole('button', { name: 'Revert', exact: true }).click();
    await waitForCellText(studio, 'Sales', 'Regions.Region', /North; South; West/);

    // Another user adds a column: reopening the matrix shows it as one that can be secured.
    const { columns } = (await sandbox.request('GET', stores)) as Table;
    const added = { id: 'Code', name: 'Code', type: 18, isCustom: true, expression: "'x'" };
    await sandbox.request('PATCH', stores, { columns: [...(columns ?? []), added] });
    await studio.runCommand('View: Close Editor');
    await openMatrixPage(studio, 'Retail');
    await page.getByRole('button', { name: 'Add Column…' }).first().click();
    await page.getByLabel('Column to secure').fill('Stores.Code');
    await keyboard.press('Enter');
    await waitForCellText(studio, 'Everyone else', 'Stores.Code', /no rule/);
    await sandbox.request('PATCH', stores, { columns });
    await studio.runCommand('View: Close Editor');

    await openMatrixPage(studio, 'Support Desk');
    await page.getByText(/No rules: everyone/).waitFor();
    await studio.screenshot('matrix-empty');
    assert.deepEqual(await findAxeViolations(page), []);
    await page.getByRole('button', { name: 'Add Column…' }).first().click();
    await page.getByLabel('Column to secure').fill('Tickets.Cuontry');
    await keyboard.press('Enter');
    await page.getByText(/There is no column Tickets.Cuontry/).waitFor();
    await page.getByLabel('Column to secure').fill('Tickets.Country');
    await keyboard.press('Enter');
    await waitForCellText(studio, 'Everyone else', 'Tickets.Country', /no rule/);
    await (await getMatrixCell(studio, 'Everyone else', 'Tickets.Country'))
      .and(page.locator(':focus'))
      .press(' ');
    await page.getByRole('button', { name: 'Add Party…' }).click();
    await page.getByLabel('Group: name or ID').fill('No Such Group');
    await keyboard.press('Enter');
    await page.getByText('Group not found: No Such Group.').waitFor();
    await studio.screenshot('matrix-add-party');
    await page.getByLabel('Group: name or ID').fill('Executives');
    await keyboard.press('Enter');
    await waitForCellText(studio, 'Executives', 'Tickets.Country', /default: Nothing/);
    await typeIntoCell(studio, 'Executives', 'Tickets.Country', 'All');
    await applyShownPlan(studio);
    await page.getByText('The rules of the server say what the grid says.').waitFor();
    assert.deepEqual(await readColumnRules(sandbox, support, 'Tickets.Country'), [
      'Executives: All',
      'default: Nothing',
    ]);

    // A server that returns rules without the exclusionary field does not accept it.
    await typeIntoCell(studio, 'Executives', 'Tickets.Country', 'All but Germany');
    await page.getByText(/This server shows no rules of live datamodels that hide values/).waitFor();
    await keyboard.press('Escape');
  },
);

journey(
  'rules are edited as a grid by the keyboard, and applied as one plan',
  async ({ studio, sandbox }) => {
    const { keyboard } = studio.page;
    await openMatrixPage(studio, 'Retail');
    const page = studio.webview();
    await waitForCellText(studio, 'Everyone else', 'Regions.Region', /Nothing/);
    await waitForCellText(studio, 'Sales North', 'Regions.Region', /North; Nordics/);
    await waitForCellText(studio, 'Sales North', 'Customers.Segment', /default: All/);

    // Edit in place: type, cancel, get refused, get accepted.
    await (await getMatrixCell(studio, 'Sales North', 'Regions.Region')).click();
    await keyboard.press('F2');
    await page.getByLabel('Values of the cell').fill('never');
    await keyboard.press('Escape');
    await waitForCellText(studio, 'Sales North', 'Regions.Region', /North; Nordics/);
    await keyboard.press('F2');
    await page.getByLabel('Values of the cell').fill('All but');
    await keyboard.press('Enter');
    await page.getByText('All but what? Name at least one value.').waitFor();
    await page.getByLabel('Values of the cell').fill('North; Alps');
    await keyboard.press('Enter');
    await waitForCellText(studio, 'Sales North', 'Regions.Region', /North; Alps.*changed/);

    // Over the row below, which now has the focus: fill, clear, toggle and undo on a selection.
    await waitForCellText(studio, 'Sales South', 'Regions.Region', /South; Alps/);
    await keyboard.press('Shift+ArrowRight');
    await page.getByText('2 cells', { exact: true }).waitFor();
    await keyboard.press('Delete');
    await waitForCellText(studio, 'Sales South', 'Regions.Region', /default: Nothing/);
    await keyboard.press(' ');
    await waitForCellText(studio, 'Sales South', 'Customers.Segment', /Nothing/);
    await keyboard.press('Control+z');
    await waitForCellText(studio, 'Sales South', 'Customers.Segment', /default: All/);
    await keyboard.press('Control+y');
    await waitForCellText(studio, 'Sales South', 'Customers.Segment', /Nothing/);
    await keyboard.press('Control+Home');
    await keyboard.press('ArrowDown');
    await keyboard.press('Home');
    await page.getByText(/^group Executives on Regions.Region: All/).waitFor();
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Control+d');
    await page.getByText('Nothing was changed.').waitFor();
    await studio.openedEditor(/^● Rules: Retail/);

    for (const theme of allThemes) {
      await studio.setTheme(theme);
      await studio.screenshot(`matrix-${theme}`);
      assert.deepEqual(await findAxeViolations(page), [], theme);
    }

    await page.getByLabel('Only changed').check();
    await page.getByText('3 of 14 parties, 2 of 7 columns').waitFor();
    await page.getByLabel('Only changed').uncheck();
    await page.getByRole('button', { name: 'Apply 3 Changes…' }).click();
    await studio.openedEditor(/^Plan: /);
    const apply = studio.webview().getByRole('button', { name: 'Apply', exact: true });
    await apply.waitFor();
    // Every plan names its connection: several instances may have a datamodel Retail.
    await studio
      .webview()
      .getByText(/^In Sandbox\. /)
      .waitFor();
    await studio.screenshot('matrix-plan');
    await apply.click();
    await studio.openedEditor('Rules: Retail');
    await page.getByText('The rules of the server say what the grid says.').waitFor();
    const regions = await readColumnRules(sandbox, retail, 'Regions.Region');
    assert.ok(regions.includes('Sales North: North; Alps'), regions.join('\n'));
    assert.ok(regions.includes('Sales South: Nothing'), regions.join('\n'));
    assert.ok(regions.includes('Sales: North; South; West'), regions.join('\n'));
    assert.deepEqual(await readColumnRules(sandbox, retail, 'Customers.Segment'), [
      'Marketing: Club',
      'Sales South: Nothing',
      'default: All',
    ]);
  },
);
