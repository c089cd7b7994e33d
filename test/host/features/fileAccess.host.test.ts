import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Rule } from '../../../src/contract/rule.ts';
import type { FromAccess, ToAccess } from '../../../src/webviews/protocol/access.ts';
import { groups } from '../../../src/sandbox/seeds/people.ts';
import { formatFile, paths } from '../../support/projectFiles.ts';
import { addConnection } from '../support/connections.ts';
import { type FileProject, changeFiles, createFileProject } from '../support/fileProjects.ts';
import type { HostedPage } from '../support/pages.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

type Message<Type extends ToAccess['type']> = Extract<ToAccess, { type: Type }>;

const post = (page: HostedPage, message: FromAccess): void => page.post(message);

/** Shows the effective access by the rules that belong to the file in the active editor. */
async function openAccess(studio: HostStudio, title: string): Promise<HostedPage> {
  await waitFor(
    () => studio.contextKeys['datamodelStudio.hasProjects'] === true,
    () => 'The window has no project',
  );
  await studio.runCommand('Datamodel Studio: Show Effective Access from Files…');
  return studio.findPage('datamodelStudio.access', `Effective Access: ${title} (files)`);
}

const waitForData = (
  page: HostedPage,
  check: (data: Message<'data'>) => boolean = () => true,
): Promise<Message<'data'>> => page.waitForMessage<Message<'data'>>('data', check);

/** The rules of a column of the project, by group. */
const createRules = (...groups: readonly unknown[]): string =>
  formatFile(
    groups.map((party) => ({
      table: 'Orders',
      column: 'Status',
      datatype: 'text',
      members: ['Open'],
      allMembers: null,
      shares: [{ type: 'group', party }],
    })),
  );

describeStudio(
  'Effective Access of files',
  () => Promise.resolve({ options: { settings: { 'files.autoSave': 'off' } } }),
  (test) => {
    test('has the tables, rules, and names of the files, and says that they do not contain the members of groups', async ({
      studio,
    }) => {
      await using files = await createFileProject();
      await files.showRules();
      const page = await openAccess(studio, 'Retail');
      const data = await waitForData(page);
      assert.deepEqual(
        [data.title, data.kind, data.source, data.reason],
        ['Retail', 'extract', 'files', undefined],
      );
      assert.equal(data.rules.length, 2);
      assert.deepEqual(
        data.catalog?.tables.map(({ name }) => name),
        ['Items', 'Orders', 'Totals'],
      );
      assert.equal(data.catalog?.relations.length, 1);
      const { parties } = await page.waitForMessage<Message<'parties'>>('parties');
      assert.deepEqual(parties, [{ type: 'group', id: 'Sales', name: 'Sales' }]);
      // There is no note about unknown groups of users, since the rules name no user.
      assert.deepEqual(data.notes, []);

      post(page, { type: 'membership', user: 'Ann' });
      const { note } = await page.waitForMessage<Message<'membership'>>('membership');
      assert.match(note ?? '', /^Groups unknown: the files don't list the members of groups\./);
      post(page, { type: 'findParty', partyType: 'group', text: 'Sales' });
      await page.waitForMessage<Message<'party'>>('party', ({ id }) => id === 'Sales');
      post(page, { type: 'findParty', partyType: 'group', text: 'Nobody' });
      await page.waitForMessage<Message<'party'>>(
        'party',
        ({ problem }) => problem === 'Group not found: Nobody.',
      );
      post(page, { type: 'openRule', index: 1 });
      await files.waitForActive(paths.rules);
      await waitFor(
        () => vscode.window.activeTextEditor?.selection.start.line === 16,
        () => `The selection is in line ${vscode.window.activeTextEditor?.selection.start.line}`,
      );
    });

    test('is updated by unsaved changes, also if they make a file unreadable, and posted again only if it has changed', async ({
      studio,
    }) => {
      await using files = await createFileProject();
      const rules = await files.showRules();
      const page = await openAccess(studio, 'Retail');
      await waitForData(page);
      await files.edit(rules, '"type": "group"', '"type": "user"');
      const { notes = [] } = await waitForData(page, (data) =>
        JSON.stringify(data.rules).includes('"type":"user"'),
      );
      assert.equal(notes.length, 1);
      assert.match(notes[0] ?? '', /^Files don't show which users are in which groups\./);

      await files.edit(rules, '[', '');
      // No access is shown, since the rules that can't be read might change it.
      const { message } = await page.waitForMessage<Message<'failed'>>('failed');
      assert.equal(
        message,
        `Effective access is unknown because the rules in these files can't be read: ${paths.rules}. For details, see the Problems view.`,
      );
      await files.edit(rules, '{', '[{');
      await waitFor(
        () => page.messages.findLast(({ type }) => type === 'data' || type === 'failed')?.type === 'data',
        () => 'The access is not shown again',
      );

      const countData = (): number => page.messages.filter(({ type }) => type === 'data').length;
      const countBefore = countData();
      const table = await files.show(paths.orders);
      const viewpoint = await files.show(paths.viewpoint);
      await files.edit(viewpoint, '"Sales"', '"Sold"');
      await files.edit(table, '"name": "Label"', '"name": "Title"');
      await waitForData(page, ({ catalog }) =>
        (catalog?.tables ?? []).some(({ columns }) => columns.some(({ name }) => name === 'Title')),
      );
      assert.equal(countData(), countBefore + 1);
    });

    test('is shown in one tab, which is restored after a reload and says when the project is gone', async ({
      studio,
    }) => {
      await using files = await createFileProject();
      await files.showRules();
      const page = await openAccess(studio, 'Retail');
      const { rulesReference } = await page.waitForMessage<Message<'identity'>>('identity');
      await files.show(paths.viewpoint);
      void studio.runCommand('Datamodel Studio: Show Effective Access from Files…');
      await studio.selectQuickPick('Retail');
      await files.show(paths.orders);
      await openAccess(studio, 'Retail');
      assert.equal((await studio.findPage('datamodelStudio.access')).panel, page.panel);
      page.panel.dispose();
      const restored = await studio.pages.restore('datamodelStudio.access', { place: rulesReference });
      await waitForData(restored);
      await changeFiles((edit) => edit.deleteFile(files.project.getUri('datamodel-studio.json')));
      await restored.waitForMessage<Message<'failed'>>(
        'failed',
        ({ message }) => message === 'The project is no longer in the workspace.',
      );
    });

    test('of a cube set has its rules, without tables', async ({ studio }) => {
      await using files = await createFileProject({
        [paths.cubeSet]: createRules('Sales').replace('{', '{ "cubeSet": "All",'),
      });
      await files.showRules();
      await files.show(paths.cubeSet);
      const page = await openAccess(studio, 'All');
      const { rules, catalog, notes = [] } = await waitForData(page);
      assert.deepEqual([rules.length, catalog], [1, undefined]);
      assert.match(notes[0] ?? '', /^The files don't list the datamodels of a cube set/);
    });
  },
);

describeStudio(
  'Effective Access of files with a connection',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: {} };
  },
  (test) => {
    const createConnectedProject = (url: string, groupId: string): Promise<FileProject> =>
      createFileProject({
        'environments/test.json': { url, role: 'development' },
        'environments/test.lock.json': {
          version: 1,
          items: {},
          bound: [{ number: 7, type: 'group', id: groupId }],
        },
        [paths.rules]: createRules('Sales North', { bound: 7 }),
      });

    test('has the users and groups of the instance, and names the groups of each user as the files do', async ({
      studio,
      sandbox,
    }) => {
      await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
      await using files = await createConnectedProject(sandbox.url, groups.support._id);
      await files.showRules();
      const page = await openAccess(studio, 'Retail');
      const { parties } = await page.waitForMessage<Message<'parties'>>('parties', (message) =>
        message.parties.some(({ groupIds = [] }) => groupIds.includes('Sales North')),
      );
      assert.ok(parties.some(({ name, id }) => name === 'number 7 in the lock file' && id === '{"bound":7}'));
      assert.ok(parties.some(({ groupIds = [] }) => groupIds.includes('{"bound":7}')));
      const { rules, notes } = await waitForData(page);
      assert.deepEqual(
        (rules as readonly Rule[]).map(({ shares }) => (shares ?? [])[0]?.party),
        ['Sales North', '{"bound":7}'],
      );
      assert.deepEqual(notes, []);
      const member = parties.find(({ groupIds = [] }) => groupIds.includes('Sales North'));
      post(page, { type: 'membership', user: member?.id ?? '' });
      const membership = await page.waitForMessage<Message<'membership'>>('membership');
      assert.deepEqual([membership.groupIds, membership.source], [member?.groupIds, 'instance']);

      // The users and groups that the session has read are no longer shown once it has ended.
      await studio.runCommand('Datamodel Studio: Sign Out');
      await page.waitForMessage<Message<'parties'>>('parties', (message) => message.parties.length === 2);
    });
  },
);
