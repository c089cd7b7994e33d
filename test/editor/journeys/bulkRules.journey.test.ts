import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findAxeViolations } from '../support/axe.ts';
import { answerFileDialog } from '../support/fileDialog.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { readColumnRules } from '../support/matrixPage.ts';

const path = '/api/elasticubes/LocalHost/Retail/datasecurity';
const validLines = [
  'table,column,datatype,access,value,party type,party',
  'Regions,Region,text,nothing,,default,',
  'Regions,Region,text,only,North,group,Sales North',
  'Regions,Region,text,only,Alps,group,Finance',
];

journey('rules are imported from a file once its problems are fixed', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  const invalidText = [...validLines, 'Regions,Regionn,text,only,South,group,No Such Group'].join('\n');
  const studio = await openStudio({ env: sandbox.env, workspace: { 'rules.csv': invalidText } });
  await studio.openView();
  await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Retail', 'Data Security'], 'Import Rules…');
  await studio.selectQuickPick(/Import from File/);
  await answerFileDialog(studio.page, join(studio.workspace, 'rules.csv'));

  const page = studio.getWebview();
  await page.getByRole('heading', { name: 'Import rules into Retail' }).waitFor();
  await page.getByText('Row 5: Group not found: No Such Group.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Apply' }).isEnabled(), false);
  await studio.screenshot('rule-import-problems');

  await writeFile(join(studio.workspace, 'rules.csv'), validLines.join('\n'));
  await page.getByRole('button', { name: 'Compare Again' }).press('Enter');
  // The row was also shown before, but the change can be applied only now that the file has no problems.
  const applyButton = page.getByRole('button', { name: 'Apply', disabled: false });
  await applyButton.waitFor();
  await page.getByRole('row', { name: /Change Regions\.Region Group Finance/ }).waitFor();
  await applyButton.press('Enter');
  await page.getByText('Done. The rules on the server are up to date.').waitFor();
  await studio.screenshot('rule-import-done');
  assert.deepEqual(await findAxeViolations(page), []);
  assert.deepEqual(await readColumnRules(sandbox, path, 'Regions.Region'), [
    'Finance: Alps',
    'Sales North: North',
    'default: Nothing',
  ]);
});
