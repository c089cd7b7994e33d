import { describe, expect, test } from 'vitest';
import { omitMembers } from '../../src/changes/model/jsonMembers.ts';
import type {
  MatrixPageMessage,
  MatrixCellChange,
  PersistedDraft,
  MatrixHostMessage,
} from '../../src/webviews/protocol/ruleMatrix.ts';
import { TestMatrix } from './support/testMatrix.ts';
import { TestPage, pageThemes, useBrowser } from './support/testPage.ts';
import {
  allBut,
  createRule,
  everything,
  only,
  parties,
  retailData,
  retailRules,
} from './support/retailRules.ts';

useBrowser();

const region = 'Regions.Region';
const segment = 'Customers.Segment';
const partiesMessage: MatrixHostMessage = { type: 'parties', parties };

const northChange: MatrixCellChange = {
  party: { type: 'group', id: 'north' },
  column: { table: 'Regions', column: 'Region', datatype: 'text' },
  value: [{ kind: 'only', values: ['West'] }],
  was: 'Nordics; North',
};
const storedDraft: PersistedDraft = {
  cells: [northChange],
  parties: [{ type: 'group', id: 'finance', name: 'Finance' }],
  columns: [{ table: 'Orders', column: 'Amount', datatype: 'numeric' }],
};
/** The message with the rules after another user changed the rule for Sales North. */
const rulesChangedByOthers: MatrixHostMessage = {
  ...retailData,
  rules: retailRules.with(2, createRule(region, only('Iberia'), ['group:north'])),
};

/** Names that sort the groups in another order than their IDs, which the page shows until names arrive. */
const namesInOtherOrder: MatrixHostMessage = {
  type: 'parties',
  parties: [
    { type: 'group', id: 'executives', name: 'Zurich' },
    { type: 'group', id: 'north', name: 'Yorkshire' },
    { type: 'group', id: 'south', name: 'Alps' },
  ],
};

describe('rows that move or disappear', () => {
  test('when names arrive, the selected cell stays selected and keeps the focus', async () => {
    const matrix = await TestMatrix.open([retailData]);
    await matrix.select(['executives', region]);
    await matrix.waitForFocus('executives', region);
    matrix.testPage.post(namesInOtherOrder);
    await matrix.waitForFocus('Zurich', region);
    await matrix.press('ArrowUp');
    await matrix.waitForFocus('Yorkshire', region);
    await matrix.press('Delete');
    await matrix.waitForCellText('Yorkshire', region, '(changed)');
    expect(await matrix.apply()).toEqual(['group:north Regions.Region: no rule']);
  });

  test('when names arrive, text that is being typed stays with its cell', async () => {
    const matrix = await TestMatrix.open([retailData]);
    await matrix.select(['executives', region]);
    await matrix.press('W', 'e');
    matrix.testPage.post(namesInOtherOrder);
    await matrix.page.getByRole('rowheader', { name: 'Zurich' }).waitFor();
    await matrix.press('s', 't', 'Enter');
    expect(await matrix.apply()).toEqual(['group:executives Regions.Region: only West']);
  });

  test('the row of a cell that is being edited stays when its rules are deleted on the server', async () => {
    const matrix = await TestMatrix.open();
    await matrix.select(['Executives', region]);
    await matrix.press('W', 'e');
    matrix.testPage.post({
      ...retailData,
      rules: retailRules.filter((rule) => !JSON.stringify(rule).includes('executives')),
    });
    await matrix.waitForCellText('Executives', region, 'everyone else');
    await matrix.press('s', 't', 'Enter');
    expect(await matrix.apply()).toEqual(['group:executives Regions.Region: only West']);
  });
});

describe('invalid text in a cell', () => {
  test('stays in its cell, which filters do not hide', async () => {
    const matrix = await TestMatrix.open();
    await matrix.editCell('Sales North', region, 'All but');
    const filter = matrix.page.getByPlaceholder('Filter users and groups');
    await filter.fill('Sales South');
    await matrix.page.getByRole('rowheader', { name: 'Executives' }).waitFor({ state: 'detached' });
    await filter.and(matrix.page.locator(':focus')).waitFor();
    expect(await matrix.editor.inputValue()).toBe('All but');
    await matrix.editor.press('End');
    await matrix.editor.pressSequentially(' West');
    await matrix.editor.press('Enter');
    await matrix.page.getByRole('rowheader', { name: 'Sales North' }).waitFor({ state: 'detached' });
    expect(await matrix.apply()).toEqual(['group:north Regions.Region: except West']);
  });

  test('is discarded when another cell is edited or its column is removed', async () => {
    const matrix = await TestMatrix.open();
    await matrix.editCell('Sales North', region, 'All but');
    await matrix.getButton('Add Column…').click();
    await matrix.page.getByLabel('Column to secure').fill('Stores.Id');
    await matrix.press('Enter');
    await matrix.waitForFocus('Everyone else', 'Stores.Id');
    expect(await matrix.editor.count()).toBe(0);
    await matrix.press('ArrowUp', 'F2');
    await matrix.editor.waitFor();
    await matrix.editor.fill('All but');
    // Removes the column.
    await matrix.getButton('Undo').click();
    await matrix.editor.waitFor({ state: 'detached' });
    expect(
      matrix.testPage.messages.some((message) => message.type === 'draft' && message.draft.cells.length > 0),
    ).toBe(false);
  });
});

describe('drafts, their results and conflicts', () => {
  test('the page persists which rules it shows, and posts a draft after a short delay, or immediately when it is hidden', async () => {
    const rulesReference = { connectionId: 'c1', resource: { kind: 'rules' } };
    const matrix = await TestMatrix.open([{ type: 'identity', rulesReference }, retailData, partiesMessage]);
    await expect.poll(() => matrix.testPage.state).toEqual(rulesReference);
    await matrix.editCell('Sales North', region, 'West');
    await matrix.waitForDraft('group:north Regions.Region: only West');
    await matrix.press('Control+z');
    await matrix.waitForDraft();
    await matrix.press('Control+y');
    await matrix.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await matrix.waitForDraft('group:north Regions.Region: only West');
    const { draft } = await matrix.testPage.waitForMessage('draft');
    expect(draft.cells).toEqual([northChange]);
  });

  test('a stored draft is restored, with the rows and columns that were added', async () => {
    const matrix = await TestMatrix.open([{ type: 'draft', draft: storedDraft }, retailData]);
    await matrix.page.getByText('Your unapplied changes were restored.').waitFor();
    // The draft contains the name of the added party, too, since no rule on the server has it.
    await matrix.waitForCellText('Finance', 'Orders.Amount', 'no rule');
    await matrix.waitForCellText('north', region, 'West(changed)');
    await matrix.getButton('Close').click();
    expect(await matrix.page.getByText('Your unapplied changes were restored.').count()).toBe(0);
    expect(await matrix.apply()).toEqual(['group:north Regions.Region: only West']);
  });

  test('while changes are being applied, nothing can be changed, and afterward, nothing can be undone', async () => {
    const matrix = await TestMatrix.open();
    await matrix.editCell('Sales North', region, 'West');
    await matrix.editCell('Sales South', segment, 'Nothing');
    expect(await matrix.apply()).toEqual([
      'group:north Regions.Region: only West',
      'group:south Customers.Segment: only',
    ]);
    await matrix.page.getByRole('button', { name: 'Applying…' }).waitFor();
    expect(await matrix.page.getByRole('grid').getAttribute('aria-busy')).toBe('true');
    await matrix.select(['Executives', region]);
    await matrix.press('Delete', 'F2', 'Control+z');
    expect(await matrix.editor.count()).toBe(0);
    for (const name of ['Undo', 'Revert', 'Add User or Group…', 'Add Column…', 'All', 'Nothing']) {
      expect(await matrix.getButton(name).isDisabled(), name).toBe(true);
    }
    const rules = retailRules.with(2, createRule(region, only('West'), ['group:north']));
    matrix.testPage.post({
      ...retailData,
      rules: [...rules, createRule(segment, { ...everything, allMembers: false }, ['group:south'])],
    });
    const announcement = matrix.page.locator('.announcement');
    await announcement.filter({ hasText: '2 unapplied changes.' }).waitFor();
    matrix.testPage.post({ type: 'outcome', outcome: 'applied' });
    const match = matrix.page.getByText('The rules on the server match the grid.');
    await match.waitFor();
    expect(await announcement.innerText()).toBe('');
    await matrix.waitForCellText('Sales North', region, /^West$/);
    await matrix.waitForCellText('Executives', region, /^All$/);
    expect(await matrix.getButton('Undo').isDisabled()).toBe(true);
    expect(await matrix.getButton('Apply Changes').isDisabled()).toBe(true);
    await matrix.editCell('Sales North', region, 'Nothing');
    await matrix.getButton('Apply 1 Change…').waitFor();
    expect(await match.count()).toBe(0);
  });

  test('a conflict that appears while changes are being applied cannot be resolved before the result', async () => {
    const matrix = await TestMatrix.open();
    await matrix.editCell('Sales North', region, 'West');
    await matrix.apply();
    matrix.testPage.post(rulesChangedByOthers);
    await matrix.select(['Sales North', region]);
    const details = matrix.page.getByRole('region', { name: 'Selected cells' });
    for (const area of [details, matrix.page.getByRole('alert')]) {
      for (const name of ['Keep Yours', "Use the Server's Version"]) {
        expect(await area.getByRole('button', { name }).isDisabled(), name).toBe(true);
      }
    }
    matrix.testPage.post({ type: 'outcome', outcome: 'conflict' });
    await details.getByRole('button', { name: 'Keep Yours' }).click();
    await details.getByText('On the server: Iberia').waitFor();
  });

  test('a canceled or failed attempt keeps the changes, and the page shows why it failed', async () => {
    const matrix = await TestMatrix.open();
    await matrix.editCell('Sales North', region, 'West');
    await matrix.apply();
    matrix.testPage.post({ type: 'outcome', outcome: 'cancelled' });
    await matrix.getButton('Apply 1 Change…').waitFor();
    await matrix.apply();
    matrix.testPage.post({ type: 'outcome', outcome: 'failed', message: 'The server is away.' });
    await matrix.page
      .getByText(
        "Some changes weren't applied. The server is away. The cells that weren't applied are still marked as changed.",
      )
      .waitFor();
    await matrix.waitForCellText('Sales North', region, 'West(changed)');
    expect(await matrix.getButton('Apply 1 Change…').isEnabled()).toBe(true);
    matrix.testPage.post({ type: 'outcome', outcome: 'conflict' });
    await matrix.page
      .getByText(
        'Other rules on the server have changed in the meantime. Nothing was sent. Apply your changes again.',
      )
      .waitFor();
  });

  test('a cell that was changed in the grid and on the server is a conflict, which the user resolves by keeping one version', async () => {
    const matrix = await TestMatrix.open([
      { type: 'draft', draft: storedDraft },
      rulesChangedByOthers,
      partiesMessage,
    ]);
    const alert = matrix.page.getByRole('alert');
    await alert
      .getByText('A cell that you changed was also changed on the server in the meantime.')
      .waitFor();
    expect(await matrix.getButton('Apply 1 Change…').isDisabled()).toBe(true);
    await matrix.page.getByLabel('Filter users and groups').fill('executives');
    await alert.getByRole('button', { name: 'Show' }).click();
    await matrix.page.getByText('Users and groups: 7, columns: 4').waitFor();
    await matrix.page.getByText('Current value on the server: Iberia').waitFor();
    await matrix.waitForCellText('Sales North', region, 'West(changed here and elsewhere)');
    await matrix.testPage.screenshot('page-matrix-conflict');
    expect(await matrix.testPage.findAxeViolations()).toEqual([]);
    await alert.getByRole('button', { name: "Use the Server's Version" }).click();
    await alert.waitFor({ state: 'detached' });
    await matrix.waitForCellText('Sales North', region, /^Iberia$/);
    await matrix.waitForDraft();
    await matrix.getButton('Undo').click();
    await alert.getByRole('button', { name: 'Keep Yours' }).click();
    await matrix.waitForCellText('Sales North', region, 'West(changed)');
    expect(await matrix.apply()).toEqual(['group:north Regions.Region: only West']);
    // The change is now based on the current value on the server.
    const { cells } = await matrix.testPage.waitForMessage('apply');
    expect(cells[0]?.was).toBe('Iberia');
  });

  test('the details of a conflicting cell offer both versions, and several conflicts are counted', async () => {
    const brunoChange: MatrixCellChange = {
      ...northChange,
      party: { type: 'user', id: 'bruno' },
      was: 'All but Portugal',
    };
    const draft = { ...storedDraft, cells: [northChange, brunoChange] };
    const matrix = await TestMatrix.open([{ type: 'draft', draft }, rulesChangedByOthers, partiesMessage]);
    await matrix.page
      .getByText(
        "2 cells that you changed were also changed on the server in the meantime. Your changes to them weren't sent.",
      )
      .waitFor();
    const details = matrix.page.getByRole('region', { name: 'Selected cells' });
    await matrix.select(['Sales North', region]);
    await details.getByRole('button', { name: 'Keep Yours' }).click();
    await details.getByText('On the server: Iberia').waitFor();
    await matrix.select(['Bruno Keller', region]);
    await details.getByRole('button', { name: "Use the Server's Version" }).click();
    await matrix.waitForDraft('group:north Regions.Region: only West');
    await matrix.page.getByRole('alert').waitFor({ state: 'detached' });
  });
});

describe('adding rows and columns', () => {
  test('a column is added by its name, unless it is unknown or has dates', async () => {
    const matrix = await TestMatrix.open();
    await matrix.getButton('Add Column…').click();
    const field = matrix.page.getByLabel('Column to secure');
    await field.and(matrix.page.locator(':focus')).waitFor();
    const status = matrix.page.getByRole('group', { name: 'Add Column' }).getByRole('status');
    for (const [text, problem] of [
      ['', 'Enter the column as Table.Column.'],
      ['Amount', 'Enter the column as Table.Column.'],
      ['Orders.amount', 'Column not found: Orders.amount. Names are case-sensitive.'],
      ['Customers.Since', "Customers.Since contains dates. Rules don't support date columns."],
    ] as const) {
      await field.fill(text);
      await field.press('Enter');
      await status.getByText(problem).waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
    }
    await field.fill('Orders.Amount');
    await field.press('Enter');
    await matrix.waitForFocus('Everyone else', 'Orders.Amount');
    await matrix.waitForAnnouncement('Orders.Amount was added. Add a rule for everyone else first.');
    expect(await field.count()).toBe(0);
    const openRulesButton = matrix.getButton('Open Rules of Orders.Amount');
    expect(await openRulesButton.isDisabled()).toBe(true);
    await matrix.press(' ');
    expect(await matrix.apply()).toEqual(['default Orders.Amount: only']);
    expect((await matrix.testPage.waitForMessage('apply')).cells[0]?.column.datatype).toBe('numeric');
  });

  test('a party is added by its name, or looked up by the host, and Escape closes the fields', async () => {
    const matrix = await TestMatrix.open();
    const field = matrix.page.getByLabel('Group name or ID');
    await matrix.getButton('Add User or Group…').click();
    await field.press('Escape');
    expect(await field.count()).toBe(0);
    await matrix.getButton('Add User or Group…').click();
    await field.fill('No Such Group');
    await field.press('Enter');
    const request = { type: 'findParty', partyType: 'group', text: 'No Such Group' } as const;
    await expect(matrix.testPage.waitForMessage('findParty')).resolves.toEqual(request);
    const problem = 'Group not found: No Such Group.';
    matrix.testPage.post({ type: 'party', partyType: 'group', text: 'No Such Group', problem });
    await matrix.page.getByText(problem).waitFor();
    await matrix.testPage.screenshot('page-matrix-add-party');
    expect(await matrix.testPage.findAxeViolations()).toEqual([]);
    await field.fill('Finance');
    await field.press('Enter');
    await matrix.waitForFocus('Finance', region);
    await matrix.waitForAnnouncement('Finance was added. The row is kept once it has a rule.');
    await matrix.getButton('Add User or Group…').click();
    await matrix.page.getByLabel('Type').selectOption('user');
    const user = matrix.page.getByLabel('User name, email address, or ID');
    await user.fill('bruno');
    await matrix.getButton('Add').click();
    await matrix.waitForAnnouncement('Bruno Keller already has a row.');
    await matrix.waitForFocus('Bruno Keller', region);
    await matrix.getButton('Add User or Group…').click();
    await matrix.page.getByLabel('Type').selectOption('user');
    await user.fill('carla@sandbox.local');
    await user.press('Enter');
    await matrix.testPage.waitForMessage('findParty', ({ text }) => text === 'carla@sandbox.local');
    const lookupResult = {
      partyType: 'user',
      text: 'carla@sandbox.local',
      id: 'carla',
      name: 'Carla Diaz',
    } as const;
    matrix.testPage.post({ type: 'party', ...lookupResult });
    await matrix.waitForFocus('Carla Diaz', region);
    await matrix.editCell('Carla Diaz', region, 'North');
    const { draft } = await matrix.testPage.waitForMessage(
      'draft',
      ({ draft: { cells } }) => cells.length === 1,
    );
    expect(draft.parties).toEqual([
      { type: 'group', id: 'finance', name: 'Finance' },
      { type: 'user', id: 'carla', name: 'Carla Diaz' },
    ]);
  });

  test('the result of a lookup is ignored if another text or type is entered before it arrives', async () => {
    const matrix = await TestMatrix.open();
    await matrix.getButton('Add User or Group…').click();
    const group = matrix.page.getByLabel('Group name or ID');
    await group.fill('Auditors');
    await group.press('Enter');
    await matrix.testPage.waitForMessage('findParty');
    await matrix.page.getByLabel('Type').selectOption('user');
    const user = matrix.page.getByLabel('User name, email address, or ID');
    matrix.testPage.post({
      type: 'party',
      partyType: 'group',
      text: 'Auditors',
      id: 'aud',
      name: 'Auditors',
    });
    await user.fill('carla@sandbox.local');
    await user.press('Enter');
    await matrix.testPage.waitForMessage('findParty', ({ partyType }) => partyType === 'user');
    // The next message doesn't contain the groups, and the page keeps them.
    matrix.testPage.post({
      type: 'parties',
      parties: [{ type: 'user', id: 'carla', name: 'Carla', groupIds: ['north'] }],
    });
    const result = {
      partyType: 'user',
      text: 'carla@sandbox.local',
      id: 'carla',
      name: 'Carla Diaz',
    } as const;
    matrix.testPage.post({ type: 'party', ...result });
    await matrix.waitForFocus('Carla Diaz', region);
    await matrix.waitForCellText('Carla Diaz', region, 'Sales North: ');
    expect(await matrix.page.getByRole('rowheader', { name: 'aud' }).count()).toBe(0);
  });

  test('a live datamodel without rules gets its first column, and allows no exclusions if the server omits their field', async () => {
    const tables = [{ name: 'Tickets', columns: [{ name: 'Country', type: 18 }] }];
    const catalog = { complete: true, relations: [], tables };
    const liveData: MatrixHostMessage = {
      type: 'data',
      title: 'Support Desk',
      kind: 'live',
      rules: [],
      catalog,
    };
    const matrix = await TestMatrix.open([liveData, partiesMessage]);
    await matrix.page
      .getByText('No rules. Everyone with access to the datamodel sees all of its data.')
      .waitFor();
    expect(await matrix.getButton('Add User or Group…').isDisabled()).toBe(true);
    await matrix.testPage.screenshot('page-matrix-empty');
    expect(await matrix.testPage.findAxeViolations()).toEqual([]);
    await matrix.getButton('Add Column…').last().click();
    await matrix.page.getByLabel('Column to secure').fill('Tickets.Country');
    await matrix.page.keyboard.press('Enter');
    await matrix.waitForFocus('Everyone else', 'Tickets.Country');
    await matrix.press(' ');
    await matrix.waitForCellText('Everyone else', 'Tickets.Country', 'Nothing(changed)');
    // A rule as returned by a server that omits the field `exclusionary`.
    const rule = omitMembers(createRule('Tickets.Country', everything, ['default']), 'exclusionary');
    matrix.testPage.post({ ...liveData, rules: [rule] });
    await matrix.select(['Everyone else', 'Tickets.Country']);
    await matrix.press('F2');
    await matrix.page.getByText('All, Nothing, or values separated by semicolons', { exact: true }).waitFor();
    await matrix.editor.fill('All but Germany');
    await matrix.press('Enter');
    await matrix.page.getByText("For live datamodels, this server doesn't return rules").waitFor();
    await matrix.press('Escape');
  });

  test('any column name is accepted if the columns are unknown', async () => {
    const { catalog: _catalog, ...dataWithoutCatalog } = retailData;
    const reason = 'The tables could not be read.';
    const matrix = await TestMatrix.open([{ ...dataWithoutCatalog, reason }, partiesMessage]);
    await matrix.page.getByText(reason).waitFor();
    await matrix.getButton('Add Column…').click();
    await matrix.page.getByLabel('Column to secure').fill('Any.Thing.At All');
    await matrix.getButton('Add').click();
    await matrix.waitForFocus('Everyone else', 'Any.Thing.At All');
  });

  test('a cube set without rules is shown as not confirmed, and an unknown column is added with a warning', async () => {
    const cubeSet: MatrixHostMessage = { ...retailData, title: 'Regional Sales', isCubeSet: true, rules: [] };
    const matrix = await TestMatrix.open([cubeSet, partiesMessage]);
    await matrix.page
      .getByText('Not confirmed: the server returned no rules for a cube set with this name.')
      .waitFor();
    expect(await matrix.testPage.findAxeViolations()).toEqual([]);
    const addColumn = async (name: string): Promise<void> => {
      await matrix.getButton('Add Column…').first().click();
      await matrix.page.getByLabel('Column to secure').fill(name);
      await matrix.getButton('Add').click();
      await matrix.waitForFocus('Everyone else', name);
    };
    await addColumn(region);
    await matrix.waitForAnnouncement(`${region} was added. Add a rule for everyone else first.`);
    const missingColumn = 'Region.Regions';
    await addColumn(missingColumn);
    await matrix.waitForAnnouncement(
      `${missingColumn} was added, but no extract datamodel has this column. Check its spelling.`,
    );
    await matrix.page
      .getByRole('columnheader', {
        name: `${missingColumn}, No extract datamodel has this column. Its rules have no effect.`,
      })
      .waitFor();
  });
});

describe('requests to the host', () => {
  test('the page opens the Effective Access page, and rules as JSON', async () => {
    const rules = [...retailRules, createRule(region, only('Lost'), [])];
    const matrix = await TestMatrix.open([{ ...retailData, rules }, partiesMessage]);
    await matrix.getButton('Effective Access').click();
    await matrix.testPage.waitForMessage('openAccess');
    await matrix.select(['Executives', segment]);
    await matrix.getButton('Open Rules of Customers.Segment').click();
    const column = { table: 'Customers', column: 'Segment', datatype: 'text' };
    await expect(matrix.testPage.waitForMessage('openRules')).resolves.toEqual({ type: 'openRules', column });
    await matrix.page
      .getByText("1 rule has an unreadable user, group, or column and isn't shown in the grid.")
      .waitFor();
    await matrix.getButton('Open JSON').click();
    await matrix.testPage.waitForMessage('openRules', (message) => message.column === undefined);
  });

  test('Retry reads rules that could not be read, and a later failure keeps the displayed rules', async () => {
    const testPage = await TestPage.open<MatrixHostMessage, MatrixPageMessage>('ruleMatrix');
    await testPage.page.getByText('Loading rules…').waitFor();
    testPage.post({ type: 'failed', message: 'The server is away.' });
    await testPage.page.getByRole('alert').getByText('The server is away.').waitFor();
    await testPage.screenshot('page-matrix-failed');
    expect(await testPage.findAxeViolations()).toEqual([]);
    await testPage.page.getByRole('button', { name: 'Retry' }).click();
    await testPage.waitForMessage('reload');
    testPage.post(retailData);
    await testPage.page.getByRole('grid').waitFor();
    expect(await testPage.page.getByText('The server is away.').count()).toBe(0);
    testPage.post({ type: 'failed', message: 'The connection was closed or changed.' });
    await testPage.page.getByText('The connection was closed or changed.').waitFor();
    await testPage.page.getByRole('grid').waitFor();
    testPage.messages.length = 0;
    await testPage.page.getByRole('button', { name: 'Retry' }).click();
    await testPage.waitForMessage('reload');
    testPage.assertNoErrors();
  });

  test('a column is marked if it does not exist, or has no rule for everyone else', async () => {
    const rules = [
      ...retailRules,
      createRule('Regions.Regionn', everything, ['default']),
      createRule('Customers.City', only('Oslo'), ['group:north']),
    ];
    const matrix = await TestMatrix.open([{ ...retailData, rules }, partiesMessage]);
    await matrix.page
      .getByRole('columnheader', { name: 'Regions.Regionn, Column not found. Its rules have no effect.' })
      .waitFor();
    await matrix.page
      .getByRole('columnheader', {
        name: 'Customers.City, No rule for everyone else. What they see is uncertain.',
      })
      .waitFor();
    await matrix.waitForCellText('Executives', 'Customers.City', 'uncertain');
  });
});

describe('the appearance', () => {
  const longName = 'A name that goes on and on '.repeat(6).trim();

  test.each(pageThemes)(
    'the page is accessible in %s, with changes, long names and many values',
    async (theme) => {
      const values = Array.from({ length: 60 }, (_none, index) => `Value ${index}`);
      const rules = [
        ...retailRules,
        createRule(`${longName}.${longName}`, only(...values), ['group:long']),
        createRule(`${longName}.${longName}`, allBut(...values), ['group:north']),
        createRule(segment, only('A', ' ', 'x'.repeat(200)), ['group:long']),
        createRule(segment, only('B'), ['group:long'], { _id: 'second' }),
      ];
      const matrix = await TestMatrix.open(
        [
          { ...retailData, title: longName, rules },
          { type: 'parties', parties: [...parties, { type: 'group', id: 'long', name: longName }] },
        ],
        { theme },
      );
      await matrix.editCell('Sales North', region, 'North; Alps');
      await matrix.press('Shift+ArrowRight', 'Delete');
      await matrix.page.getByText('Value 0; Value 1; Value 2', { exact: true }).waitFor();
      await matrix.testPage.screenshot(`page-matrix-${theme}`);
      expect(await matrix.testPage.findAxeViolations()).toEqual([]);
      expect(await matrix.testPage.findLayoutProblems('page-matrix')).toEqual([]);
      matrix.testPage.assertNoErrors();
    },
  );

  test('of 200 parties and 40 columns, only visible cells are rendered, and keys reach all of them', async () => {
    const groups = Array.from({ length: 200 }, (_none, index) => `Group ${index + 1}`);
    const columns = Array.from({ length: 40 }, (_none, index) => `Table ${index % 5}.Column ${index + 1}`);
    const rules = columns.flatMap((column) =>
      groups.map((group) => createRule(column, only(group), [`group:${group}`])),
    );
    const matrix = await TestMatrix.open([{ ...retailData, rules, title: 'Large' }]);
    await matrix.page.getByText('Users and groups: 201, columns: 40').waitFor();
    const cells = matrix.page.getByRole('gridcell');
    expect(await cells.count()).toBeLessThan(400);
    const grid = matrix.page.getByRole('grid');
    expect([await grid.getAttribute('aria-rowcount'), await grid.getAttribute('aria-colcount')]).toEqual([
      '202',
      '41',
    ]);
    await matrix.press('Control+End');
    await matrix.waitForFocus('Group 200', 'Column 40');
    // The row of everyone else stays visible.
    expect(await matrix.page.getByRole('rowheader', { name: 'everyone else' }).isVisible()).toBe(true);
    await matrix.press('PageUp');
    expect(await matrix.page.locator(':focus').getAttribute('data-column')).toBe('39');
    await matrix.press('Control+Shift+Home');
    await matrix.page.getByText(`${201 * 40} cells`, { exact: true }).waitFor({ state: 'detached' });
    await matrix.press('Control+a');
    await matrix.page.getByText(`${201 * 40} cells`, { exact: true }).waitFor();
    await matrix.press('x');
    await matrix.editor.fill('One for all');
    await matrix.press('Control+Enter');
    await matrix.waitForAnnouncement(`${201 * 40} cells changed.`);
    await matrix.waitForCellText('Group 199', 'Column 1', 'One for all(changed)');
    await matrix.press('Control+z');
    await matrix.waitForAnnouncement('No unapplied changes.');
    await matrix.waitForCellText('Group 199', 'Column 1', /^Group 199$/);
    await matrix.testPage.screenshot('page-matrix-large');
  });
});

describe('rules that the user may not change', () => {
  const reason = 'The grid is read-only because only administrators can change data security rules.';

  test('are shown in a read-only grid with the reason, and become editable again', async () => {
    const matrix = await TestMatrix.open([
      { type: 'readOnly', reason, canRetry: true },
      { type: 'draft', draft: storedDraft },
      retailData,
      partiesMessage,
    ]);
    const { page } = matrix;
    await page.locator('.notice', { hasText: reason }).waitFor();
    await matrix.waitForCellText('Sales North', region, '(changed)');
    expect(await page.getByRole('grid').getAttribute('aria-readonly')).toBe('true');
    for (const name of ['Add Column…', 'Add User or Group…', 'Apply 1 Change…', 'All', 'Values…']) {
      expect([name, await matrix.getButton(name).isDisabled()]).toEqual([name, true]);
    }
    await matrix.select(['Sales South', region]);
    await matrix.press('x');
    await matrix.waitForAnnouncement(reason);
    await matrix.press('ArrowDown', 'Delete');
    expect(await matrix.editor.count()).toBe(0);
    await matrix.paste('All');
    matrix.testPage.post({ type: 'applyRequested' });
    await matrix.waitForAnnouncement(reason);
    expect(await page.getByText('(changed)').count()).toBe(1);
    expect(await matrix.testPage.findAxeViolations()).toEqual([]);
    await matrix.testPage.screenshot('page-matrix-read-only');

    await matrix.getButton('Retry').click();
    await matrix.testPage.waitForMessage('retryEditing');
    matrix.testPage.post({ type: 'readOnly' });
    await page.locator('.notice', { hasText: reason }).waitFor({ state: 'detached' });
    expect(await matrix.apply()).toEqual(['group:north Regions.Region: only West']);
  });

  test('cannot be changed once the page is notified, and unapplied changes are kept', async () => {
    const matrix = await TestMatrix.open();
    await matrix.editCell('Sales South', region, 'Iberia');
    matrix.testPage.post({ type: 'readOnly', reason });
    await matrix.page.locator('.notice', { hasText: reason }).waitFor();
    await matrix.waitForCellText('Sales South', region, '(changed)');
    expect(await matrix.getButton('Retry').count()).toBe(0);
    expect(await matrix.getButton('Apply 1 Change…').isDisabled()).toBe(true);
    expect(await matrix.getButton('Revert').isDisabled()).toBe(false);
  });
});
