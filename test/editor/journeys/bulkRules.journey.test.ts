import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findAxeViolations } from '../support/axe.ts';
import { answerFileDialog } from '../support/fileDialog.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import type { Studio } from '../support/studio.ts';
import type { ThemeName } from '../support/themes.ts';

/** An editor starts in the first of them. */
const allThemes: readonly ThemeName[] = ['light', 'hc', 'dark'];
const [firstTheme] = allThemes;
const path = '/api/elasticubes/LocalHost/Retail/datasecurity';
const heading = 'table,column,datatype,access,value,party type,party';
const good = [
  heading,
  'Regions,Region,text,nothing,,default,',
  'Regions,Region,text,only,North,group,Sales North',
  'Regions,Region,text,only,Nordics,group,Sales North',
  'Regions,Region,text,only,Alps,group,Finance',
  'Regions,Region,text,everything,,group,Executives',
];

const rulesOnRegions = async (rules: Promise<unknown>): Promise<readonly string[]> =>
  ((await rules) as readonly Record<string, unknown>[])
    .filter(({ table, column }) => table === 'Regions' && column === 'Region')
    .map(({ members, allMembers, shares }) =>
      JSON.stringify([
        [...(members as string[])].sort(),
        allMembers,
        (shares as { type: string; partyName?: string }[])
          .map(({ type, partyName }) => partyName ?? type)
          .sort(),
      ]),
    )
    .sort();

/** People that the instance does not list are named by their IDs. */
const idStart = '5f0000000000000000';
const getId = (index: number): string => `${idStart}${index.toString(16).padStart(6, '0')}`;

const security = ['Sandbox', 'Datamodels', 'Retail', 'Data Security'] as const;

async function importFile(studio: Studio, name: string): Promise<void> {
  await studio.contextMenu(security, 'Import Rules…');
  await studio.quickPick(/From a File/);
  await answerFileDialog(studio.page, join(studio.workspace, name));
}

journey('rules are imported from a file as shown, and undone', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  const before = await rulesOnRegions(sandbox.request('GET', path));
  const bad = [...good, 'Regions,Regionn,text,only,South,group,No Such Group'].join('\n');
  const studio = await openStudio({ env: sandbox.env, workspace: { 'rules.csv': bad } });
  await studio.openView();
  await importFile(studio, 'rules.csv');

  const page = studio.webview();
  await page.getByRole('heading', { name: 'Import rules into Retail' }).waitFor();
  await page.getByText('Row 7: Regions has no column Regionn: the rule would protect nothing.').waitFor();
  await page.getByText('Row 7: Group not found: No Such Group.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Apply' }).isEnabled(), false);
  for (const theme of allThemes) {
    if (theme !== firstTheme) {
      await studio.setTheme(theme);
    }
    await studio.screenshot(`rule-import-${theme}`);
    assert.deepEqual(await findAxeViolations(page), [], theme);
  }

  await writeFile(join(studio.workspace, 'rules.csv'), good.join('\n'));
  await page.getByRole('button', { name: 'Compare Again' }).press('Enter');
  await page.getByRole('row', { name: /Change Regions\.Region Group Finance/ }).waitFor();
  const deletions = page.getByRole('row', { name: /Delete Regions\.Region/ });
  await deletions.first().waitFor();
  // The selection stays while a slow server is queried.
  const slow = { kind: 'latency', ms: 300, methods: ['GET'], pathPrefix: '/api' };
  await sandbox.request('PUT', '/sandbox/faults', { faults: [slow] });
  await page.getByLabel('Rules beside those that are there').check();
  await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
  await page.getByText('0 deleted').waitFor();
  await page.getByLabel('All rules of the columns that are named').check();
  await deletions.first().waitFor();
  await page.getByRole('button', { name: 'Apply' }).press('Enter');
  await page.getByText('Done. The server now has what was wanted.').waitFor();
  await studio.screenshot('rule-import-done');
  assert.deepEqual(await findAxeViolations(page), []);
  assert.deepEqual(await rulesOnRegions(sandbox.request('GET', path)), [
    '[["Alps"],null,["Finance"]]',
    '[["Nordics","North"],null,["Sales North"]]',
    '[[],false,["default"]]',
    '[[],true,["Executives"]]',
  ]);

  await page.getByRole('button', { name: 'Open Report' }).click();
  await studio.editorShows(/Import\srules\sinto\sRetail/);
  await studio.page.getByRole('tab', { name: 'rules.csv into Retail', exact: true }).click();
  await page.getByRole('button', { name: 'Roll Back' }).click();
  await studio.dialogAction('Bring Back');
  await studio.openedEditor(/^Plan: /);
  await page.getByText(/group Finance: only Alps/).waitFor();
  await studio.screenshot('rule-plan');
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  // The page compares again after the undo.
  await studio.openedEditor('rules.csv into Retail');
  await page.getByRole('button', { name: 'Dry Run Report' }).waitFor();
  await page.getByRole('row', { name: /Change Regions\.Region Group Finance/ }).waitFor();
  assert.deepEqual(await rulesOnRegions(sandbox.request('GET', path)), before);
});

journey(
  'rules are copied to a live datamodel that knows no exceptions, and exported; a long import is canceled, survives a reload, and is finished',
  async ({ openStudio }) => {
    await using sandbox = await startJourneySandbox();
    const users = Array.from(
      { length: 600 },
      (_user, index) => `Regions,Region,text,only,North,user,${getId(index)}`,
    );
    const studio = await openStudio({
      env: sandbox.env,
      workspace: { 'many.csv': [heading, ...users].join('\n') },
      settings: { 'datamodelStudio.rules.batchSize': 4 },
    });
    await studio.openView();
    await studio.contextMenu(security, 'Copy Rules to…');
    await studio.quickPick('Support Desk');
    const page = studio.webview();
    await page.getByRole('heading', { name: 'Copy rules of Retail to Support Desk' }).waitFor();
    await page.getByText(/rules on Regions\.Region go nowhere: no column of that name/).waitFor();
    await page.getByRole('button', { name: 'Column for Regions.Region: not copied' }).click();
    await studio.quickPick('Country');
    await page.getByText(/The rule on Tickets\.Country hides values/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Apply' }).isEnabled(), false);
    for (const theme of allThemes) {
      if (theme !== firstTheme) {
        await studio.setTheme(theme);
      }
      await studio.screenshot(`rule-copy-${theme}`);
      assert.deepEqual(await findAxeViolations(page), [], theme);
    }
    await page.getByLabel(/hides values, which a live datamodel cannot/).check();
    await page.getByRole('row', { name: /Add Tickets\.Country User .* only North, South, West/ }).waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Done. The server now has what was wanted.').waitFor();
    const live = (await sandbox.request(
      'GET',
      '/api/v1/elasticubes/live/Support%20Desk/datasecurity',
    )) as readonly { readonly column: string }[];
    assert.equal(live.filter(({ column }) => column === 'Country').length, 3 + 6);

    await studio.contextMenu(security, 'Export Rules…');
    await studio.quickPick(/To a File/);
    await answerFileDialog(studio.page, join(studio.workspace, 'out.csv'));
    await studio.editorShows(/rule,table,column,datatype,access,value/);

    await importFile(studio, 'many.csv');
    await page.getByText(/600 added/).waitFor();
    await sandbox.request('PUT', '/sandbox/faults', {
      faults: [{ kind: 'latency', ms: 400, methods: ['POST'], pathPrefix: '/api' }],
    });
    await page.getByRole('button', { name: 'Apply' }).click();
    await page
      .getByText(/\d\d+ of \d+/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText(/Cancelled after \d+ of \d+ steps/).waitFor();
    await studio.screenshot('rule-import-cancelled');
    assert.deepEqual(await findAxeViolations(page), []);
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });

    await studio.reload();
    await studio.openView();
    await studio.runCommand('Datamodel Studio: Focus on History View');
    const entry = studio.page
      .locator('.part.sidebar .monaco-list-row', { hasText: /^Changed the rules of / })
      .first();
    await entry.filter({ hasText: 'stopped after' }).waitFor();
    await studio.contextMenu([/^Changed the rules of /], 'Finish Interrupted Change');
    await entry.filter({ hasNotText: 'stopped after' }).filter({ hasNotText: 'under way' }).waitFor();
    const now = (await sandbox.request('GET', path)) as readonly Record<string, unknown>[];
    assert.equal(now.filter(({ shares }) => JSON.stringify(shares).includes(idStart)).length, 600);
  },
);
