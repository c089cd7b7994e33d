import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accessibilityProblems } from '../support/accessibility.ts';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['light', 'hc', 'dark'];
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

journey('rules are imported from a file, as it was shown, and taken back', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const before = await rulesOnRegions(sandbox.request('GET', path));
  const bad = [...good, 'Regions,Regionn,text,only,South,group,No Such Group'].join('\n');
  const studio = await openStudio({ env: sandbox.env, workspace: { 'rules.csv': bad } });
  await studio.openView();
  await studio.expand(['Sandbox', 'Datamodels', 'Retail']);
  await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Data Security'], 'Import Rules…');
  await studio.quickPick(/From a File/);
  const file = studio.page.locator('.quick-input-widget:visible .quick-input-box input');
  await studio.page.locator('.quick-input-widget:visible').getByText('rules.csv').waitFor();
  await file.fill(join(studio.workspace, 'rules.csv'));
  await studio.page.keyboard.press('Enter');

  const page = studio.webview();
  await page.getByRole('heading', { name: 'Import rules into Retail' }).waitFor();
  await page.getByText('Row 7: Regions has no column Regionn: the rule would protect nothing.').waitFor();
  await page.getByText('Row 7: The server knows no group No Such Group.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Apply' }).isEnabled(), false);
  for (const theme of allThemes) {
    await studio.setTheme(theme);
    await studio.screenshot(`rule-import-${theme}`);
    assert.deepEqual(await accessibilityProblems(page), [], theme);
  }

  await writeFile(join(studio.workspace, 'rules.csv'), good.join('\n'));
  await page.getByRole('button', { name: 'Compare Again' }).click();
  await page.getByRole('row', { name: /Change Regions\.Region Group Finance/ }).waitFor();
  await page
    .getByRole('row', { name: /Delete Regions\.Region/ })
    .first()
    .waitFor();
  await page.getByLabel('Rules beside those that are there').check();
  await page.getByText('0 deleted').waitFor();
  await page.getByLabel('All rules of the columns that are named').check();
  await page
    .getByRole('row', { name: /Delete Regions\.Region/ })
    .first()
    .waitFor();
  await studio.screenshot('rule-import-ready');
  await page.getByRole('button', { name: 'Apply' }).press('Enter');
  await page.getByText('Done. The server now has what was wanted.').waitFor();
  await studio.screenshot('rule-import-done');
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(await rulesOnRegions(sandbox.request('GET', path)), [
    '[["Alps"],null,["Finance"]]',
    '[["Nordics","North"],null,["Sales North"]]',
    '[[],false,["default"]]',
    '[[],true,["Executives"]]',
  ]);

  await page.getByRole('button', { name: 'Open Report' }).click();
  await studio.editorShows(/Import\srules\sinto\sRetail/);
  await studio.screenshot('rule-import-report');
  await studio.page.getByRole('tab', { name: 'Import rules into Retail' }).click();
  await page.getByRole('button', { name: 'Take Back' }).click();
  await studio.dialogAction('Bring Back');
  await studio.webview().getByRole('button', { name: 'Apply', exact: true }).click();
  await studio
    .webview()
    .getByRole('row', { name: /Change Regions\.Region Group Finance/ })
    .waitFor();
  assert.deepEqual(await rulesOnRegions(sandbox.request('GET', path)), before);
});

journey('a change of many rules is cancelled, survives a reload, and is finished', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const rules = Array.from(
    { length: 600 },
    (_rule, index) => `Regions,Region,text,only,North,user,user-${index}`,
  );
  const studio = await openStudio({
    env: sandbox.env,
    workspace: { 'many.csv': [heading, ...rules].join('\n') },
    settings: { 'datamodelStudio.rules.batchSize': 4 },
  });
  await studio.runCommand('Datamodel Studio: Import Rules…');
  await studio.quickPick('Retail');
  await studio.quickPick(/From a File/);
  const file = studio.page.locator('.quick-input-widget:visible .quick-input-box input');
  await studio.page.locator('.quick-input-widget:visible').getByText('many.csv').waitFor();
  await file.fill(join(studio.workspace, 'many.csv'));
  await studio.page.keyboard.press('Enter');
  const page = studio.webview();
  await page.getByText(/600 added/).waitFor();
  await sandbox.request('PUT', '/sandbox/faults', {
    faults: [{ kind: 'latency', ms: 400, methods: ['POST'], pathPrefix: '/api' }],
  });
  await page.getByRole('button', { name: 'Apply' }).click();
  await page
    .getByText(/\d\d+ of \d+/)
    .first()
    .waitFor();
  await studio.screenshot('rule-import-running');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText(/Cancelled after \d+ of \d+ steps/).waitFor();
  await studio.screenshot('rule-import-cancelled');
  assert.deepEqual(await accessibilityProblems(page), []);
  await sandbox.request('PUT', '/sandbox/faults', { faults: [] });

  await studio.reload();
  await studio.openView();
  await studio.runCommand('View: Show History');
  await studio.contextMenu([/stopped after/], 'Finish Interrupted Change');
  await studio.treeItemGone([/stopped after/]);
  const now = (await sandbox.request('GET', path)) as readonly Record<string, unknown>[];
  const users = now.filter(({ shares }) => JSON.stringify(shares).includes('user-'));
  assert.equal(users.length, 600);
});

journey(
  'rules are exported, and copied to a live datamodel that knows no exceptions',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({ env: sandbox.env, workspace: { 'readme.txt': '' } });
    await studio.openView();
    await studio.expand(['Sandbox', 'Datamodels', 'Retail']);
    const security = ['Sandbox', 'Datamodels', 'Retail', 'Data Security'] as const;
    await studio.contextMenu(security, 'Copy Rules to…');
    await studio.quickPick('Support Desk');
    const page = studio.webview();
    await page.getByRole('heading', { name: 'Copy rules of Retail to Support Desk' }).waitFor();
    await page.getByText(/rules on Regions\.Region go nowhere: no column of that name/).waitFor();
    await page.getByRole('button', { name: 'Column for Regions.Region: not copied' }).click();
    await studio.quickPick('Country');
    await page.getByText(/The rule on Tickets\.Country hides values/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Apply' }).isEnabled(), false);
    await studio.screenshot('rule-copy');
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByLabel(/1 rules hide values, which a live datamodel cannot/).check();
    await page.getByRole('row', { name: /Add Tickets\.Country User .* only North, South, West/ }).waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Done. The server now has what was wanted.').waitFor();
    const live = (await sandbox.request(
      'GET',
      '/api/v1/elasticubes/live/Support%20Desk/datasecurity',
    )) as readonly {
      readonly column: string;
    }[];
    assert.equal(live.filter(({ column }) => column === 'Country').length, 3 + 6);

    await studio.contextMenu(security, 'Export Rules…');
    await studio.quickPick(/To a File/);
    await studio.page.locator('.quick-input-widget:visible').getByText('OK').waitFor();
    await studio.page.keyboard.press('Enter');
    await studio.editorShows(/rule,table,column,datatype,access,value/);
    await studio.screenshot('rule-export');
  },
);
