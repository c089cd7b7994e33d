import assert from 'node:assert/strict';
import type { Rule } from '../../../src/contract/rule.ts';
import { axeViolations } from '../support/axe.ts';
import { journey } from '../support/journey.ts';
import { applyPlan, openMatrix, said, shows, type } from '../support/matrixPage.ts';
import { openSandbox } from '../support/sandbox.ts';

const retail = '/api/elasticubes/LocalHost/Retail/datasecurity';

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
    assert.deepEqual(await axeViolations(page), []);

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

    // A single cell that takes one harmless request is shown before it is sent, too.
    await type(studio, 'Marketing', 'Customers.Segment', 'Club');
    await applyPlan(studio);
    await page.getByRole('button', { name: 'Apply Changes' }).waitFor();
    assert.ok((await said(sandbox, retail, 'Customers.Segment')).includes('Marketing: Club'));
  },
);
