import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Rule } from '../../../src/contract/rule.ts';
import type { FromAccess, ToAccess } from '../../../src/webviews/protocol/access.ts';
import type { HostedPage } from '../support/pages.ts';
import { keepRules, retailRulesPath } from '../support/rules.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

type Message<Type extends ToAccess['type']> = Extract<ToAccess, { type: Type }>;

const retail = ['Sandbox', 'Datamodels', 'Retail'] as const;
const post = (page: HostedPage, message: FromAccess): void => page.post(message);

async function openAccess(studio: HostStudio): Promise<HostedPage> {
  await studio.contextMenu(retail, 'Show Who Sees What…');
  const page = await studio.page('datamodelStudio.access', 'Who Sees What: Retail');
  await page.receives('data');
  return page;
}

/** A folder for the files of one test. */
async function createFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'access-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

describeOnSandbox('who sees what', (test) => {
  test('the page gets the rules and who is known, and shows what another user adds', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await keepRules(sandbox);
    const page = await openAccess(studio);
    const { rules } = await page.receives<Message<'data'>>('data');
    const { parties } = await page.receives<Message<'parties'>>('parties');
    assert.ok(parties.some(({ name }) => name === 'Sales North'));
    const brand = { table: 'Products', column: 'Brand', datatype: 'text', members: [], allMembers: false };
    await sandbox.request('POST', retailRulesPath, [{ ...brand, shares: [{ type: 'default' }] }]);
    post(page, { type: 'reload' });
    const after = await page.receives<Message<'data'>>(
      'data',
      (data) => data.rules.length === rules.length + 1,
    );
    assert.ok((after.rules as readonly Rule[]).some(({ column }) => column === 'Brand'));
  });

  test('groups and users are looked up, and the groups of a user shown with their source', async ({
    studio,
  }) => {
    const page = await openAccess(studio);
    post(page, { type: 'findParty', partyType: 'group', text: 'No Such Group' });
    const missing = await page.receives<Message<'party'>>('party');
    assert.match(missing.problem ?? '', /^Group not found: No Such Group\./);
    const { parties } = await page.receives<Message<'parties'>>('parties', (message) =>
      message.parties.some(({ name }) => /Amara/i.test(name)),
    );
    const amara = parties.find(({ name }) => /Amara/i.test(name));
    post(page, { type: 'membership', user: amara?.id ?? 'nobody' });
    const membership = await page.receives<Message<'membership'>>('membership');
    assert.ok((membership.groupIds?.length ?? 0) > 0, JSON.stringify(membership));
    post(page, { type: 'membership', user: 'Nobody At All' });
    const unknown = await page.receives<Message<'membership'>>(
      'membership',
      ({ user }) => user === 'Nobody At All',
    );
    assert.equal(unknown.groupIds, undefined);
    assert.match(unknown.note ?? '', /User not found: Nobody At All|No rule names this user/);
  });

  test('a report is saved to a file and opened; without a file nothing is written', async ({ studio }) => {
    await using folder = await createFolder();
    const page = await openAccess(studio);
    const file = join(folder.path, 'report.md');
    studio.answerSaveDialog(undefined);
    post(page, { type: 'export', format: 'csv', text: 'never' });
    studio.answerSaveDialog(vscode.Uri.file(file));
    post(page, { type: 'export', format: 'markdown', text: '# Who sees what of Retail\n' });
    await studio.editorShows('# Who sees what of Retail');
    assert.equal(await readFile(file, 'utf8'), '# Who sees what of Retail\n');
  });

  test('a rule and the matrix open from the page', async ({ studio }) => {
    const page = await openAccess(studio);
    post(page, { type: 'openRule', index: 9999 });
    post(page, { type: 'openRule', index: 0 });
    await studio.openedEditor(/^Regions\.Region/);
    post(page, { type: 'editRules' });
    await studio.openedEditor('Rules: Retail');
  });

  test('a restored tab finds its rules; a state that says nothing closes it; Escape opens none', async ({
    studio,
  }) => {
    const page = await openAccess(studio);
    const { subject } = await page.receives<Message<'place'>>('place');
    await studio.runCommand('View: Close All Editors');
    const serializer = studio.pages.serializers.get('datamodelStudio.access');
    const createPanel = () =>
      vscode.window.createWebviewPanel('datamodelStudio.access', '', vscode.ViewColumn.Active);
    await serializer?.deserializeWebviewPanel(createPanel(), { place: subject });
    const restored = await studio.page('datamodelStudio.access', 'Who Sees What: Retail');
    await restored.receives<Message<'data'>>('data', ({ title }) => title === 'Retail');
    await studio.runCommand('View: Close All Editors');
    await serializer?.deserializeWebviewPanel(createPanel(), { place: 'Retail' });
    await waitFor(
      () => studio.pages.open.length === 0,
      () => `${studio.pages.open.length} pages`,
    );
    await studio.runCommand('Datamodel Studio: Show Who Sees What…');
    await studio.quickInput.title('Who Sees What');
    await studio.quickInput.cancel();
    assert.equal(studio.pages.open.length, 0);
  });

  test('a membership list is imported in place of what the instance says, and cleared', async ({
    studio,
  }) => {
    await using folder = await createFolder();
    const file = vscode.Uri.file(join(folder.path, 'groups.csv'));
    const importList = async (text: string): Promise<void> => {
      await writeFile(file.fsPath, text);
      studio.answerOpenDialog([file]);
      await studio.runCommand('Datamodel Studio: Import Group Membership…');
    };
    await studio.runCommand('Datamodel Studio: Clear Imported Group Membership…');
    await studio.notification('No group membership was imported for Sandbox.');
    await importList('');
    await studio.notification(/^Nothing was imported\. The file is empty/);
    await importList('user,group\nbruno.keller@sandbox.local,No Such Group\n');
    await studio.notification(/^Nothing was imported\. .*Group not found: No Such Group/);
    await importList(
      'user,group\nbruno.keller@sandbox.local,Executives\nliam.doyle@sandbox.local,No Such Group\n',
    );
    await studio.dialogAction('Import the Others');
    await studio.notification('The groups of one user were imported for Sandbox.');
    await studio.runCommand('Datamodel Studio: Clear Imported Group Membership…');
    await studio.notification('The imported group membership of Sandbox was cleared.');
    studio.answerOpenDialog(undefined);
    await studio.runCommand('Datamodel Studio: Import Group Membership…');
  });
});

describeOnSandbox('security of a connection', (test) => {
  test('viewpoints and rules are checked together', async ({ studio }) => {
    await studio.contextMenu('Sandbox', 'Check All Viewpoints and Rules');
    await studio.notification(/one problem in \d+ viewpoints and columns with rules/);
  });

  test('findings are in Problems at their rules, and in a report', async ({ studio, sandbox }) => {
    await using _rules = await keepRules(sandbox);
    const wrong = {
      table: 'Regions',
      column: 'Regionn',
      datatype: 'text',
      allMembers: null,
      exclusionary: false,
    };
    const shares = [{ type: 'user', party: 'nobody-knows' }];
    await sandbox.request('POST', retailRulesPath, [{ ...wrong, members: ['North'], shares }]);
    await studio.contextMenu('Sandbox', 'Refresh');
    await studio.contextMenu('Sandbox', 'Check Security');
    await studio.notificationAction(/^Security of Sandbox: \d+ findings in Problems/, 'Show Report');
    const { document } = await studio.editorShows('# Security of Sandbox');
    assert.match(document.getText(), /\| Error \| Regions\.Regionn \| .*has no column "Regionn"/);
    assert.match(document.getText(), /\| Regions\.Region \| nothing \|/);
    const found = () =>
      vscode.languages
        .getDiagnostics()
        .flatMap(([uri, list]) => list.map((diagnostic) => ({ uri, diagnostic })))
        .filter(({ diagnostic }) => diagnostic.source === 'Datamodel Studio security');
    const { uri, diagnostic } = await waitFor(
      () => found().find((each) => each.diagnostic.message.includes('has no column "Regionn"')),
      () =>
        found()
          .map((each) => each.diagnostic.message)
          .join('\n'),
    );
    const rule = await vscode.workspace.openTextDocument(uri);
    assert.equal(rule.getText(diagnostic.range), '"Regionn"');
    assert.ok(found().some((each) => each.diagnostic.message.includes('no name for user nobody-knows')));
  });

  test('what cannot be read is said in the report; a check is canceled', async ({ studio, sandbox }) => {
    const fault = {
      kind: 'status',
      status: 500,
      methods: ['GET'],
      pathPrefix: '/api/elasticubes/LocalHost/Retail',
    };
    await sandbox.request('PUT', '/sandbox/faults', { faults: [fault] });
    await studio.contextMenu('Sandbox', 'Check Security');
    await studio.notificationAction(/Not everything could be read\./, 'Show Report');
    await studio.editorShows(/It could not be looked at wholly/);
    const slow = { kind: 'latency', ms: 1000, methods: ['GET'], pathPrefix: '/api' };
    await sandbox.request('PUT', '/sandbox/faults', { faults: [slow] });
    await studio.contextMenu('Sandbox', 'Check Security');
    await studio.notificationAction('Checking the security of Sandbox', 'Cancel');
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    await studio.notificationGone('Checking the security of Sandbox');
    const summaries = studio.messages.history.filter((text) => text.startsWith('Security of Sandbox'));
    assert.equal(summaries.length, 1, summaries.join('\n'));
  });
});
