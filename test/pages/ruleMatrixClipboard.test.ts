import { expect, test } from 'vitest';
import { omitMembers } from '../../src/changes/model/jsonMembers.ts';
import { TestMatrix } from './support/testMatrix.ts';
import { useBrowser } from './support/testPage.ts';
import { createRule, only, parties, retailData, retailRules } from './support/retailRules.ts';

useBrowser();

const region = 'Regions.Region';
const segment = 'Customers.Segment';
const channel = 'Orders.Channel';

test('cells are copied as text for spreadsheets, and text from spreadsheets is pasted', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Executives', region], ['Sales South', segment]);
  await matrix.press('Control+c');
  await matrix.waitForAnnouncement('6 cells copied.');
  expect(await matrix.readClipboard()).toBe('All\tClub\nNorth; Nordics\t\nSouth; Alps\t\n');
  await matrix.select(['Sales North', region]);
  await matrix.paste('"West"\tClub; Home Office\r\nAll but Alps\tNothing\r\n');
  await matrix.waitForCellText('Sales North', region, 'West(changed)');
  await matrix.waitForCellText('Sales North', segment, 'Club; Home Office(changed)');
  await matrix.waitForCellText('Sales South', region, 'All but Alps(changed)');
  await matrix.waitForCellText('Sales South', segment, 'Nothing(changed)');
  await matrix.waitForAnnouncement('4 cells changed.');
  await matrix.page.getByText('4 cells', { exact: true }).waitFor();
  await matrix.waitForDraft(
    'group:north Customers.Segment: only Club; Home Office',
    'group:north Regions.Region: only West',
    'group:south Customers.Segment: only',
    'group:south Regions.Region: except Alps',
  );
  await matrix.getButton('Revert').click();
  await matrix.waitForAnnouncement(
    'Reverted to the rules on the server. Select Undo to restore your changes.',
  );
  await matrix.waitForCellText('Sales North', region, /^North; Nordics$/);
  await matrix.waitForDraft();
  await matrix.getButton('Undo').click();
  await matrix.waitForCellText('Sales South', region, 'All but Alps(changed)');
});

test('one cell is cut, and pasted into all selected cells', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Sales North', region]);
  await matrix.press('Control+x');
  await matrix.waitForAnnouncement('1 cell changed.');
  await matrix.waitForCellText('Sales North', region, 'everyone else: Nothing(changed)');
  await matrix.select(['Executives', region], ['Sales South', segment]);
  await matrix.press('Control+v');
  await matrix.waitForDraft(
    'group:executives Customers.Segment: only North; Nordics',
    'group:executives Regions.Region: only North; Nordics',
    'group:north Customers.Segment: only North; Nordics',
    'group:south Customers.Segment: only North; Nordics',
    'group:south Regions.Region: only North; Nordics',
  );
  await matrix.select(['Sales North', channel]);
  await matrix.press('Control+c');
  await matrix.waitForAnnouncement('1 cell copied.');
  expect(await matrix.readClipboard()).toBe('\n');
});

test('pasted values that are invalid or beyond the edge are skipped and reported', async () => {
  const matrix = await TestMatrix.open();
  await matrix.select(['Bruno Keller', channel]);
  await matrix.paste('Online\tToo far');
  await matrix.waitForAnnouncement(
    '1 cell changed. 1 value was beyond the last row or column and was skipped.',
  );
  await matrix.select(['Bruno Keller', segment]);
  await matrix.paste('A\tB\tC\nD\tE\tF');
  await matrix.waitForAnnouncement(
    '2 cells changed. 4 values were beyond the last row or column and were skipped.',
  );
  await matrix.select(['Sales North', segment]);
  await matrix.paste('All but\tOnline');
  await matrix.waitForAnnouncement(
    '1 cell changed. Sales North on Customers.Segment wasn\'t changed. Expected at least one value after "All but".',
  );
  await matrix.select(['Executives', segment]);
  await matrix.paste('All but\nAll but');
  await matrix.waitForAnnouncement(
    'No cells changed. 2 cells weren\'t changed. The first is Executives on Customers.Segment. Expected at least one value after "All but".',
  );
});

test('all visible cells are copied with headers, by which they find their cells when they are pasted anywhere', async () => {
  const matrix = await TestMatrix.open();
  await matrix.page.getByLabel('Filter users and groups').fill('sales');
  await matrix.page.getByText('3 of 6 users and groups, 3 of 3 columns').waitFor();
  await matrix.getButton('Copy with Headers').click();
  await matrix.waitForAnnouncement('9 cells copied.');
  const text = await matrix.readClipboard();
  expect(text).toMatch(/Regions\.Region\tCustomers\.Segment\tOrders\.Channel\n/);
  expect(text).toContain('North; Nordics');
  expect(text).not.toContain('Executives');
  await matrix.page.getByLabel('Filter users and groups').fill('');
  await matrix.select(['Bruno Keller', channel]);
  await matrix.paste(text.replace('North; Nordics', 'West'));
  await matrix.waitForAnnouncement('1 cell changed.');
  await matrix.waitForDraft('group:north Regions.Region: only West');
  await matrix.select(['Everyone else', region]);
  const changedText = text.replace('North; Nordics', 'Far East').replace('Orders.Channel', 'Orders.Chanel');
  await matrix.paste(changedText);
  await matrix.waitForAnnouncement(
    '1 cell changed. 1 header matches no row or column and was skipped: Orders.Chanel',
  );
  await matrix.waitForDraft('group:north Regions.Region: only Far East');
  const withoutParties = text.split('\n').map((line) => line.slice(line.indexOf('\t') + 1));
  await matrix.paste(withoutParties.join('\n'));
  await matrix.waitForAnnouncement(
    'Nothing was pasted. The first column of a table with headers must contain the users and groups.',
  );
});

test('a failure of the clipboard is reported', async () => {
  const matrix = await TestMatrix.open();
  await matrix.page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
  });
  await matrix.getButton('Copy with Headers').click();
  await matrix.waitForAnnouncement("Can't copy to the clipboard: Error: not allowed");
});

test('copy and paste in a text field act on the field, not on the grid', async () => {
  const matrix = await TestMatrix.open();
  const filter = matrix.page.getByLabel('Filter columns');
  await filter.fill('Orders');
  await filter.press('Control+a');
  await filter.press('Control+c');
  expect(await matrix.readClipboard()).toBe('Orders');
  await filter.fill('');
  await filter.press('Control+v');
  expect(await filter.inputValue()).toBe('Orders');
  await matrix.select(['Sales North', channel]);
  await matrix.press('F2');
  await matrix.press('Control+v');
  expect(await matrix.editor.inputValue()).toBe('Orders');
});

test('a cell whose rule has no ID or an unreadable party cannot be changed, and the reason is reported', async () => {
  const rules = [
    ...retailRules,
    omitMembers(createRule('Stores.Country', only('Norway'), ['group:north']), '_id'),
    createRule('Stores.Country', only('Spain'), ['group:south', 'robot:r2']),
  ];
  const matrix = await TestMatrix.open([
    { ...retailData, rules },
    { type: 'parties', parties },
  ]);
  const missingIdReason =
    "The server returned no ID for a rule in this cell, so it can't be changed or deleted here. Delete it in the platform's web interface first.";
  const unreadablePartyReason =
    "A rule in this cell has a user or group that can't be read. Edit it in the JSON.";
  await matrix.waitForCellText('Sales North', 'Stores.Country', 'Norway(read-only)');
  await matrix.select(['Sales North', 'Stores.Country']);
  await matrix.press('F2');
  await matrix.waitForAnnouncement(missingIdReason);
  await matrix.press('Delete');
  await matrix.waitForAnnouncement(
    `No cells changed. Sales North on Stores.Country wasn't changed. ${missingIdReason}`,
  );
  await matrix.select(['Sales South', 'Stores.Country']);
  await matrix.press('x');
  await matrix.waitForAnnouncement(unreadablePartyReason);
  expect(await matrix.editor.count()).toBe(0);
  await matrix.page
    .getByText(`Group Sales South on Stores.Country: Spain ${unreadablePartyReason}`)
    .waitFor();
});
