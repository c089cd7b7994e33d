import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToAccessPage } from '../../../src/webviews/protocol/accessPage.ts';
import type {
  MatrixPageMessage,
  MatrixCellChange,
  MatrixHostMessage,
} from '../../../src/webviews/protocol/ruleMatrix.ts';
import { groups } from '../../../src/sandbox/seeds/people.ts';
import { type ProjectFiles, formatFile, paths } from '../../support/projectFiles.ts';
import { addConnection } from '../support/connections.ts';
import { type FileProject, changeFiles, createFileProject } from '../support/fileProjects.ts';
import type { HostedPage } from '../support/pages.ts';
import { Patches } from '../support/patches.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

type Message<Type extends MatrixHostMessage['type']> = Extract<MatrixHostMessage, { type: Type }>;

const post = (page: HostedPage, message: MatrixPageMessage): void => page.post(message);

const newRulesPath = 'datamodels/Retail/rules/Items.Order.rules.json';

const commentedRules = `[
  // Who sees what
  {
    "table": "Orders", "column": "Status", "datatype": "text", "note": "sales",
    "members": ["Open"], // only these
    "allMembers": null,
    "shares": [{ "type": "group", "party": "Sales" }]
  },
  { "table": "Orders", "column": "Status", "datatype": "text", "members": [], "allMembers": true, "shares": [{ "type": "default" }] }
]
`;

const status = { table: 'Orders', column: 'Status', datatype: 'text' } as const;

/** A change of a rule on the status of orders. */
const createChange = (
  party: MatrixCellChange['party'],
  values: readonly string[] | undefined,
  previousText: string,
): MatrixCellChange => ({
  party,
  column: status,
  value: values === undefined ? [] : [{ kind: 'only', values: [...values] }],
  was: previousText,
});

const sales = { type: 'group', id: 'Sales' } as const;

/** Opens the grid with the rules of the file in the active editor. */
async function openGrid(
  studio: HostStudio,
  title = 'Retail',
): Promise<{ page: HostedPage; data: Message<'data'> }> {
  await waitFor(
    () => studio.contextKeys['datamodelStudio.hasProjects'] === true,
    () => 'The window has no project',
  );
  await studio.runCommand('Datamodel Studio: Edit Rules from Files in Grid…');
  const page = await studio.findPage('datamodelStudio.ruleMatrix', `Rules: ${title} (files)`);
  return { page, data: await page.waitForMessage<Message<'data'>>('data') };
}

/** Applies changes, and returns the outcome. */
async function applyCells(
  page: HostedPage,
  ...cells: readonly MatrixCellChange[]
): Promise<Message<'outcome'>> {
  const getOutcomes = (): readonly HostedPage['messages'][number][] =>
    page.messages.filter(({ type }) => type === 'outcome');
  const countBefore = getOutcomes().length;
  post(page, { type: 'apply', cells: [...cells] });
  await waitFor(
    () => getOutcomes().length > countBefore,
    () => 'The page got no outcome',
  );
  return getOutcomes().at(-1) as Message<'outcome'>;
}

const getShownRules = (page: HostedPage): readonly unknown[] =>
  (page.messages.findLast(({ type }) => type === 'data') as Message<'data'>).rules;

const getOffered = (
  offered: Message<'values'>['offered'],
  table: string,
  column: string,
): readonly string[] =>
  (offered ?? [])
    .filter((entry) => entry.table === table && entry.column === column)
    .flatMap(({ values }) => values.map(([value]) => value));

async function openProject(changes: ProjectFiles = { [paths.rules]: commentedRules }): Promise<FileProject> {
  const files = await createFileProject(changes);
  await files.showRules();
  return files;
}

describeStudio(
  'the grid of rules in files',
  () => Promise.resolve({ options: { settings: { 'files.autoSave': 'off' } } }),
  (test) => {
    test('has the rules of the files, and opens them', async ({ studio }) => {
      await using files = await openProject();
      const { page, data } = await openGrid(studio);
      assert.deepEqual(
        [data.title, data.source, data.rules.length, data.catalog?.tables.length],
        ['Retail', 'files', 2, 3],
      );
      const { offered, problem } = await page.waitForMessage<Message<'values'>>(
        'values',
        (message) => message.problem !== undefined,
      );
      assert.equal(problem, 'Without a connection to the instance, only values in the files are offered.');
      assert.deepEqual(getOffered(offered, 'Orders', 'Status'), ['Open']);
      const { rulesReference } = await page.waitForMessage<Message<'identity'>>('identity');
      post(page, { type: 'openRules', column: status });
      await files.waitForActive(paths.rules);
      await waitFor(
        () => vscode.window.activeTextEditor?.selection.start.line === 2,
        () => `The selection is in line ${vscode.window.activeTextEditor?.selection.start.line}`,
      );
      // The same tab is shown again.
      await openGrid(studio);
      assert.equal(studio.pages.open.filter(({ viewType }) => viewType.endsWith('ruleMatrix')).length, 1);
      post(page, { type: 'openAccess' });
      const access = await studio.findPage('datamodelStudio.access', 'Effective Access: Retail (files)');
      // Effective Access previews the changes that aren't applied yet, whenever they change.
      const waitForCellCount = (count: number) =>
        access.waitForMessage<Extract<ToAccessPage, { type: 'unapplied' }>>(
          'unapplied',
          ({ draft }) => draft.cells.length === count,
        );
      await waitForCellCount(0);
      const cells = [createChange(sales, ['Closed'], 'Open')];
      post(page, { type: 'draft', draft: { cells, parties: [], columns: [] } });
      await waitForCellCount(1);
      post(page, { type: 'draft', draft: { cells: [], parties: [], columns: [] } });
      await waitForCellCount(0);
      page.panel.dispose();
      access.post({ type: 'editRules' });
      const sameGrid = await studio.findPage('datamodelStudio.ruleMatrix', 'Rules: Retail (files)');
      sameGrid.panel.dispose();
      const restored = await studio.pages.restore('datamodelStudio.ruleMatrix', rulesReference);
      await restored.waitForMessage('data');
      // From the page of the grid, the command opens the access of its datamodel.
      await studio.runCommand('Datamodel Studio: Show Effective Access from Files…');
      await studio.findPage('datamodelStudio.access', 'Effective Access: Retail (files)');
      await files.show(paths.viewpoint);
      void studio.runCommand('Datamodel Studio: Edit Rules from Files in Grid…');
      await studio.quickInput.waitForRow('Retail');
      await studio.reset();
    });

    test('changes and saves a file, keeping its comments, also in Restricted Mode, and Undo in the editor restores it', async ({
      studio,
    }) => {
      using patches = new Patches();
      patches.replace(vscode.workspace, 'isTrusted', () => false);
      await using files = await openProject();
      const { page } = await openGrid(studio);
      const cell = createChange(sales, ['Done', 'Open'], 'Open');
      post(page, { type: 'draft', draft: { cells: [cell], parties: [], columns: [] } });
      await studio.waitForEditor('● Rules: Retail (files)');
      assert.equal((await applyCells(page, cell)).outcome, 'applied');
      const changed = commentedRules.replace('["Open"]', '["Done", "Open"]');
      assert.equal(await files.project.read(paths.rules), changed);
      assert.match(JSON.stringify(getShownRules(page)[0]), /"members":\["Done","Open"\]/);
      await studio.waitForEditor('Rules: Retail (files)');
      const { document } = await files.show(paths.rules);
      assert.equal(document.isDirty, false);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), commentedRules);
    });

    test('does not save a file that already had unsaved changes', async ({ studio }) => {
      await using files = await openProject();
      const editor = await files.show(paths.rules);
      await files.edit(editor, 'Who sees what', 'Draft');
      const { page } = await openGrid(studio);
      assert.equal((await applyCells(page, createChange(sales, ['Done'], 'Open'))).outcome, 'applied');
      assert.equal(editor.document.isDirty, true);
      assert.match(editor.document.getText(), /Draft[^]*\["Done"\], \/\/ only these/);
      assert.equal(await files.project.read(paths.rules), commentedRules);
      const last = [
        createChange(sales, undefined, 'Done'),
        createChange({ type: 'default' }, undefined, 'All'),
      ];
      const refused = await applyCells(page, ...last);
      assert.equal(
        refused.message,
        `${paths.rules} has unsaved changes. Save it first: without its last rule, the file would be deleted.`,
      );
      await editor.document.save();
      assert.equal((await applyCells(page, ...last)).outcome, 'applied');
      await assert.rejects(files.project.read(paths.rules));
      assert.deepEqual(getShownRules(page), []);
    });

    test('creates the file of a column, and deletes it with its last rule', async ({ studio }) => {
      await using files = await openProject();
      const { page } = await openGrid(studio);
      const column = { table: 'Items', column: 'Order', datatype: 'numeric' } as const;
      const cells: readonly MatrixCellChange[] = [
        { ...createChange({ type: 'default' }, [], ''), column },
        { ...createChange({ type: 'user', id: '{"bound":3}' }, ['1'], ''), column },
        { ...createChange(sales, ['1'], ''), column },
      ];
      assert.equal((await applyCells(page, ...cells)).outcome, 'applied');

      assert.equal(
        await files.project.read(newRulesPath),
        formatFile([
          { ...column, members: [], allMembers: false, shares: [{ type: 'default' }] },
          {
            ...column,
            members: ['1'],
            allMembers: null,
            shares: [
              { type: 'group', party: 'Sales' },
              { type: 'user', party: { bound: 3 } },
            ],
          },
        ]),
      );
      assert.equal(getShownRules(page).length, 4);
      assert.equal(await files.project.read(paths.rules), commentedRules);
      const removals = cells.map((cell, index) => ({
        ...cell,
        value: [],
        was: index === 0 ? 'Nothing' : '1',
      }));
      assert.equal((await applyCells(page, ...removals)).outcome, 'applied');
      await assert.rejects(files.project.read(newRulesPath));
      assert.equal(getShownRules(page).length, 2);
    });

    test('writes nothing if a cell has changed in the meantime, or if a file cannot be read', async ({
      studio,
    }) => {
      await using files = await openProject();
      const { page } = await openGrid(studio);
      const editor = await files.show(paths.rules);
      await files.edit(editor, '["Open"]', '["New"]');
      assert.equal((await applyCells(page, createChange(sales, ['Done'], 'Open'))).outcome, 'conflict');
      assert.match(editor.document.getText(), /\["New"\]/);
      const broken = 'datamodels/Retail/rules/Broken.rules.json';
      await changeFiles((edit) =>
        edit.createFile(files.project.getUri(broken), { contents: new TextEncoder().encode('[') }),
      );
      const { message } = await applyCells(page, {
        ...createChange(sales, ['1'], ''),
        column: { table: 'Items', column: 'Order', datatype: 'numeric' },
      });
      assert.equal(
        message,
        `${broken} can't be read and might have rules on the same columns. Correct it first.`,
      );
      await assert.rejects(files.project.read(newRulesPath));
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    test('keeps changes that are not applied when its tab is closed', async ({ studio }) => {
      await using files = await openProject();
      const { page } = await openGrid(studio);
      const cell = createChange(sales, ['Done'], 'Open');
      post(page, { type: 'draft', draft: { cells: [cell], parties: [], columns: [] } });
      await studio.waitForEditor('● Rules: Retail (files)');
      page.panel.dispose();
      await studio.clickNotificationAction(
        /^You have 1 unapplied change to the rules of Retail \(files\)/,
        'Reopen',
      );
      const reopened = await studio.findPage('datamodelStudio.ruleMatrix', '● Rules: Retail (files)');
      const { draft } = await reopened.waitForMessage<Message<'draft'>>('draft');
      assert.deepEqual(draft.cells, [cell]);
      assert.equal((await applyCells(reopened, cell)).outcome, 'applied');
      assert.match(await files.project.read(paths.rules), /\["Done"\]/);
    });

    test('writes the files of a cube set', async ({ studio }) => {
      const rule = { cubeSet: 'All', ...status, members: ['Open'], allMembers: null };
      await using files = await openProject({
        [paths.cubeSet]: [{ ...rule, shares: [{ type: 'group', party: 'Sales' }] }],
      });
      await files.show(paths.cubeSet);
      const { page } = await openGrid(studio, 'All');
      assert.equal(
        (await applyCells(page, createChange({ type: 'user', id: 'Ann' }, ['Open'], ''))).outcome,
        'applied',
      );
      assert.equal(
        await files.project.read(paths.cubeSet),
        formatFile([
          { ...rule, shares: [{ type: 'group', party: 'Sales' }] },
          { ...rule, shares: [{ type: 'user', party: 'Ann' }] },
        ]),
      );
    });
  },
);

describeStudio(
  'the grid of rules in files with a connection',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: {} };
  },
  (test) => {
    test('writes names of the instance, and changes rules of groups that files refer to by number', async ({
      studio,
      sandbox,
    }) => {
      await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
      const rule = { ...status, members: ['Open'], allMembers: null };
      await using files = await openProject({
        'environments/test.json': { url: sandbox.url, role: 'development' },
        'environments/test.lock.json': {
          version: 1,
          items: {},
          bound: [{ number: 7, type: 'group', id: groups.support._id }],
        },
        [paths.rules]: [{ ...rule, shares: [{ type: 'group', party: { bound: 7 } }] }],
      });
      const { page } = await openGrid(studio);
      await page.waitForMessage<Message<'parties'>>('parties', ({ parties }) =>
        parties.some(({ id }) => id === 'Sales North'),
      );
      // As the grid of the server does, it offers the values in the rules of the instance.
      await page.waitForMessage<Message<'values'>>('values', ({ offered }) =>
        getOffered(offered, 'Regions', 'Region').includes('Nordics'),
      );
      post(page, { type: 'findParty', partyType: 'group', text: 'Sales North' });
      const { id } = await page.waitForMessage<Message<'party'>>('party');
      assert.equal(id, 'Sales North');
      const outcome = await applyCells(
        page,
        createChange({ type: 'group', id }, ['Done'], ''),
        createChange({ type: 'group', id: '{"bound":7}' }, ['New'], 'Open'),
      );
      assert.equal(outcome.outcome, 'applied');
      assert.equal(
        await files.project.read(paths.rules),
        formatFile([
          { ...rule, members: ['New'], shares: [{ type: 'group', party: { bound: 7 } }] },
          { ...rule, members: ['Done'], shares: [{ type: 'group', party: 'Sales North' }] },
        ]),
      );
    });

    test('offers only values and parties of the instance that belongs to the environment and that the user is signed in to', async ({
      studio,
      sandbox,
    }) => {
      await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
      await using _files = await openProject({
        'environments/other.json': { url: 'http://127.0.0.1:9', role: 'development' },
        'environments/test.json': { url: sandbox.url, role: 'development' },
      });
      const { page } = await openGrid(studio);
      const getLast = <Type extends 'values' | 'parties'>(type: Type): Message<Type> | undefined =>
        page.messages.findLast((message) => message.type === type) as Message<Type> | undefined;
      const waitForValues = (what: string, check: (message: Message<'values'>) => boolean) =>
        waitFor(
          () => {
            const values = getLast('values');
            return values !== undefined && check(values);
          },
          () => `${what}: ${JSON.stringify(getLast('values'))}`,
        );
      const waitForParties = (hasInstanceParties: boolean) =>
        waitFor(
          () =>
            (getLast('parties')?.parties ?? []).some(({ id }) => id === 'Sales North') === hasInstanceParties,
          () => `Parties: ${JSON.stringify(getLast('parties'))}`,
        );
      const hasInstanceValues = ({ offered }: Message<'values'>): boolean =>
        getOffered(offered, 'Regions', 'Region').includes('Nordics');
      await waitForValues('Values of the instance', hasInstanceValues);

      await studio.runCommand('Datamodel Studio: Select Project Environment…');
      await studio.selectQuickPick('other');
      await waitForValues(
        'No connection',
        (message) =>
          !hasInstanceValues(message) && (message.problem ?? '').startsWith('Without a connection'),
      );
      await waitForParties(false);

      await studio.runCommand('Datamodel Studio: Select Project Environment…');
      await studio.selectQuickPick('test');
      await waitForValues('Values after the switch', hasInstanceValues);
      await waitForParties(true);

      await studio.chooseFromContextMenu('Shop', 'Sign Out');
      await waitForValues('Signed out', (message) => !hasInstanceValues(message));
      await studio.runCommand('Datamodel Studio: Sign In…');
      await studio.submitInputBox(sandbox.adminToken);
      await waitForValues('Values after the sign-in', hasInstanceValues);
    });
  },
);
