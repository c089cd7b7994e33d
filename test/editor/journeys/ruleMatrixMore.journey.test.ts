import assert from 'node:assert/strict';
import type { Rule } from '../../../src/contract/rule.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { journey } from '../support/journey.ts';
import { applyPlan, cell, openMatrix, said, shows, type } from '../support/matrixPage.ts';
import { openSandbox } from '../support/sandbox.ts';

const retail = '/api/elasticubes/LocalHost/Retail/datasecurity';
const support = '/api/v1/elasticubes/live/Support%20Desk/datasecurity';

journey(
  'blocks go to and from a spreadsheet; a live datamodel without rules gets its first column and party',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    for (const { _id } of (await sandbox.request('GET', support)) as readonly Rule[]) {
      await sandbox.request('DELETE', `/api/v1/elasticubes/live/datasecurity/${_id}`);
    }
    const studio = await openStudio({ env: sandbox.env });
    const { keyboard } = studio.page;
    await openMatrix(studio, 'Retail');
    const page = studio.webview();
    await (await cell(studio, 'Sales', 'Regions.Region')).click();
    await (await cell(studio, 'Sales South', 'Customers.Segment')).click({ modifiers: ['Shift'] });
    await keyboard.press('Control+c');
    await page.getByText('6 cells copied.').waitFor();

    // What a spreadsheet gets, and what it gives back.
    await studio.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const inPage = page.locator('body');
    assert.equal(
      await inPage.evaluate(() => navigator.clipboard.readText()),
      'North; South; West\t\nNorth; Nordics\t\nSouth; Alps\t\n',
    );
    const copied = '"West"\tClub; Home Office\r\nAll but Alps\tNothing\r\n';
    await inPage.evaluate((_body, text) => navigator.clipboard.writeText(text), copied);
    await (await cell(studio, 'Sales', 'Regions.Region')).click();
    await keyboard.press('Control+v');
    await shows(studio, 'Sales', 'Regions.Region', /West.*changed/);
    await shows(studio, 'Sales', 'Customers.Segment', /Club; Home Office/);
    await shows(studio, 'Sales North', 'Regions.Region', /All but Alps/);
    await shows(studio, 'Sales North', 'Customers.Segment', /Nothing/);
    await page.getByText('4 cells changed.').waitFor();
    await studio.screenshot('matrix-pasted');
    await page.getByRole('button', { name: 'Revert', exact: true }).click();
    await shows(studio, 'Sales', 'Regions.Region', /North; South; West/);

    await openMatrix(studio, 'Support Desk');
    await page.getByText(/There are no rules/).waitFor();
    await studio.screenshot('matrix-empty');
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('button', { name: 'Add Column…' }).first().click();
    await page.getByLabel('Column to secure').fill('Tickets.Cuontry');
    await keyboard.press('Enter');
    await page.getByText(/There is no column Tickets.Cuontry/).waitFor();
    await page.getByLabel('Column to secure').fill('Tickets.Country');
    await keyboard.press('Enter');
    await shows(studio, 'Everybody else', 'Tickets.Country', /no rule/);
    await (await cell(studio, 'Everybody else', 'Tickets.Country')).and(page.locator(':focus')).press(' ');
    await page.getByRole('button', { name: 'Add Party…' }).click();
    await page.getByLabel('Name of a group').fill('No Such Group');
    await keyboard.press('Enter');
    await page.getByText('There is no group No Such Group.').waitFor();
    await studio.screenshot('matrix-add-party');
    await page.getByLabel('Name of a group').fill('Executives');
    await keyboard.press('Enter');
    await shows(studio, 'Executives', 'Tickets.Country', /default: Nothing/);
    await type(studio, 'Executives', 'Tickets.Country', 'All but Germany');
    await page.getByText(/Rules of live datamodels cannot hide values/).waitFor();
    await keyboard.press('Escape');
    await type(studio, 'Executives', 'Tickets.Country', 'All');
    await page.getByRole('button', { name: 'Apply 2 Changes…' }).click();
    await page.getByText('The rules of the server say what the grid says.').waitFor();
    // Live rules are answered without names.
    assert.deepEqual(await said(sandbox, support, 'Tickets.Country'), ['default: Nothing', 'group: All']);
  },
);

journey(
  'what was not applied outlives the window and the tab; what changed on the server meanwhile is told',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({ env: sandbox.env });
    await openMatrix(studio, 'Retail');
    const page = studio.webview();
    await type(studio, 'Sales North', 'Regions.Region', 'West');
    await type(studio, 'Marketing', 'Customers.Segment', 'Club; Business');
    await studio.openedEditor(/^● Rules: Retail/);
    await studio.reloadWindow();
    await studio.openedEditor(/^● Rules: Retail/);
    await shows(studio, 'Sales North', 'Regions.Region', /West.*changed/);
    await shows(studio, 'Marketing', 'Customers.Segment', /Club; Business.*changed/);

    const rules = (await sandbox.request('GET', retail)) as readonly Rule[];
    const theirs = rules.find(({ members }) => members?.join() === 'North,Nordics');
    await sandbox.request('PUT', `/api/elasticubes/datasecurity/${theirs?._id}`, {
      ...theirs,
      members: ['Iberia'],
    });
    await page.getByRole('button', { name: 'Apply 2 Changes…' }).click();
    await page.getByText(/changed on the server meanwhile/).waitFor();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('On the server it is now: Iberia').waitFor();
    await studio.screenshot('matrix-conflict');
    assert.deepEqual(await accessibilityProblems(page), []);

    // The tab is closed by mistake: nothing of it is lost.
    await studio.runCommand('View: Close Editor');
    await studio.notificationAction(/2 changes of the rules of Retail were not applied/, 'Open Again');
    await page.getByText(/changed on the server meanwhile/).waitFor();
    await shows(studio, 'Sales North', 'Regions.Region', /West.*changed here and on the server/);
    await page.getByRole('alert').getByRole('button', { name: 'Keep Mine' }).click();
    await applyPlan(studio);
    await page.getByText('The rules of the server say what the grid says.').waitFor();
    const regions = await said(sandbox, retail, 'Regions.Region');
    assert.ok(regions.includes('Sales North: West'), regions.join('\n'));
    assert.ok((await said(sandbox, retail, 'Customers.Segment')).includes('Marketing: Club; Business'));
  },
);
