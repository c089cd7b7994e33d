import { expect, test } from 'vitest';
import type { FromPlanPage, ToPlanPage } from '../../src/webviews/protocol/planPage.ts';
import { TestMatrix } from './support/testMatrix.ts';
import { TestPage, useBrowser } from './support/testPage.ts';
import { createColumn, createViewpointText, openViewpointForm, getRow } from './support/viewpointForm.ts';

useBrowser();

const region = 'Regions.Region';

const openPlan = async (): Promise<TestPage<ToPlanPage, FromPlanPage>> => {
  const testPage = await TestPage.open<ToPlanPage, FromPlanPage>('plan');
  testPage.post({
    type: 'plan',
    view: {
      title: 'Delete Orders',
      tone: 'warning',
      summary: 'Two will break.',
      sections: [],
      applyLabel: 'Apply',
    },
  });
  await testPage.page.locator('button:focus').waitFor();
  return testPage;
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

test('Ctrl+A on a button selects nothing, and does not reach the editor, which would select all text of the page', async () => {
  const testPage = await openPlan();
  await recordEditorKeys(testPage);
  await testPage.page.keyboard.press('Control+a');
  expect(await getSelectedText(testPage)).toBe('');
  expect(await getEditorKeys(testPage)).toEqual(['Control 17']);
  // Without a focused control, the text of the page can still be selected and copied.
  await testPage.page.evaluate(
    () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
  );
  await testPage.page.keyboard.press('Control+a');
  expect(await getSelectedText(testPage)).toContain('Two will break.');
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

test('the second key of a keybinding is left to the editor, and not typed into a cell or a field', async () => {
  const matrix = await TestMatrix.open();
  await recordEditorKeys(matrix);
  await matrix.waitForFocus('Everyone else', region);
  await matrix.press('Control+Alt+j', 'b');
  expect(await matrix.editor.count()).toBe(0);
  expect((await getEditorKeys(matrix)).at(-1)).toBe('b 66');
  // Only the first key after the prefix of a keybinding is left to the editor.
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

test('shortcuts work with a keyboard layout that has no Latin letters', async () => {
  const matrix = await TestMatrix.open();
  await matrix.editCell('Sales North', region, 'West');
  const cell = await matrix.getCell('Sales North', region);
  await cell.filter({ hasText: 'West' }).waitFor();
  await cell.dispatchEvent('keydown', { key: 'я', code: 'KeyZ', ctrlKey: true });
  await cell.filter({ hasNotText: 'West' }).waitFor();
  const form = await openViewpointForm(createViewpointText(createColumn('Price'), createColumn('City')));
  await getRow(form, /Price/).click();
  await form.page
    .getByRole('grid', { name: 'Columns' })
    .dispatchEvent('keydown', { key: 'ф', code: 'KeyA', ctrlKey: true });
  await form.page.locator('[role=row][aria-selected=true]').nth(1).waitFor();
});

test('keys of an input method act on the composed text, not on the page', async () => {
  const matrix = await TestMatrix.open();
  const inputMethod = await matrix.page.context().newCDPSession(matrix.page);
  const compose = (text: string): Promise<unknown> =>
    inputMethod.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await matrix.select(['Sales North', region]);
  await matrix.press('F2');
  await matrix.editor.fill('');
  await compose('とう');
  for (const key of ['Enter', 'Escape']) {
    // An input method reports the key in this way; the key types no text.
    await inputMethod.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, windowsVirtualKeyCode: 229 });
  }
  await matrix.editor.and(matrix.page.locator(':focus')).waitFor();
  expect(await matrix.editor.inputValue()).toBe('とう');
  await inputMethod.send('Input.insertText', { text: '東京' });
  await matrix.press('Enter');
  await matrix.waitForCellText('Sales North', region, '東京');
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
  matrix.testPage.post({ type: 'applyRequested' });
  await matrix.waitForAnnouncement('No changes to apply.');
  await matrix.select(['Sales North', region]);
  await matrix.press('F2');
  await matrix.editor.fill('All but');
  matrix.testPage.post({ type: 'applyRequested' });
  await matrix.page.getByRole('alert').waitFor();
  await matrix.editor.and(matrix.page.locator(':focus')).waitFor();
  expect(matrix.testPage.messages.some(({ type }) => type === 'apply')).toBe(false);
  await matrix.editor.fill('West');
  matrix.testPage.post({ type: 'applyRequested' });
  const { cells } = await matrix.testPage.waitForMessage('apply');
  expect(cells.map(({ value }) => value)).toEqual([[{ kind: 'only', values: ['West'] }]]);
  // While changes are being applied, another request is ignored.
  matrix.testPage.post({ type: 'applyRequested' });
  await matrix.waitForFocus('Sales North', region);
  expect(matrix.testPage.messages.filter(({ type }) => type === 'apply')).toHaveLength(1);
});

test('after changes are applied by their button, the focus is in the grid', async () => {
  const matrix = await TestMatrix.open();
  await matrix.editCell('Sales North', region, 'West');
  await matrix.apply();
  await matrix.page.getByRole('button', { name: 'Applying…' }).waitFor();
  matrix.testPage.post({ type: 'outcome', outcome: 'cancelled' });
  await matrix.page.locator('[role=gridcell]:focus').waitFor();
});

test('if a pointer was released outside the page, the grid still gets the focus when its focused button is disabled', async () => {
  const matrix = await TestMatrix.open();
  const button = matrix.getButton('Add Column…');
  await button.focus();
  await button.evaluate((element: HTMLButtonElement) => {
    element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    window.dispatchEvent(new Event('blur'));
    element.disabled = true;
    element.blur();
    window.dispatchEvent(new Event('focus'));
  });
  await matrix.page.locator('[role=gridcell]:focus').waitFor();
});

test('while a plan is applied, the focus stays in its page, and the host is notified when the focus moves', async () => {
  const testPage = await openPlan();
  await testPage.waitForMessage('focus', ({ hasFocus }) => hasFocus);
  await testPage.page.getByRole('button', { name: 'Apply' }).click();
  testPage.post({ type: 'busy' });
  await testPage.page.locator('main:focus').waitFor();
  await testPage.page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await testPage.waitForMessage('focus', ({ hasFocus }) => !hasFocus);
});
