import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Rule } from '../../../src/contract/rule.ts';
import type { ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import type { ToAccessPage } from '../../../src/webviews/protocol/accessPage.ts';
import type {
  MatrixPageMessage,
  MatrixCellChange,
  MatrixHostMessage,
} from '../../../src/webviews/protocol/ruleMatrix.ts';
import { fetchTable } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import type { HostedPage } from '../support/pages.ts';
import { cancelPlan } from '../support/plans.ts';
import { backUpRules, readColumnRules, retailRulesPath, supportRulesPath } from '../support/rules.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

type Data = Extract<MatrixHostMessage, { type: 'data' }>;
type ReadOnly = Extract<MatrixHostMessage, { type: 'readOnly' }>;
type Outcome = Extract<MatrixHostMessage, { type: 'outcome' }>;

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const post = (page: HostedPage, message: MatrixPageMessage): void => page.post(message);

async function openMatrix(studio: HostStudio, title = 'Retail'): Promise<{ page: HostedPage; data: Data }> {
  await studio.chooseFromContextMenu(
    ['Sandbox', 'Datamodels', title],
    'Data Security',
    'Edit Rules in Grid…',
  );
  const page = await studio.findPage('datamodelStudio.ruleMatrix', `Rules: ${title}`);
  return { page, data: await page.waitForMessage<Data>('data') };
}

/** A change of the rule on regions for Sales North. */
function createNorthChange(data: Data, value: string, was = 'Nordics; North'): MatrixCellChange {
  const rule = (data.rules as readonly Rule[]).find(({ shares }) =>
    shares?.some(({ partyName }) => partyName === 'Sales North'),
  );
  const share = rule?.shares?.[0];
  return {
    party: { type: 'group', id: share?.partyId ?? share?.party ?? '' },
    column: { table: 'Regions', column: 'Region', datatype: 'text' },
    value: [{ kind: 'only', values: [value] }],
    was,
  };
}

const createDraftMessage = (...cells: readonly MatrixCellChange[]): MatrixPageMessage => ({
  type: 'draft',
  draft: { cells: [...cells], parties: [], columns: [] },
});

/** Changes the rule of Sales North as another user. */
async function changeAsAnotherUser(sandbox: JourneySandbox, members: readonly string[]): Promise<void> {
  const rules = (await sandbox.request('GET', retailRulesPath)) as readonly Rule[];
  const salesNorthRule = rules.find(({ shares }) =>
    shares?.some(({ partyName }) => partyName === 'Sales North'),
  );
  await sandbox.request('PUT', `/api/elasticubes/datasecurity/${salesNorthRule?._id}`, {
    ...salesNorthRule,
    members,
  });
}

async function answerPlan(studio: HostStudio, type: 'apply' | 'cancel'): Promise<void> {
  const plan = await studio.findPage('datamodelStudio.plan');
  await plan.waitForMessage('plan');
  plan.post({ type });
}

describeOnSandbox('rule matrix', (test) => {
  test('the page gets the values of its columns that occur in rules of other datamodels', async ({
    studio,
  }) => {
    // The rules of the other datamodel are known once they were listed.
    await studio.findTreeItem(['Sandbox', 'Datamodels', 'Marketing', 'Data Security', 'Leads.Region']);
    const { page } = await openMatrix(studio);
    const { lists } = await page.waitForMessage<Extract<MatrixHostMessage, { type: 'values' }>>('values');
    const regions = lists.flat().find(({ table, column }) => table === 'Leads' && column === 'Region');
    assert.deepEqual(regions?.values.toSorted(), [
      ['Alps', 1],
      ['Nordics', 1],
      ['North', 1],
      ['South', 1],
    ]);
  });

  test('the page gets the rules, the tables, and the parties of the instance', async ({ studio }) => {
    const { page, data } = await openMatrix(studio);
    const identity = await page.waitForMessage<Extract<MatrixHostMessage, { type: 'identity' }>>('identity');
    assert.ok('resource' in identity.rulesReference);
    assert.deepEqual(identity.rulesReference.resource, {
      kind: 'rules',
      subject: { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' },
    });
    assert.deepEqual([data.title, data.kind, data.rules.length], ['Retail', 'extract', 19]);
    assert.ok(data.catalog?.complete);
    assert.ok(data.catalog.tables.some(({ name }) => name === 'Regions'));
    const { parties } = await page.waitForMessage<Extract<MatrixHostMessage, { type: 'parties' }>>('parties');
    assert.ok(parties.some(({ type, name }) => type === 'group' && name === 'Executives'));
    // Running the command again shows the same tab: two tabs would overwrite each other's changes.
    await studio.chooseFromContextMenu(retail, 'Data Security', 'Edit Rules in Grid…');
    await studio.waitForEditor('Rules: Retail');
    assert.equal(studio.pages.open.filter(({ viewType }) => viewType.endsWith('ruleMatrix')).length, 1);
  });

  test('the command of Ctrl+S asks the active page to apply, or says what to open if no page is open', async ({
    studio,
  }) => {
    const apply = 'datamodelStudio.ruleMatrix.apply';
    void vscode.commands.executeCommand(apply);
    await studio.waitForNotification('Open the rules of a datamodel in the grid first.');
    const { page: other } = await openMatrix(studio, 'Marketing');
    const { page } = await openMatrix(studio);
    await waitFor(
      () => page.panel.active && !other.panel.active,
      () => 'The second page is not the active one',
    );
    await vscode.commands.executeCommand(apply);
    await page.waitForMessage('applyRequested');
    assert.equal(other.messages.filter(({ type }) => type === 'applyRequested').length, 0);
  });

  test('when a plan is closed, the editor gets the focus only if the plan had it', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const { page, data } = await openMatrix(studio);
    const focusEditor = 'workbench.action.focusActiveEditorGroup';
    for (const [hasFocus, count] of [
      [true, 1],
      [false, 1],
      [true, 2],
    ] as const) {
      post(page, { type: 'apply', cells: [createNorthChange(data, 'Alps')] });
      const plan = await studio.findPage('datamodelStudio.plan');
      await plan.waitForMessage('plan');
      plan.post({ type: 'focus', hasFocus: true });
      plan.post({ type: 'focus', hasFocus });
      await cancelPlan(studio, plan);
      await studio.waitForEditor('Rules: Retail');
      await waitFor(
        () => studio.getCommandRuns(focusEditor).length === count,
        () => `The editor got the focus ${studio.getCommandRuns(focusEditor).length} times`,
      );
    }
  });

  test('a changed cell is applied as a plan that names its connection', async ({ studio, sandbox }) => {
    await using _rules = await backUpRules(sandbox);
    const { page, data } = await openMatrix(studio);
    const cell = createNorthChange(data, 'Alps');
    post(page, createDraftMessage(cell));
    await studio.waitForEditor('● Rules: Retail');
    post(page, { type: 'apply', cells: [cell] });
    const plan = await studio.findPage('datamodelStudio.plan');
    const { view } = await plan.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>('plan');
    assert.match(
      view.summary,
      /^Group Sales North gains values of Regions\.Region \(now: only "Nordics", "North"; after: only "Alps"\)\. This also affects linked tables: Orders, Order Items, and 9 more tables\. 1 more user or group might gain access\. Group Sales North loses access to some data\. Anyone in both Sales and Sales North might lose access to some data\.$/,
    );
    assert.equal(view.tone, 'warning');
    assert.deepEqual(
      view.sections.map(({ title, items }) => [title, items.map(({ text, detail }) => [text, detail])]),
      [
        [
          'Access changes',
          [
            [
              'Group Sales North',
              'Regions.Region: only "Nordics", "North" → only "Alps" · also affects linked tables: Orders, Order Items, and 9 more tables',
            ],
            [
              'Anyone in both Sales and Sales North',
              'Regions.Region: uncertain, from only "North" to only "Nordics", "North", "South", "West" → uncertain, from no values to only "Alps", "North", "South", "West" · also affects linked tables: Orders, Order Items, and 9 more tables',
            ],
          ],
        ],
        [
          'Will be changed',
          [['Regions.Region', 'Retail · group Sales North: only "Nordics", "North" → only "Alps"']],
        ],
      ],
    );
    assert.ok(
      (await readColumnRules(sandbox, retailRulesPath, 'Regions.Region')).includes(
        'Sales North: Nordics; North',
      ),
    );
    plan.post({ type: 'apply' });
    assert.deepEqual(await page.waitForMessage<Outcome>('outcome'), { type: 'outcome', outcome: 'applied' });
    const shown = page.messages.findLast((message) => message.type === 'data') as Data;
    assert.ok((shown.rules as readonly Rule[]).some(({ members }) => members?.join() === 'Alps'));
    await waitFor(
      () => page.title === 'Rules: Retail',
      () => page.title,
    );
    const regions = await readColumnRules(sandbox, retailRulesPath, 'Regions.Region');
    assert.ok(regions.includes('Sales North: Alps'), regions.join('\n'));
    assert.ok(regions.includes('Sales: North; South; West'), regions.join('\n'));
  });

  test('the plan names a user who has no rules yet', async ({ studio }) => {
    const { page, data } = await openMatrix(studio);
    const { parties } = await page.waitForMessage<Extract<MatrixHostMessage, { type: 'parties' }>>('parties');
    const elena = parties.find(({ name }) => name === 'elena.petrova@sandbox.local');
    post(page, {
      type: 'apply',
      cells: [{ ...createNorthChange(data, 'West', ''), party: { type: 'user', id: elena?.id } }],
    });
    const plan = await studio.findPage('datamodelStudio.plan');
    const { view } = await plan.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>('plan');
    assert.match(
      view.summary,
      /^No one gains access\. User elena\.petrova@sandbox\.local (might lose|loses) access to some data\.$/,
    );
    const details = view.sections.flatMap(({ items }) =>
      items.map(({ text, detail }) => `${text} ${detail}`),
    );
    assert.ok(
      details.some((detail) => detail.startsWith('User elena.petrova@sandbox.local Regions.Region: ')),
    );
    assert.ok(details.some((detail) => detail.endsWith('user elena.petrova@sandbox.local: only "West"')));
    await cancelPlan(studio, plan);
  });

  test('changes of several parties and columns are applied as one plan', async ({ studio, sandbox }) => {
    await using _rules = await backUpRules(sandbox);
    const { page, data } = await openMatrix(studio);
    const { parties } = await page.waitForMessage<Extract<MatrixHostMessage, { type: 'parties' }>>('parties');
    const south = { type: 'group', id: parties.find(({ name }) => name === 'Sales South')?.id } as const;
    const nothing = [{ kind: 'only' as const, values: [] }];
    const segment = { table: 'Customers', column: 'Segment', datatype: 'text' } as const;
    const north = createNorthChange(data, 'Alps');
    const cells: readonly MatrixCellChange[] = [
      north,
      { party: south, column: north.column, value: nothing, was: 'Alps; South' },
      { party: south, column: segment, value: nothing, was: '' },
    ];
    const readHistory = () => studio.tree.getChildLabels(undefined, 'datamodelStudio.history');
    const before = await readHistory();
    post(page, { type: 'apply', cells: [...cells] });
    const plan = await studio.findPage('datamodelStudio.plan');
    await answerPlan(studio, 'apply');
    await page.waitForMessage<Outcome>('outcome', ({ outcome }) => outcome === 'applied');
    const progress = plan.messages.flatMap(
      (message) => (message as { readonly progress?: string }).progress ?? [],
    );
    assert.match(progress.at(-1) ?? '', /^\d+ of \d+ rules$/);
    const regions = await readColumnRules(sandbox, retailRulesPath, 'Regions.Region');
    for (const line of ['Sales North: Alps', 'Sales South: Nothing', 'Sales: North; South; West']) {
      assert.ok(regions.includes(line), regions.join('\n'));
    }
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Customers.Segment'), [
      'Marketing: Club',
      'Sales South: Nothing',
      'default: All',
    ]);
    assert.equal((await readHistory()).length, before.length + 1);
  });

  test('a live datamodel without rules gets its first column, for a party of the instance', async ({
    studio,
    sandbox,
  }) => {
    for (const { _id } of (await sandbox.request('GET', supportRulesPath)) as readonly Rule[]) {
      await sandbox.request('DELETE', `/api/v1/elasticubes/live/datasecurity/${_id}`);
    }
    const { page, data } = await openMatrix(studio, 'Support Desk');
    assert.deepEqual([data.kind, data.rules], ['live', []]);
    const { parties } = await page.waitForMessage<Extract<MatrixHostMessage, { type: 'parties' }>>('parties');
    const executives = parties.find(({ name }) => name === 'Executives');
    const column = { table: 'Tickets', column: 'Country', datatype: 'text' } as const;
    const cells: readonly MatrixCellChange[] = [
      { party: { type: 'default' }, column, value: [{ kind: 'only', values: [] }], was: '' },
      {
        party: { type: 'group', id: executives?.id },
        column,
        value: [{ kind: 'except', values: [] }],
        was: '',
      },
    ];
    post(page, { type: 'apply', cells: [...cells] });
    await answerPlan(studio, 'apply');
    await page.waitForMessage<Outcome>('outcome', ({ outcome }) => outcome === 'applied');
    await page.waitForMessage<Data>('data', ({ rules }) => rules.length === 2);
    assert.deepEqual(await readColumnRules(sandbox, supportRulesPath, 'Tickets.Country'), [
      'Executives: All',
      'default: Nothing',
    ]);
  });

  test('a column that another user adds can be secured once the matrix is opened again', async ({
    studio,
    sandbox,
  }) => {
    const hasCode = ({ catalog }: Data): boolean | undefined =>
      catalog?.tables.find(({ name }) => name === 'Stores')?.columns.some(({ name }) => name === 'Code');
    const { data } = await openMatrix(studio);
    assert.equal(hasCode(data), false);
    const { table, path } = await fetchTable(sandbox, 'Retail', 'Stores');
    const columns = table.columns ?? [];
    const added = { id: 'Code', name: 'Code', type: 18, isCustom: true, expression: "'x'" };
    await sandbox.request('PATCH', path, { columns: [...columns, added] });
    await studio.runCommand('View: Close Editor');
    assert.equal(hasCode((await openMatrix(studio)).data), true);
    await sandbox.request('PATCH', path, { columns });
  });

  test('the plan of several changed cells shows a change per party, and no deletions or creations', async ({
    studio,
  }) => {
    const { page, data } = await openMatrix(studio);
    const north = createNorthChange(data, 'Alps');
    const everyoneElse: MatrixCellChange = {
      ...north,
      party: { type: 'default' },
      value: [{ kind: 'only', values: ['North'] }],
      was: 'Nothing',
    };
    post(page, { type: 'apply', cells: [north, everyoneElse] });
    const plan = await studio.findPage('datamodelStudio.plan');
    const { view } = await plan.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>('plan');
    assert.match(
      view.summary,
      /^Everyone else gains values of Regions\.Region \(now: no values; after: only "North"\)\. This also affects linked tables: Orders, Order Items, and 9 more tables\. 1 more user or group gains access\. 1 more user or group might gain access\. Group Sales North loses access to some data\. Anyone in both Sales and Sales North might lose access to some data\.$/,
    );
    const changes = view.sections.find(({ title }) => title === 'Will be changed');
    assert.deepEqual(changes?.items.map(({ detail }) => detail).toSorted(), [
      'Retail · everyone else: no values → only "North"',
      'Retail · group Sales North: only "Nordics", "North" → only "Alps"',
    ]);
    assert.deepEqual(
      view.sections.map(({ title }) => title),
      ['Gains access', 'Access changes', 'Will be changed'],
    );
    plan.post({ type: 'cancel' });
    await page.waitForMessage<Outcome>('outcome', ({ outcome }) => outcome === 'cancelled');
  });

  test('a plan that is closed sends nothing, and cells that are set to their current values need no plan', async ({
    studio,
    sandbox,
  }) => {
    const { page, data } = await openMatrix(studio);
    const before = await readColumnRules(sandbox, retailRulesPath, 'Regions.Region');
    post(page, { type: 'apply', cells: [createNorthChange(data, 'Alps')] });
    await answerPlan(studio, 'cancel');
    await page.waitForMessage<Outcome>('outcome', ({ outcome }) => outcome === 'cancelled');
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Regions.Region'), before);
    const unchangedCell = {
      ...createNorthChange(data, ''),
      value: [{ kind: 'only' as const, values: ['North', 'Nordics'] }],
    };
    post(page, { type: 'apply', cells: [unchangedCell] });
    await page.waitForMessage<Outcome>('outcome', ({ outcome }) => outcome === 'applied');
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Regions.Region'), before);
  });

  test('a cell that changed on the server is a conflict: nothing is sent, and the new rules are shown', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const { page, data } = await openMatrix(studio);
    await changeAsAnotherUser(sandbox, ['Iberia']);
    post(page, { type: 'apply', cells: [createNorthChange(data, 'West')] });
    await page.waitForMessage<Outcome>('outcome', ({ outcome }) => outcome === 'conflict');
    const shown = page.messages.findLast((message) => message.type === 'data') as Data;
    assert.ok((shown.rules as readonly Rule[]).some(({ members }) => members?.join() === 'Iberia'));
    post(page, { type: 'apply', cells: [createNorthChange(data, 'West', 'Iberia')] });
    await answerPlan(studio, 'apply');
    await page.waitForMessage<Outcome>('outcome', ({ outcome }) => outcome === 'applied');
    assert.ok(
      (await readColumnRules(sandbox, retailRulesPath, 'Regions.Region')).includes('Sales North: West'),
    );
  });

  test('rules that change while the plan is read are not overwritten: the plan closes, and the cell is a conflict', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const { page, data } = await openMatrix(studio);
    post(page, { type: 'apply', cells: [createNorthChange(data, 'West')] });
    const plan = await studio.findPage('datamodelStudio.plan');
    await plan.waitForMessage('plan');
    await changeAsAnotherUser(sandbox, ['Iberia']);
    plan.post({ type: 'apply' });
    await page.waitForMessage<Outcome>('outcome', ({ outcome }) => outcome === 'conflict');
    const shown = page.messages.findLast((message) => message.type === 'data') as Data;
    assert.ok((shown.rules as readonly Rule[]).some(({ members }) => members?.join() === 'Iberia'));
    assert.ok(!studio.pages.open.includes(plan));
    assert.ok(
      (await readColumnRules(sandbox, retailRulesPath, 'Regions.Region')).includes('Sales North: Iberia'),
    );
  });

  test('a refusal of the server is reported with its reason, and the changes are kept', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const { page, data } = await openMatrix(studio);
    const cell = createNorthChange(data, 'West');
    post(page, createDraftMessage(cell));
    const fault = { kind: 'status', status: 403, methods: ['POST', 'PUT', 'DELETE'], pathPrefix: '/api' };
    await sandbox.request('PUT', '/sandbox/faults', { faults: [fault] });
    post(page, { type: 'apply', cells: [cell] });
    await answerPlan(studio, 'apply');
    const plan = await studio.findPage('datamodelStudio.plan');
    await plan.waitForMessage('plan', (message) =>
      /403|not allowed|permission/i.test(JSON.stringify(message)),
    );
    plan.post({ type: 'cancel' });
    await page.waitForMessage<Outcome>('outcome', ({ outcome }) => outcome === 'cancelled');
    // Only administrators may change rules, so the grid is read-only until the user tries again.
    const readOnly = await page.waitForMessage<ReadOnly>('readOnly', ({ reason }) => reason !== undefined);
    assert.match(readOnly.reason ?? '', /^The grid is read-only because only administrators can change/);
    assert.equal(readOnly.canRetry, true);
    post(page, { type: 'retryEditing' });
    await page.waitForMessage<ReadOnly>('readOnly', ({ reason }) => reason === undefined);
    await sandbox.request('PUT', '/sandbox/faults', {
      faults: [{ ...fault, status: 500, methods: ['GET'] }],
    });
    post(page, { type: 'apply', cells: [cell] });
    const { message = '' } = await page.waitForMessage<Outcome>(
      'outcome',
      ({ outcome }) => outcome === 'failed',
    );
    assert.match(message, /500|server/i);
    await studio.waitForEditor('● Rules: Retail');
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    assert.ok(
      (await readColumnRules(sandbox, retailRulesPath, 'Regions.Region')).includes(
        'Sales North: Nordics; North',
      ),
    );
    post(page, createDraftMessage());
    await studio.waitForEditor('Rules: Retail');
  });

  test('unapplied changes are offered again after the tab was closed or the window reloaded, and can be discarded', async ({
    studio,
  }) => {
    const { page, data } = await openMatrix(studio);
    const cell = createNorthChange(data, 'West');
    post(page, createDraftMessage(cell));
    await studio.waitForEditor('● Rules: Retail');
    await studio.runCommand('View: Close Editor');
    await studio.clickNotificationAction(/^You have 1 unapplied change to the rules of Retail/, 'Reopen');
    const reopenedPage = await studio.findPage('datamodelStudio.ruleMatrix');
    const { draft } =
      await reopenedPage.waitForMessage<Extract<MatrixHostMessage, { type: 'draft' }>>('draft');
    assert.deepEqual(draft.cells, [cell]);
    post(reopenedPage, createDraftMessage(cell, { ...cell, party: { type: 'default' }, was: '' }));
    await studio.waitForEditor('● Rules: Retail');
    await studio.runCommand('View: Close Editor');
    await studio.waitForNotification(/^You have 2 unapplied changes to the rules of Retail/);
    await studio.reloadWindow();
    studio.messages.reset();
    const { page: restored } = await openMatrix(studio);
    const restoredDraft =
      await restored.waitForMessage<Extract<MatrixHostMessage, { type: 'draft' }>>('draft');
    assert.equal(restoredDraft.draft.cells.length, 2);
    await studio.waitForEditor('● Rules: Retail');
    await studio.runCommand('View: Close Editor');
    await studio.clickNotificationAction(/^You have 2 unapplied changes/, 'Discard');
    const { page: pageAfterDiscard } = await openMatrix(studio);
    assert.equal(pageAfterDiscard.title, 'Rules: Retail');
    assert.ok(!pageAfterDiscard.messages.some(({ type }) => type === 'draft'));
  });

  test('a tab is restored with its rules, or closed if its state is invalid', async ({ studio }) => {
    const { page } = await openMatrix(studio);
    const { rulesReference } =
      await page.waitForMessage<Extract<MatrixHostMessage, { type: 'identity' }>>('identity');
    await studio.runCommand('View: Close All Editors');
    const serializer = studio.pages.serializers.get('datamodelStudio.ruleMatrix');
    const createPanel = () =>
      vscode.window.createWebviewPanel('datamodelStudio.ruleMatrix', '', vscode.ViewColumn.Active);
    await serializer?.deserializeWebviewPanel(createPanel(), rulesReference);
    const restored = await studio.findPage('datamodelStudio.ruleMatrix', 'Rules: Retail');
    await restored.waitForMessage<Data>('data', ({ title }) => title === 'Retail');
    // The same rules in a second tab would be two drafts.
    await serializer?.deserializeWebviewPanel(createPanel(), rulesReference);
    await waitFor(
      () => studio.pages.open.length === 1,
      () => `${studio.pages.open.length} pages`,
    );
    await studio.runCommand('View: Close All Editors');
    await serializer?.deserializeWebviewPanel(createPanel(), { connectionId: 1 });
    await waitFor(
      () => studio.pages.open.length === 0,
      () => `${studio.pages.open.length} pages`,
    );
  });

  test('the page looks up parties, opens rules and effective access, and reloads the rules', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const { page, data } = await openMatrix(studio);
    post(page, { type: 'findParty', partyType: 'group', text: 'No Such Group' });
    const missing = await page.waitForMessage<Extract<MatrixHostMessage, { type: 'party' }>>('party');
    assert.match(missing.problem ?? '', /^Group not found: No Such Group\./);
    post(page, { type: 'findParty', partyType: 'group', text: 'Executives' });
    const found = await page.waitForMessage<Extract<MatrixHostMessage, { type: 'party' }>>(
      'party',
      ({ text }) => text === 'Executives',
    );
    assert.equal(found.name, 'Executives');
    await sandbox.request('DELETE', `${retailRulesPath}?table=Orders&column=Status`);
    post(page, { type: 'reload' });
    await page.waitForMessage<Data>('data', ({ rules }) => rules.length === data.rules.length - 2);
    const column = { table: 'Regions', column: 'Region', datatype: 'text' as const };
    post(page, { type: 'openRules', column });
    await studio.waitForEditor(/^Regions\.Region/);
    post(page, { type: 'openRules' });
    await studio.waitForEditor(/^Data Security/);
    const cell = createNorthChange(data, 'Alps');
    post(page, createDraftMessage(cell));
    post(page, { type: 'openAccess' });
    await studio.waitForEditor('Effective Access: Retail');
    // Effective Access previews the changes that aren't applied yet, whenever they change.
    const access = await studio.findPage('datamodelStudio.access');
    const waitForCells = (...cells: readonly MatrixCellChange[]) =>
      access.waitForMessage<Extract<ToAccessPage, { type: 'unapplied' }>>(
        'unapplied',
        ({ draft }) => JSON.stringify(draft.cells) === JSON.stringify(cells),
      );
    await waitForCells(cell);
    const otherCell = createNorthChange(data, 'South');
    post(page, createDraftMessage(otherCell));
    await waitForCells(otherCell);
    post(page, createDraftMessage());
    await waitForCells();
  });

  test('a server error is shown on the page, and a reload tries again', async ({ studio, sandbox }) => {
    const { page } = await openMatrix(studio);
    const fault = { kind: 'status', status: 500, methods: ['GET'], pathPrefix: '/api/elasticubes' };
    await sandbox.request('PUT', '/sandbox/faults', { faults: [fault] });
    post(page, { type: 'reload' });
    const { message } = await page.waitForMessage<Extract<MatrixHostMessage, { type: 'failed' }>>('failed');
    assert.match(message, /500|server/i);
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    const count = page.messages.length;
    post(page, { type: 'reload' });
    await waitFor(
      () => page.messages.slice(count).some(({ type }) => type === 'data'),
      () => 'No rules',
    );
  });

  test('run from the palette, the command asks for a datamodel; Escape opens nothing', async ({ studio }) => {
    await studio.runCommand('Datamodel Studio: Edit Rules in Grid…');
    await studio.quickInput.waitForTitle('Edit Rules in Grid');
    assert.deepEqual(await studio.quickInput.getLabels(), ['Marketing', 'Retail', 'Support Desk']);
    await studio.quickInput.cancel();
    await studio.runCommand('Datamodel Studio: Edit Rules in Grid…');
    await studio.selectQuickPick('Support Desk');
    const page = await studio.findPage('datamodelStudio.ruleMatrix', 'Rules: Support Desk');
    const data = await page.waitForMessage<Data>('data');
    assert.equal(data.kind, 'live');
  });
});
