import assert from 'node:assert/strict';
import { accessibilityProblems } from '../support/accessibility.ts';
import { journey } from '../support/journey.ts';
import { cell, openMatrix, said, shows } from '../support/matrixPage.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];
const retail = '/api/elasticubes/LocalHost/Retail/datasecurity';

journey('rules are edited as a grid by the keyboard, and applied as one plan', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env });
  const { keyboard } = studio.page;
  await openMatrix(studio, 'Retail');
  const page = studio.webview();
  await shows(studio, 'Everybody else', 'Regions.Region', /Nothing/);
  await shows(studio, 'Sales North', 'Regions.Region', /North; Nordics/);
  await shows(studio, 'Sales North', 'Customers.Segment', /default: All/);

  // In place: typed, cancelled, refused, taken.
  await (await cell(studio, 'Sales North', 'Regions.Region')).click();
  await keyboard.press('F2');
  await page.getByLabel('Values of the cell').fill('never');
  await keyboard.press('Escape');
  await shows(studio, 'Sales North', 'Regions.Region', /North; Nordics/);
  await keyboard.press('F2');
  await page.getByLabel('Values of the cell').fill('All but');
  await keyboard.press('Enter');
  await page.getByText('All but what? Name at least one value.').waitFor();
  await page.getByLabel('Values of the cell').fill('North; Alps');
  await keyboard.press('Enter');
  await shows(studio, 'Sales North', 'Regions.Region', /North; Alps.*changed/);

  // Over the row below, which has the focus now: a selection is filled, cleared, toggled, taken back.
  await shows(studio, 'Sales South', 'Regions.Region', /South; Alps/);
  await keyboard.press('Shift+ArrowRight');
  await page.getByText('2 cells', { exact: true }).waitFor();
  await keyboard.press('Delete');
  await shows(studio, 'Sales South', 'Regions.Region', /default: Nothing/);
  await keyboard.press(' ');
  await shows(studio, 'Sales South', 'Customers.Segment', /Nothing/);
  await keyboard.press('Control+z');
  await shows(studio, 'Sales South', 'Customers.Segment', /default: All/);
  await keyboard.press('Control+y');
  await shows(studio, 'Sales South', 'Customers.Segment', /Nothing/);
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
    assert.deepEqual(await accessibilityProblems(page), [], theme);
  }

  await page.getByLabel('Only changed').check();
  await page.getByText('3 of 14 parties, 2 of 7 columns').waitFor();
  await page.getByLabel('Only changed').uncheck();
  await page.getByRole('button', { name: 'Apply 3 Changes…' }).click();
  await studio.openedEditor(/^Plan: /);
  const apply = studio.webview().getByRole('button', { name: 'Apply', exact: true });
  await apply.waitFor();
  await studio.screenshot('matrix-plan');
  await apply.click();
  await studio.openedEditor('Rules: Retail');
  await page.getByText('The rules of the server say what the grid says.').waitFor();
  const regions = await said(sandbox, retail, 'Regions.Region');
  assert.ok(regions.includes('Sales North: North; Alps'), regions.join('\n'));
  assert.ok(regions.includes('Sales South: Nothing'), regions.join('\n'));
  assert.ok(regions.includes('Sales: North; South; West'), regions.join('\n'));
  assert.deepEqual(await said(sandbox, retail, 'Customers.Segment'), [
    'Marketing: Club',
    'Sales South: Nothing',
    'default: All',
  ]);
});
