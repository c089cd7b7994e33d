import { expect, test } from 'vitest';
import { TestMatrix } from './support/matrix.ts';
import { useBrowser } from './support/openPage.ts';
import { createRule, only, parties, retail, retailRules } from './support/retailRules.ts';

useBrowser();

const region = 'Regions.Region';
const segment = 'Customers.Segment';
const channel = 'Orders.Channel';

test('a block is copied for a spreadsheet, and what comes back from it is pasted', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Executives', region], ['Sales South', segment]);
  await matrix.press('Control+c');
  await matrix.says('6 cells copied.');
  expect(await matrix.clipboard()).toBe('All\tClub\nNorth; Nordics\t\nSouth; Alps\t\n');
  await matrix.select(['Sales North', region]);
  await matrix.paste('"West"\tClub; Home Office\r\nAll but Alps\tNothing\r\n');
  await matrix.shows('Sales North', region, 'West(changed)');
  await matrix.shows('Sales North', segment, 'Club; Home Office(changed)');
  await matrix.shows('Sales South', region, 'All but Alps(changed)');
  await matrix.shows('Sales South', segment, 'Nothing(changed)');
  await matrix.says('4 cells changed.');
  await matrix.page.getByText('4 cells', { exact: true }).waitFor();
  await matrix.keeps(
    'group:north Customers.Segment: only Club; Home Office',
    'group:north Regions.Region: only West',
    'group:south Customers.Segment: only',
    'group:south Regions.Region: except Alps',
  );
  await matrix.button('Revert').click();
  await matrix.says('Reverted to the rules of the server; Undo brings the changes back.');
  await matrix.shows('Sales North', region, /^North; Nordics$/);
  await matrix.keeps();
  await matrix.button('Undo').click();
  await matrix.shows('Sales South', region, 'All but Alps(changed)');
});

test('one cell is cut, and pasted into all that are selected', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Sales North', region]);
  await matrix.press('Control+x');
  await matrix.says('One cell changed.');
  await matrix.shows('Sales North', region, 'default: Nothing(changed)');
  await matrix.select(['Executives', region], ['Sales South', segment]);
  await matrix.press('Control+v');
  await matrix.keeps(
    'group:executives Customers.Segment: only North; Nordics',
    'group:executives Regions.Region: only North; Nordics',
    'group:north Customers.Segment: only North; Nordics',
    'group:south Customers.Segment: only North; Nordics',
    'group:south Regions.Region: only North; Nordics',
  );
  await matrix.select(['Sales North', channel]);
  await matrix.press('Control+c');
  await matrix.says('One cell copied.');
  expect(await matrix.clipboard()).toBe('\n');
});

test('values beyond the edge and unreadable ones are left out, and said', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Bruno Keller', channel]);
  await matrix.paste('Online\tToo far');
  await matrix.says('One cell changed. One value lay beyond the last row or column and was left out.');
  await matrix.select(['Bruno Keller', segment]);
  await matrix.paste('A\tB\tC\nD\tE\tF');
  await matrix.says('2 cells changed. 4 values lay beyond the last row or column and were left out.');
  await matrix.select(['Sales North', segment]);
  await matrix.paste('All but\tOnline');
  await matrix.says(
    'One cell changed. Sales North on Customers.Segment was left as it is. All but what? Name at least one value.',
  );
  await matrix.select(['Executives', segment]);
  await matrix.paste('All but\nAll but');
  await matrix.says(
    'Nothing was changed. 2 cells were left as they are, the first Executives on Customers.Segment. All but what? Name at least one value.',
  );
});

test('all is copied with headings, and found again by them wherever it is pasted', async () => {
  const matrix = await TestMatrix.open();
  await matrix.page.getByLabel('Filter parties').fill('sales');
  await matrix.page.getByText('3 of 6 parties, 3 of 3 columns').waitFor();
  await matrix.button('Copy With Headings').click();
  await matrix.says('9 cells copied.');
  const text = await matrix.clipboard();
  expect(text).toMatch(/Regions\.Region\tCustomers\.Segment\tOrders\.Channel\n/);
  expect(text).toContain('North; Nordics');
  expect(text).not.toContain('Executives');
  await matrix.page.getByLabel('Filter parties').fill('');
  await matrix.select(['Bruno Keller', channel]);
  await matrix.paste(text.replace('North; Nordics', 'West'));
  await matrix.says('One cell changed.');
  await matrix.keeps('group:north Regions.Region: only West');
  await matrix.select(['Everyone else', region]);
  const unknown = text.replace('North; Nordics', 'Far East').replace('Orders.Channel', 'Orders.Chanel');
  await matrix.paste(unknown);
  await matrix.says(
    'One cell changed. 1 headings are no row or column here and were left out: Orders.Chanel',
  );
  await matrix.keeps('group:north Regions.Region: only Far East');
});

test('a clipboard that refuses is said', async () => {
  const matrix = await TestMatrix.open();
  await matrix.page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
  });
  await matrix.button('Copy With Headings').click();
  await matrix.says('The clipboard did not take it: Error: not allowed');
});

test('in a text field of the page, copy and paste are those of the field', async () => {
  const matrix = await TestMatrix.open();
  const filter = matrix.page.getByLabel('Filter columns');
  await filter.fill('Orders');
  await filter.press('Control+a');
  await filter.press('Control+c');
  expect(await matrix.clipboard()).toBe('Orders');
  await filter.fill('');
  await filter.press('Control+v');
  expect(await filter.inputValue()).toBe('Orders');
  await matrix.select(['Sales North', channel]);
  await matrix.press('F2');
  await matrix.press('Control+v');
  expect(await matrix.editor.inputValue()).toBe('Orders');
});

test('a cell whose rule has no ID, or names an unreadable party, is not changed but its reason said', async () => {
  const rules = [
    ...retailRules,
    createRule('Stores.Country', only('Norway'), ['group:north'], { _id: undefined }),
    createRule('Stores.Country', only('Spain'), ['group:south', 'robot:r2']),
  ];
  const matrix = await TestMatrix.open([
    { ...retail, rules },
    { type: 'parties', parties },
  ]);
  const noId = 'The server gave a rule of this cell no identifier: it can be neither changed nor deleted.';
  const unreadable = 'A rule of this cell names a party that cannot be read: change it in the JSON.';
  await matrix.shows('Sales North', 'Stores.Country', 'Norway(cannot be changed)');
  await matrix.select(['Sales North', 'Stores.Country']);
  await matrix.press('F2');
  await matrix.says(noId);
  await matrix.press('Delete');
  await matrix.says(`Nothing was changed. Sales North on Stores.Country was left as it is. ${noId}`);
  await matrix.select(['Sales South', 'Stores.Country']);
  await matrix.press('x');
  await matrix.says(unreadable);
  expect(await matrix.editor.count()).toBe(0);
  await matrix.page.getByText(`group Sales South on Stores.Country: Spain ${unreadable}`).waitFor();
});
