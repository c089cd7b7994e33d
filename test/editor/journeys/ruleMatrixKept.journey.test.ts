import assert from 'node:assert/strict';
import type { Rule } from '../../../src/contract/rule.ts';
import { findAxeViolations } from '../support/axe.ts';
import { journey } from '../support/journey.ts';
import {
  applyShownPlan,
  openMatrixPage,
  readColumnRules,
  waitForCellText,
  typeIntoCell,
} from '../support/matrixPage.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';

const retail = '/api/elasticubes/LocalHost/Retail/datasecurity';

journey(
  'unapplied changes survive closing the tab and the window; changes on the server meanwhile are reported',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox();
    const studio = await openStudio({ env: sandbox.env });
    await openMatrixPage(studio, 'Retail');
    const page = studio.webview();
    await typeIntoCell(studio, 'Sales North', 'Regions.Region', 'West');
    await typeIntoCell(studio, 'Marketing', 'Customers.Segment', 'Club; Business');
    await studio.openedEditor(/^● Rules: Retail/);
    await studio.reloadWindow();
    await studio.openedEditor(/^● Rules: Retail/);
    await waitForCellText(studio, 'Sales North', 'Regions.Region', /West.*changed/);
    await waitForCellText(studio, 'Marketing', 'Customers.Segment', /Club; Business.*changed/);

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
    assert.deepEqual(await findAxeViolations(page), []);

    // The tab is closed by mistake: nothing is lost.
    await studio.runCommand('View: Close Editor');
    await studio.notificationAction(/2 changes of the rules of Retail were not applied/, 'Open Again');
    await page.getByText(/changed on the server meanwhile/).waitFor();
    await waitForCellText(studio, 'Sales North', 'Regions.Region', /West.*changed here and on the server/);
    await page.getByRole('alert').getByRole('button', { name: 'Keep Mine' }).click();
    await applyShownPlan(studio);
    await page.getByText('The rules of the server say what the grid says.').waitFor();
    const regions = await readColumnRules(sandbox, retail, 'Regions.Region');
    assert.ok(regions.includes('Sales North: West'), regions.join('\n'));
    assert.ok(
      (await readColumnRules(sandbox, retail, 'Customers.Segment')).includes('Marketing: Club; Business'),
    );

    // Even a single cell that needs one harmless request is shown before it is sent.
    await typeIntoCell(studio, 'Marketing', 'Customers.Segment', 'Club');
    await applyShownPlan(studio);
    await page.getByRole('button', { name: 'Apply Changes' }).waitFor();
    assert.ok((await readColumnRules(sandbox, retail, 'Customers.Segment')).includes('Marketing: Club'));
  },
);
