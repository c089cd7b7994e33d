import { expect, test } from 'vitest';
import type { FromPlanPage, ToPlanPage } from '../../src/webviews/protocol/planPage.ts';
import { TestMatrix } from './support/matrix.ts';
import { TestPage, useBrowser } from './support/openPage.ts';
import { createColumn, createViewpointText, openViewpointForm, getRow } from './support/viewpointForm.ts';

useBrowser();

const region = 'Regions.Region';

const openPlan = async (): Promise<TestPage<ToPlanPage, FromPlanPage>> => {
  const opened = await TestPage.open<ToPlanPage, FromPlanPage>('plan');
  opened.post({
    type: 'plan',
    view: {
      title: 'Delete Orders',
      tone: 'warning',
      summary: 'Two will break.',
      sections: [],
      applyLabel: 'Apply',
    },
  });
  await opened.page.locator('button:focus').waitFor();
  return opened;
};

const getSelectedText = ({ page }: Pick<TestMatrix, 'page'>): Promise<string> =>
  page.evaluate(() => String(getSelection()));

/** Records the keys that reach the window, where the editor listens for its keybindings. */
const recordEditorKeys = ({ page }: Pick<TestMatrix, 'page'>): Promise<void> =>
  page.evaluate(() => {
    const keys: string[] = [];
    window.addEventListener('keydown', ({ key, keyCode }) => keys.push(`${key} ${keyCode}`));
    Object.assign(globalThis, { editorKeys: keys });
  });

const getEditorKeys = ({ page }: Pick<TestMatrix, 'page'>): Promise<readonly string[]> =>
  page.evaluate(() => Reflect.get(globalThis, 'editorKeys'));

test('Ctrl+A on a button selects nothing, and does not reach the editor, which would select the page', async () => {
  const opened = await openPlan();
  await recordEditorKeys(opened);
  await opened.page.keyboard.press('Control+a');
  expect(await getSelectedText(opened)).toBe('');
  expect(await getEditorKeys(opened)).toEqual(['Control 17']);
  // Without a focused control, the text of the page can still be selected and copied.
  await opened.page.evaluate(
    () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
  );
  await opened.page.keyboard.press('Control+a');
  expect(await getSelectedText(opened)).toContain('Two will break.');
});

test('Ctrl+A in a field selects its text', async () => {
  const matrix = await TestMatrix.open();
  const field = matrix.page.getByPlaceholder('Filter columns');
  await field.fill('Regions');
  await matrix.press('Control+a', 'X');
  await expect.poll(() => field.inputValue()).toBe('X');
  const form = await openViewpointForm(createViewpointText(createColumn('Price')));
  const name = form.page.getByRole('textbox', { name: 'Name' });
  await name.focus();
  await form.press('Control+a', 'Y');
  await expect.poll(() => name.inputValue()).toBe('Y');
});

test('the second key of a keybinding is left to the editor: it is not typed into a cell or a field', async () => {
  const matrix = await TestMatrix.open();
  await recordEditorKeys(matrix);
  await matrix.waitForFocus('Everyone else', region);
  await matrix.press('Control+Alt+j', 'b');
  expect(await matrix.editor.count()).toBe(0);
  expect((await getEditorKeys(matrix)).at(-1)).toBe('b 66');
  // Only one key after the prefix is left to the editor.
  await matrix.press('n');
  await expect.poll(() => matrix.editor.inputValue()).toBe('n');
  await matrix.press('Control+Alt+j', 'Shift+B');
  expect(await matrix.editor.inputValue()).toBe('n');
  expect((await getEditorKeys(matrix)).at(-1)).toBe('B 66');
  await matrix.press('o');
  expect(await matrix.editor.inputValue()).toBe('no');
  // The shortcuts of the editor work while a cell is edited, too.
  await matrix.press('Control+s');
  expect((await getEditorKeys(matrix)).at(-1)).toBe('s 83');
});

test('Tab moves from a long grid of columns to the next control, not to the scrolling part of the grid', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `C${index}`);
  const form = await openViewpointForm(createViewpointText(...names.map((name) => createColumn(name))));
  const grid = form.page.getByRole('grid', { name: 'Columns' });
  await getRow(form, /C1 /).click();
  await grid.and(form.page.locator(':focus')).waitFor();
  await form.press('ArrowDown', 'Tab');
  await form.page.locator(':focus').and(form.page.locator('.inspector *')).waitFor();
  await form.press('Shift+Tab');
  await grid.and(form.page.locator(':focus')).waitFor();
});

test('a request of the host applies the changes like the button, including the text that is being typed', async () => {
  const matrix = await TestMatrix.open();
  matrix.opened.post({ type: 'applyRequested' });
  await matrix.waitForAnnouncement('No changes to apply.');
  await matrix.select(['Sales North', region]);
  await matrix.press('F2');
  await matrix.editor.fill('All but');
  matrix.opened.post({ type: 'applyRequested' });
  await matrix.page.getByRole('alert').waitFor();
  await matrix.editor.and(matrix.page.locator(':focus')).waitFor();
  expect(matrix.opened.messages.some(({ type }) => type === 'apply')).toBe(false);
  await matrix.editor.fill('West');
  matrix.opened.post({ type: 'applyRequested' });
  const { cells } = await matrix.opened.receives('apply');
  expect(cells.map(({ value }) => value)).toEqual([[{ kind: 'only', values: ['West'] }]]);
  // While changes are being applied, another request is ignored.
  matrix.opened.post({ type: 'applyRequested' });
  await matrix.waitForFocus('Sales North', region);
  expect(matrix.opened.messages.filter(({ type }) => type === 'apply')).toHaveLength(1);
});

test('after changes are applied by their button, the focus is in the grid', async () => {
  const matrix = await TestMatrix.open();
  await matrix.editCell('Sales North', region, 'West');
  await matrix.apply();
  await matrix.page.getByRole('button', { name: 'Applying…' }).waitFor();
  matrix.opened.post({ type: 'outcome', outcome: 'cancelled' });
  await matrix.page.locator('[role=gridcell]:focus').waitFor();
});

test('while a plan is applied, the focus stays in its page; the host gets a message when the focus moves', async () => {
  const opened = await openPlan();
  await opened.receives('focus', ({ hasFocus }) => hasFocus);
  await opened.page.getByRole('button', { name: 'Apply' }).click();
  opened.post({ type: 'busy' });
  await opened.page.locator('main:focus').waitFor();
  await opened.page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await opened.receives('focus', ({ hasFocus }) => !hasFocus);
});
