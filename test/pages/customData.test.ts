import { expect, test } from 'vitest';
import type { FromCustomData, ToCustomData } from '../../src/webviews/protocol/customData.ts';
import { TestPage, pageThemes, useBrowser } from './support/testPage.ts';

useBrowser();

type CustomDataTestPage = TestPage<ToCustomData, FromCustomData>;

const objects = Array.from({ length: 90 }, (_, number) => ({
  _id: `id-${number}`,
  app: 'shop',
  number,
  state: number % 3 === 0 ? 'open' : 'closed',
  ...(number % 30 === 0 ? { note: { text: 'odd / [name] 🧭' } } : {}),
}));

async function openCustomData(
  responseObjects: readonly object[] = objects,
  filter = '{}',
): Promise<CustomDataTestPage> {
  const testPage = await TestPage.open<ToCustomData, FromCustomData>('customData');
  testPage.post({ type: 'title', connection: 'Sandbox', connectionId: 'sandbox' });
  testPage.post({ type: 'objects', filter, text: JSON.stringify(responseObjects) });
  await testPage.page.getByRole('heading', { name: 'Custom Data: Sandbox' }).waitFor();
  return testPage;
}

const getFilter = ({ page }: CustomDataTestPage) => page.getByRole('combobox', { name: 'Filter' });

const question: Extract<ToCustomData, { type: 'question' }> = {
  type: 'question',
  action: 'change',
  filter: '{ "state": "open" }',
  isRepeated: false,
  count: 30,
  sample: objects.slice(0, 2).map((object) => ({
    before: JSON.stringify(object),
    after: JSON.stringify({ ...object, state: 'done' }),
  })),
};

test('a filter is typed with proposals for keys and values, and Enter runs the search', async () => {
  const testPage = await openCustomData();
  const { page } = testPage;
  await page.getByText('90 objects in total').waitFor();
  await page.getByText(/Don't store personal data/).waitFor();
  const filter = getFilter(testPage);
  await filter.click();
  await filter.pressSequentially('{ "app": "sh');
  await page.getByRole('option', { name: '"shop"' }).waitFor();
  await testPage.screenshot('page-custom-data-values');
  await filter.press('Enter');
  await filter.pressSequentially(', "sta');
  await page.getByRole('option', { name: 'state in 90 objects' }).waitFor();
  await filter.press('Enter');
  await filter.pressSequentially('"open" }');
  await filter.press('Escape');
  await filter.press('Enter');
  await expect(testPage.waitForMessage('find')).resolves.toEqual({
    type: 'find',
    filter: '{ "app": "shop", "state": "open" }',
  });
  testPage.post({ type: 'loading' });
  await page.getByText('Loading…').waitFor();
  testPage.post({
    type: 'objects',
    filter: '{ "state": "open" }',
    text: JSON.stringify(objects.slice(0, 1)),
  });
  await page.getByText('1 object matches { "state": "open" }').waitFor();
  await page
    .getByRole('row', { name: /shop.*open/ })
    .first()
    .waitFor();
  expect(testPage.state).toEqual({
    filter: '{ "app": "shop", "state": "open" }',
    connectionId: 'sandbox',
  });
  // The keys of all objects are still proposed.
  await filter.fill('{ "no');
  await page.getByRole('option', { name: 'note in 3 objects' }).waitFor();
  testPage.assertNoErrors();
});

test('proposals are opened with Ctrl+Space, and selected with arrow keys and the mouse', async () => {
  const testPage = await openCustomData();
  const { page } = testPage;
  const filter = getFilter(testPage);
  await filter.fill('{ ');
  await filter.press('Escape');
  await filter.press('Control+ ');
  const firstOption = page.getByRole('option').first();
  const secondOption = page.getByRole('option').nth(1);
  expect(await firstOption.getAttribute('aria-selected')).toBe('true');
  await filter.press('ArrowDown');
  expect(await secondOption.getAttribute('aria-selected')).toBe('true');
  await filter.press('ArrowUp');
  await filter.press('ArrowUp');
  expect(await page.getByRole('option').last().getAttribute('aria-selected')).toBe('true');
  await page.getByRole('option', { name: /^number/ }).click();
  expect(await filter.inputValue()).toContain('"number": ');
  // The focus stays in the input, so that the user can continue to type.
  await page.locator(':focus').and(filter).waitFor();
});

test('a filter that is not a complete JSON object is reported, and cannot be used for a search', async () => {
  const testPage = await openCustomData();
  const { page } = testPage;
  const findButton = page.getByRole('button', { name: 'Find' });
  await getFilter(testPage).fill('{ "app": ');
  await page.getByText('Incomplete JSON object.').waitFor();
  expect(await findButton.isDisabled()).toBe(true);
  await getFilter(testPage).fill('[]');
  await page.getByText('Expected a JSON object: { "key": value }').waitFor();
  await getFilter(testPage).press('Escape');
  await getFilter(testPage).press('Enter');
  expect(testPage.messages.some(({ type }) => type === 'find')).toBe(false);
  await getFilter(testPage).fill('');
  await findButton.click();
  expect((await testPage.waitForMessage('find')).filter).toBe('{}');
});

test('a change of all matching objects is requested, canceled, confirmed and undone', async () => {
  const testPage = await openCustomData();
  const { page } = testPage;
  const summary = page.getByText('Change or delete all matching objects');
  const changeAll = page.getByRole('button', { name: 'Change All…' });
  await getFilter(testPage).fill('{ "state": "open" }');
  await summary.click();
  expect(await changeAll.isDisabled()).toBe(true);
  const fieldsInput = page.getByRole('combobox', { name: 'Properties to set in each object' });
  await fieldsInput.fill('{ "state": "done" }');
  await fieldsInput.press('Escape');
  await changeAll.click();
  await expect(testPage.waitForMessage('ask')).resolves.toEqual({
    type: 'ask',
    action: 'change',
    filter: '{ "state": "open" }',
    change: '{ "state": "done" }',
  });
  testPage.post(question);
  await page.getByRole('heading', { name: /30 objects would be changed/ }).waitFor();
  await page.getByText('and 28 more').waitFor();
  // Cancel, the safe choice, has the focus.
  await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).press('Enter');
  await expect(testPage.waitForMessage('answer')).resolves.toEqual({ type: 'answer', isConfirmed: false });
  // The user answers a question only once, and no other question is possible until the host has replied.
  await page.getByRole('heading', { name: /30 objects would be changed/ }).waitFor({ state: 'detached' });
  expect(await changeAll.isDisabled()).toBe(true);
  testPage.post({ type: 'cancelled' });
  await summary.and(page.locator(':focus')).waitFor();
  await page.locator('button:enabled', { hasText: 'Change All…' }).waitFor();

  testPage.post(question);
  await page.getByRole('heading', { name: /30 objects would be changed/ }).waitFor();
  await page.getByRole('button', { name: 'Delete All…' }).click();
  await page.getByRole('heading', { name: /30 objects would be changed/ }).waitFor({ state: 'detached' });
  testPage.post(question);
  await page.getByRole('button', { name: 'Change 30 Objects' }).click();
  await testPage.waitForMessage('answer', ({ isConfirmed }) => isConfirmed);
  testPage.post({ type: 'changed', action: 'change', count: 30 });
  await page.getByText('30 objects were changed.').waitFor();
  await page.getByRole('button', { name: 'Undo…' }).click();
  await testPage.waitForMessage('undo');
  testPage.post({ type: 'changed', action: 'undo', count: 30 });
  await page.getByText('The change was undone.').waitFor();
});

test.each([
  [1, '{ "a": 1 }', '1 object would be deleted.', 'Delete 1 Object', '1 object was deleted.'],
  [11, '{ "a": 1 }', '11 objects would be deleted.', 'Delete 11 Objects', '11 objects were deleted.'],
  [
    90,
    '{}',
    'All 90 objects on the instance would be deleted.',
    'Delete 90 Objects',
    '90 objects were deleted.',
  ],
])('the deletion of %i objects must be confirmed', async (count, filter, heading, button, result) => {
  const testPage = await openCustomData();
  const { page } = testPage;
  await page.getByText('Change or delete all matching objects').click();
  await page.getByRole('button', { name: 'Delete All…' }).click();
  await expect(testPage.waitForMessage('ask')).resolves.toEqual({
    type: 'ask',
    action: 'delete',
    filter: '{}',
  });
  testPage.post({
    ...question,
    action: 'delete',
    count,
    filter,
    isRepeated: true,
    sample: [{ before: '{}' }],
  });
  await page.getByRole('heading', { name: heading }).waitFor();
  await page.getByText(/changed in the meantime/).waitFor();
  await page.getByRole('button', { name: button }).click();
  await testPage.waitForMessage('answer', ({ isConfirmed }) => isConfirmed);
  testPage.post({ type: 'changed', action: 'delete', count });
  await page.getByText(result).waitFor();
});

test('a change that affects no objects can only be canceled', async () => {
  const testPage = await openCustomData();
  await testPage.page.getByText('Change or delete all matching objects').click();
  testPage.post({ ...question, count: 0, sample: [] });
  await testPage.page.getByRole('heading', { name: /No objects match .*\. Nothing would change/ }).waitFor();
  expect(await testPage.page.getByRole('button', { name: /^Change \d/ }).count()).toBe(0);
});

test('keys move through the grid, and Enter or a double click opens an object', async () => {
  const testPage = await openCustomData();
  const grid = testPage.page.getByRole('grid', { name: 'Objects' });
  await grid.focus();
  const pressAndOpen = async (key: string, expected: string): Promise<void> => {
    await grid.press(key);
    await grid.press('Enter');
    await testPage.waitForMessage('open', ({ objectId }) => objectId === expected);
  };
  await pressAndOpen('ArrowDown', 'id-1');
  await pressAndOpen('PageDown', 'id-21');
  await pressAndOpen('End', 'id-89');
  await pressAndOpen('ArrowDown', 'id-89');
  await pressAndOpen('PageUp', 'id-69');
  await pressAndOpen('Home', 'id-0');
  await testPage.page.getByRole('row').nth(3).dblclick();
  await testPage.waitForMessage('open', ({ objectId, name }) => objectId === 'id-2' && name === 'id-2');
});

test('the selected object stays selected when other objects appear or disappear', async () => {
  const testPage = await openCustomData();
  const grid = testPage.page.getByRole('grid', { name: 'Objects' });
  await testPage.page.getByRole('row').nth(4).click();
  testPage.post({ type: 'objects', filter: '{}', text: JSON.stringify(objects.slice(2)) });
  await testPage.page.getByText('88 objects in total').waitFor();
  await grid.press('Enter');
  await testPage.waitForMessage('open', ({ objectId }) => objectId === 'id-3');
  testPage.post({ type: 'objects', filter: '{}', text: JSON.stringify(objects.slice(4)) });
  await testPage.page.getByText('86 objects in total').waitFor();
  await grid.press('Enter');
  await testPage.waitForMessage('open', ({ objectId }) => objectId === 'id-7');
});

test('columns can be hidden, all objects can be opened as JSON, and an object can be added', async () => {
  const testPage = await openCustomData();
  const { page } = testPage;
  await page.getByText(/\d of 5 keys shown as columns/).click();
  await page.getByRole('checkbox', { name: 'state' }).uncheck();
  await page.getByRole('columnheader', { name: 'state' }).waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'state' }).check();
  await page.getByRole('columnheader', { name: 'state' }).waitFor();
  await page.getByRole('button', { name: 'Open as JSON' }).click();
  await testPage.waitForMessage('openAll');
  await page.getByRole('button', { name: 'Add Object…' }).click();
  await testPage.waitForMessage('add');
});

test('the page explains an empty instance, an empty result and a failure', async () => {
  const testPage = await openCustomData([]);
  const { page } = testPage;
  await page.getByText('No custom data.').waitFor();
  expect(await page.getByRole('button', { name: 'Open as JSON' }).isDisabled()).toBe(true);
  await testPage.screenshot('page-custom-data-empty');
  expect(await testPage.findAxeViolations()).toEqual([]);
  testPage.post({ type: 'objects', filter: '{ "a": 1 }', text: '{ "items": [] }' });
  await page.getByText('No objects match the filter. Clear the filter to show all objects.').waitFor();
  testPage.post({
    type: 'failed',
    message: `The instance does not answer. ${'Ask its administrator. '.repeat(9)}`,
  });
  await page
    .getByRole('alert')
    .getByText(/The instance does not answer/)
    .waitFor();
  expect(await page.getByText('No objects match').count()).toBe(0);
  await testPage.screenshot('page-custom-data-failed');
  expect(await testPage.findAxeViolations()).toEqual([]);
});

test('a filter that was typed before a reload is restored', async () => {
  const testPage = await TestPage.open<ToCustomData, FromCustomData>('customData', {
    state: { filter: '{ "half', connectionId: 'sandbox' },
  });
  testPage.post({ type: 'objects', filter: '{}', text: '[]' });
  expect(await getFilter(testPage).inputValue()).toBe('{ "half');
  expect(testPage.state).toEqual({ filter: '{ "half', connectionId: 'sandbox' });
});

test.each(pageThemes)('the page is accessible with proposals and a confirmation in %s', async (theme) => {
  const longObject = { _id: 'long', ['a key with a very long name '.repeat(8)]: 'a long text '.repeat(40) };
  const testPage = await openCustomData([...objects, longObject]);
  const { page } = testPage;
  await testPage.setTheme(theme);
  await getFilter(testPage).fill('{ ');
  await page.getByRole('option').first().waitFor();
  await testPage.screenshot(`page-custom-data-${theme}`);
  expect(await testPage.findAxeViolations()).toEqual([]);
  expect(await testPage.findLayoutProblems('page-custom-data')).toEqual([]);
  await getFilter(testPage).press('Escape');
  await page.getByText('Change or delete all matching objects').click();
  testPage.post({ ...question, sample: [{ before: JSON.stringify(longObject) }, ...question.sample] });
  await page.getByRole('button', { name: 'Change 30 Objects' }).waitFor();
  await testPage.screenshot(`page-custom-data-question-${theme}`);
  expect(await testPage.findAxeViolations()).toEqual([]);
  expect(await testPage.findLayoutProblems('page-custom-data-question')).toEqual([]);
  testPage.assertNoErrors();
});
