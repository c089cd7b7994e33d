import { expect, test } from 'vitest';
import type { MatrixHostMessage } from '../../src/webviews/protocol/ruleMatrix.ts';
import { createRule, everything, only, retailData, retailRules } from './support/retailRules.ts';
import { TestMatrix } from './support/testMatrix.ts';
import { pageThemes, useBrowser } from './support/testPage.ts';

useBrowser();

const region = 'Regions.Region';
const note = 'Files don’t show which users are in which groups.';

/** Returns rules in the form of files, which have no IDs. */
const toFileRules = (rules: readonly object[]): readonly object[] =>
  rules.map((rule) => Object.fromEntries(Object.entries(rule).filter(([name]) => name !== '_id')));

const filesData: Extract<MatrixHostMessage, { type: 'data' }> = {
  ...retailData,
  rules: toFileRules(retailRules),
  source: 'files',
  notes: [note],
};

test('the grid of files says what is unknown, and that changes are applied to the files', async () => {
  const matrix = await TestMatrix.open([filesData, { type: 'parties', parties: [] }]);
  await matrix.page.getByText(note).waitFor();
  expect(await matrix.getButton('Apply to Files').isDisabled()).toBe(true);
  // Rules of files have no IDs, and can be changed.
  await matrix.editCell('north', region, 'West');
  await matrix.waitForCellText('north', region, 'West(changed)');
  await matrix.select(['north', region]);
  await matrix.page.getByText('In the files: North; Nordics').waitFor();
  await matrix.testPage.screenshot('page-matrix-files');
  expect(await matrix.testPage.findAxeViolations()).toEqual([]);
  await matrix.editCell('south', region, 'All');
  await matrix.getButton('Apply 2 Changes to Files').click();
  const { cells } = await matrix.testPage.waitForMessage('apply');
  expect(cells.map(({ party, was }) => [party.id, was])).toEqual([
    ['north', 'Nordics; North'],
    ['south', 'Alps; South'],
  ]);
  matrix.testPage.post({ type: 'outcome', outcome: 'failed', message: 'A.rules.json has changed.' });
  await matrix.page.getByText("The changes weren't applied. A.rules.json has changed.").waitFor();
  matrix.testPage.post({ type: 'outcome', outcome: 'conflict' });
  await matrix.page
    .getByText(
      'Other rules in the files have changed in the meantime. Nothing was written. Apply your changes again.',
    )
    .waitFor();
  await matrix.getButton('Revert').click();
  await matrix.waitForAnnouncement('Reverted to the rules in the files.');
  matrix.testPage.post({ type: 'outcome', outcome: 'applied' });
  await matrix.page.getByText('The rules in the files match the grid.').waitFor();
});

test('a cell offers values of the instance, or says why there are none', async () => {
  const amount = 'Orders.Amount';
  const missing = 'Without a connection to the instance, only values in the files are offered.';
  const data = {
    ...filesData,
    rules: toFileRules([...retailRules, createRule(amount, everything, ['default'])]),
  };
  const matrix = await TestMatrix.open([{ type: 'values', lists: [], offered: [], problem: missing }, data]);
  await matrix.select(['south', amount]);
  await matrix.getButton('Values…').click();
  const hint = matrix.page.getByText(missing);
  await hint.waitFor();
  // Neither the editor nor its hint is cut off at the edge of the grid.
  expect(await hint.evaluate(isVisibleInGrid)).toBe(true);
  for (const theme of pageThemes) {
    await matrix.testPage.setTheme(theme);
    await matrix.testPage.screenshot(`page-matrix-files-no-values-${theme}`);
  }
  expect(await matrix.testPage.findAxeViolations()).toEqual([]);
  matrix.testPage.post({
    type: 'values',
    lists: [],
    offered: [{ table: 'Orders', column: 'Amount', values: [['120', 1]] }],
  });
  await matrix.page.getByRole('button', { name: '120', exact: true }).click();
  expect(await matrix.editor.inputValue()).toBe('120');
  await expect.poll(() => hint.count()).toBe(0);
});

/** Returns whether the editor around an element is completely in the visible part of the grid. */
function isVisibleInGrid(element: Element): boolean {
  const editor = element.closest('.cell-editor')?.getBoundingClientRect();
  const grid = element.closest('.grid')?.getBoundingClientRect();
  return (
    editor !== undefined && grid !== undefined && editor.bottom <= grid.bottom && editor.right <= grid.right
  );
}

test('a changed cell that was also changed in the files is a conflict', async () => {
  const matrix = await TestMatrix.open([filesData]);
  await matrix.editCell('north', region, 'West');
  await matrix.getButton('Apply 1 Change to Files').waitFor();
  matrix.testPage.post({
    ...filesData,
    rules: toFileRules(retailRules.with(2, createRule(region, only('Iberia'), ['group:north']))),
  });
  const alert = matrix.page.getByRole('alert');
  await alert.getByText('A cell that you changed was also changed in the files in the meantime.').waitFor();
  await alert.getByRole('button', { name: 'Show' }).click();
  await matrix.page.getByText('Current value in the files: Iberia').waitFor();
  await alert.getByRole('button', { name: 'Use the Version in the Files' }).click();
  await matrix.waitForCellText('north', region, /^Iberia$/);
});

test('the message that the files match the grid disappears when a rule in the files changes', async () => {
  const matrix = await TestMatrix.open([filesData]);
  const applied = {
    ...filesData,
    rules: toFileRules(retailRules.with(2, createRule(region, only('West'), ['group:north']))),
  };
  await matrix.editCell('north', region, 'West');
  await matrix.getButton('Apply 1 Change to Files').click();
  await matrix.testPage.waitForMessage('apply');
  matrix.testPage.post(applied);
  matrix.testPage.post({ type: 'outcome', outcome: 'applied' });
  const message = matrix.page.getByText('The rules in the files match the grid.');
  await message.waitFor();
  // Other files of the project have changed.
  matrix.testPage.post({ ...applied, notes: ['Another note'] });
  await matrix.page.getByText('Another note').waitFor();
  expect(await message.count()).toBe(1);
  // Version control has undone the change.
  matrix.testPage.post(filesData);
  await matrix.waitForCellText('north', region, /North/);
  expect(await message.count()).toBe(0);
});
