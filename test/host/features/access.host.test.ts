import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Rule } from '../../../src/contract/rule.ts';
import type { FromAccess, ToAccess } from '../../../src/webviews/protocol/access.ts';
import { groups, people } from '../../../src/sandbox/seeds/people.ts';
import { useFaults } from '../support/faults.ts';
import type { HostedPage } from '../support/pages.ts';
import { backUpRules, retailRulesPath } from '../support/rules.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

type Message<Type extends ToAccess['type']> = Extract<ToAccess, { type: Type }>;

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const post = (page: HostedPage, message: FromAccess): void => page.post(message);

async function openAccess(studio: HostStudio): Promise<HostedPage> {
  await studio.chooseFromContextMenu(retail, 'Data Security', 'Show Effective Access…');
  const page = await studio.findPage('datamodelStudio.access', 'Effective Access: Retail');
  await page.waitForMessage('data');
  return page;
}

/** A folder for the files of one test. */
async function createFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'access-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

describeOnSandbox('Effective Access', (test) => {
  test('the page gets the rules and the known parties, and a reload shows a rule that another user added', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const page = await openAccess(studio);
    const { rules } = await page.waitForMessage<Message<'data'>>('data');
    const { parties } = await page.waitForMessage<Message<'parties'>>('parties');
    assert.ok(parties.some(({ name }) => name === 'Sales North'));
    const brand = { table: 'Products', column: 'Brand', datatype: 'text', members: [], allMembers: false };
    await sandbox.request('POST', retailRulesPath, [{ ...brand, shares: [{ type: 'default' }] }]);
    post(page, { type: 'reload' });
    const after = await page.waitForMessage<Message<'data'>>(
      'data',
      (data) => data.rules.length === rules.length + 1,
    );
    assert.ok((after.rules as readonly Rule[]).some(({ column }) => column === 'Brand'));
  });

  test('a page that is opened again, from the palette, has the current rules and tables', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const firstData = await (await openAccess(studio)).waitForMessage<Message<'data'>>('data');
    // The page shows through which relations rows are hidden.
    assert.ok(
      firstData.catalog?.relations.some(({ columns }) =>
        ['Orders.Store Id', 'Stores.Store Id'].every((name) =>
          columns.some(({ table, column }) => `${table}.${column}` === name),
        ),
      ),
    );
    await sandbox.request('DELETE', `${retailRulesPath}?table=Orders&column=Status`);
    await studio.runCommand('View: Close Editor');
    await studio.runCommand('Datamodel Studio: Show Effective Access…');
    await studio.selectQuickPick('Retail');
    const page = await studio.findPage('datamodelStudio.access', 'Effective Access: Retail');
    const { rules } = await page.waitForMessage<Message<'data'>>('data');
    assert.equal(rules.length, firstData.rules.length - 2);
  });

  test('a server error is shown on the page; if only the tables cannot be read, the rules are still shown', async ({
    studio,
    sandbox,
  }) => {
    const page = await openAccess(studio);
    const { rules } = await page.waitForMessage<Message<'data'>>('data');
    {
      await using _ = await useFaults(sandbox, {
        kind: 'status',
        status: 500,
        methods: ['GET'],
        pathPrefix: '/api/elasticubes',
      });
      post(page, { type: 'reload' });
      assert.match((await page.waitForMessage<Message<'failed'>>('failed')).message, /500/);
    }
    await using _ = await useFaults(sandbox, {
      kind: 'status',
      status: 500,
      methods: ['GET'],
      pathPrefix: '/api/v2/datamodels',
    });
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    post(page, { type: 'reload' });
    const data = await page.waitForMessage<Message<'data'>>('data', ({ reason }) => reason !== undefined);
    assert.match(data.reason ?? '', /500/);
    assert.deepEqual([data.catalog, data.rules], [undefined, rules]);
  });

  test('groups and users are looked up, and the groups of a user shown with their source', async ({
    studio,
  }) => {
    const page = await openAccess(studio);
    post(page, { type: 'findParty', partyType: 'group', text: 'No Such Group' });
    const missing = await page.waitForMessage<Message<'party'>>('party');
    assert.match(missing.problem ?? '', /^Group not found: No Such Group\./);
    const { parties } = await page.waitForMessage<Message<'parties'>>('parties', (message) =>
      message.parties.some(({ name }) => /Amara/i.test(name)),
    );
    const amara = parties.find(({ name }) => /Amara/i.test(name));
    post(page, { type: 'membership', user: amara?.id ?? 'nobody' });
    const membership = await page.waitForMessage<Message<'membership'>>('membership');
    assert.ok((membership.groupIds?.length ?? 0) > 0, JSON.stringify(membership));
    assert.equal(membership.source, 'instance');
    // The server lists the rules of the user's groups, too.
    assert.ok((membership.appliedRules?.length ?? 0) > 0, JSON.stringify(membership));
    post(page, { type: 'membership', user: 'Nobody At All' });
    const unknown = await page.waitForMessage<Message<'membership'>>(
      'membership',
      ({ user }) => user === 'Nobody At All',
    );
    assert.equal(unknown.groupIds, undefined);
    assert.equal(unknown.note, 'User not found: Nobody At All.');
    assert.equal(unknown.isUnidentified, true);
    assert.equal(membership.isUnidentified, undefined);
  });

  test('a user is found when searched for again after the users could not be read', async ({
    studio,
    sandbox,
  }) => {
    const { userName } = people.liam;
    let page: HostedPage;
    {
      await using _ = await useFaults(sandbox, {
        kind: 'status',
        status: 500,
        methods: ['GET'],
        pathPrefix: '/api/v1/users',
      });
      // Reads the users again.
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      page = await openAccess(studio);
      post(page, { type: 'membership', user: userName });
      const missing = await page.waitForMessage<Message<'membership'>>('membership');
      assert.deepEqual([missing.user, missing.isUnidentified, missing.groupIds], [userName, true, undefined]);
    }
    post(page, { type: 'searchUserAgain', user: userName });
    const found = await page.waitForMessage<Message<'membership'>>(
      'membership',
      ({ isUnidentified }) => isUnidentified === undefined,
    );
    assert.deepEqual([found.user, found.id], [userName, people.liam._id]);
    assert.ok(found.groupIds?.includes(groups.support._id));
  });

  test('a report is saved to a file and opened; a canceled dialog writes nothing', async ({ studio }) => {
    await using folder = await createFolder();
    const page = await openAccess(studio);
    const file = join(folder.path, 'report.md');
    studio.answerSaveDialog(undefined);
    post(page, { type: 'export', format: 'csv', text: 'never' });
    studio.answerSaveDialog(vscode.Uri.file(file));
    post(page, { type: 'export', format: 'markdown', text: '# Effective Access: Retail\n' });
    await studio.waitForEditorText('# Effective Access: Retail');
    assert.equal(await readFile(file, 'utf8'), '# Effective Access: Retail\n');
    // The canceled dialog was the first, so a report or an error of it would be here by now.
    assert.deepEqual(await readdir(folder.path), ['report.md']);
    assert.deepEqual(studio.messages.history, []);
    assert.ok(vscode.workspace.textDocuments.every((document) => document.getText() !== 'never'));
  });

  test('a report that cannot be written is reported', async ({ studio }) => {
    await using folder = await createFolder();
    const page = await openAccess(studio);
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    studio.answerSaveDialog(vscode.Uri.file(join(file, 'report.md')));
    post(page, { type: 'export', format: 'markdown', text: '# Effective Access: Retail\n' });
    assert.equal((await studio.waitForNotification('Unable to create folder')).severity, 'error');
  });

  test('a rule and the grid of all rules are opened from the page; an index without a rule opens nothing', async ({
    studio,
  }) => {
    const page = await openAccess(studio);
    post(page, { type: 'openRule', index: 9999 });
    post(page, { type: 'openRule', index: 0 });
    // The document of one rule, not that of all rules on the column.
    await studio.waitForEditor(/^Regions\.Region.*\.rule\.json$/);
    post(page, { type: 'editRules' });
    await studio.waitForEditor('Rules: Retail');
    assert.equal(studio.getCommandRuns('datamodelStudio.documents.open').length, 1);
  });

  test('a tab is restored with its rules, or closed if its state is invalid; Escape in the list of datamodels opens no page', async ({
    studio,
  }) => {
    const page = await openAccess(studio);
    const { rulesReference } = await page.waitForMessage<Message<'identity'>>('identity');
    await studio.runCommand('View: Close All Editors');
    const serializer = studio.pages.serializers.get('datamodelStudio.access');
    const createPanel = () =>
      vscode.window.createWebviewPanel('datamodelStudio.access', '', vscode.ViewColumn.Active);
    // The key of a page's persisted state, as in released versions.
    await serializer?.deserializeWebviewPanel(createPanel(), { place: rulesReference });
    const restored = await studio.findPage('datamodelStudio.access', 'Effective Access: Retail');
    await restored.waitForMessage<Message<'data'>>('data', ({ title }) => title === 'Retail');
    await studio.runCommand('View: Close All Editors');
    await serializer?.deserializeWebviewPanel(createPanel(), { place: 'Retail' });
    await waitFor(
      () => studio.pages.open.length === 0,
      () => `${studio.pages.open.length} pages`,
    );
    await studio.runCommand('Datamodel Studio: Show Effective Access…');
    await studio.quickInput.waitForTitle('Show Effective Access');
    await studio.quickInput.cancel();
    // This question is asked after the canceled one, whose page would be open by now.
    await studio.runCommand('Datamodel Studio: Show Effective Access…');
    await studio.quickInput.waitForTitle('Show Effective Access');
    assert.equal(studio.pages.open.length, 0);
  });

  test('a membership list is imported, or refused with the reason, and cleared', async ({ studio }) => {
    await using folder = await createFolder();
    const file = vscode.Uri.file(join(folder.path, 'groups.csv'));
    const importList = async (text: string): Promise<void> => {
      await writeFile(file.fsPath, text);
      studio.answerOpenDialog([file]);
      await studio.runCommand('Datamodel Studio: Import Group Membership…');
    };
    await studio.runCommand('Datamodel Studio: Clear Imported Group Membership…');
    await studio.waitForNotification('Sandbox has no imported group membership.');
    await importList('');
    await studio.waitForNotification(/^Nothing was imported\. The file is empty/);
    await importList('user,group\nbruno.keller@sandbox.local,No Such Group\n');
    await studio.waitForNotification(/^Nothing was imported\. .*Group not found: No Such Group/);
    await importList(
      'user,group\nbruno.keller@sandbox.local,Executives\nliam.doyle@sandbox.local,No Such Group\n',
    );
    await studio.clickDialogAction('Import Others');
    await studio.waitForNotification('Imported the groups of 1 user for Sandbox.');
    await studio.runCommand('Datamodel Studio: Clear Imported Group Membership…');
    await studio.waitForNotification('Cleared the imported group membership of Sandbox.');
    const { length: messageCount } = studio.messages.history;
    studio.answerOpenDialog(undefined);
    await studio.runCommand('Datamodel Studio: Import Group Membership…');
    // This command runs after the dialog was closed, so an import or an error of it would be here by now.
    await studio.runCommand('Datamodel Studio: Clear Imported Group Membership…');
    const getLaterMessages = (): readonly string[] => studio.messages.history.slice(messageCount);
    await waitFor(
      () => getLaterMessages().length > 0,
      () => 'No message',
    );
    assert.deepEqual(getLaterMessages(), ['Sandbox has no imported group membership.']);
  });
});

describeOnSandbox('security of a connection', (test) => {
  test('viewpoints and rules are checked together', async ({ studio }) => {
    await studio.chooseFromContextMenu('Sandbox', 'Check All Viewpoints and Rules');
    await studio.waitForNotification(/1 problem\. Checked viewpoints and columns with rules: \d+/);
  });
});
