import { expect, test } from 'vitest';
import type { FromForm, ToForm } from '../../src/webviews/protocol/documentForm.ts';
import { TestPage, useBrowser } from './support/openPage.ts';

useBrowser();

test('JSON of the wrong kind stays in the field, with a hint', async () => {
  const opened = await TestPage.open<ToForm, FromForm<unknown, unknown>>('viewpointForm');
  const { page } = opened;
  const column = { title: 'Region', dim: '[Stores.Region]', datatype: 'text', filter: { unknown: 1 } };
  const value = { name: 'Sales', details: { columns: [column] } };
  opened.post({ type: 'document', value, epoch: 0, done: 0, isReadOnly: false });
  await page.getByText('Region').first().click();
  const field = page.getByLabel('Filter as JSON').locator('textarea').or(page.locator('textarea')).first();
  await field.fill('12');
  await page.getByText('This must be an object: the document is unchanged.').waitFor();
  expect(await field.inputValue()).toBe('12');
  await field.fill('{"unknown": 9007199254740993}');
  await page.getByText('A number has too many digits').waitFor();
  expect(opened.messages.filter(({ type }) => type === 'edit')).toEqual([]);
  await field.fill('{"unknown": 2}');
  await opened.receives('edit');
  opened.assertNoErrors();
});
