import assert from 'node:assert/strict';
import { mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { JournalFile } from '../../../src/changes/journal/journalFile.ts';
import { ExtractRulesResource } from '../../../src/client/resources/rules.ts';
import { formatPath } from '../../../src/contract/endpoints.ts';
import type { ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import { fetchRetailRules, fetchTable } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import { fetchTasks } from '../support/builds.ts';
import { addConnection } from '../support/connections.ts';
import type { HostedPage } from '../support/pages.ts';
import { useFaults } from '../support/faults.ts';
import { Patches } from '../support/patches.ts';
import {
  applyPlan,
  cancelPlan,
  confirmPlan,
  confirmRecovery,
  endInterruptedChange,
  getSectionTexts,
  waitForClosed,
  waitForPlan,
} from '../support/plans.ts';
import { TestProject } from '../support/projects.ts';
import { SourceControls } from '../support/sourceControls.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
const lockPath = 'environments/test.lock.json';
const storesPath = 'datamodels/Retail/tables/Stores.table.json';
const orders = `analytics/${ordersPath}`;
const label = 'test';
const title = 'Apply analytics to Shop';
const overwrittenTitle =
  'Changed on the server since the last pull, and will be overwritten, deleted, or created again';

type Line = Parameters<JournalFile['append']>[0];

/** Calls a function before each line of a journal is written; if it fails, the line can't be written. */
function onJournalLine(patches: Patches, check: (line: Line) => void | Promise<void>): void {
  const append = Reflect.get(JournalFile.prototype, 'append');
  patches.replace(
    JournalFile.prototype,
    'append',
    () =>
      async function (this: JournalFile, line: Line): Promise<void> {
        await check(line);
        await append.call(this, line);
      },
  );
}

/** Waits until the page of a result says that the instance was changed since. */
async function waitForOutdatedResult(page: HostedPage): Promise<void> {
  const { view } = await page.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>(
    'plan',
    ({ note }) =>
      note === 'This result is out of date: something has been written to the instance since the apply.',
  );
  assert.equal(view.isResult, true);
  assert.equal(view.followUp, 'Plan Again');
}

/** Applies the project, and stops after its first request because the history can't be written. Returns its result. */
async function interruptApply(studio: HostStudio): ReturnType<typeof confirmPlan> {
  void studio.runCommand('Datamodel Studio: Apply Project…');
  const { page } = await waitForPlan(studio, title);
  using patches = new Patches();
  onJournalLine(patches, ({ line }) => {
    if (line === 'result') {
      throw new Error('No space left');
    }
  });
  return await confirmPlan(page);
}

/** Renames a column with rules in the files of a project. */
async function renameSegment(project: TestProject): Promise<void> {
  const rulesPath = 'datamodels/Retail/rules/Customers.Segment.rules.json';
  await project.edit(
    'datamodels/Retail/tables/Customers.table.json',
    '"name": "Segment"',
    '"name": "Kind", "renamedFrom": "Segment"',
  );
  await project.edit(rulesPath, /"column": "Segment"/g, '"column": "Kind"');
}

/** The row of an apply in the history. */
const applyEntry = /^Applied the project analytics/;

const rollBackTitle = 'Roll Back: Applied the project analytics';

/** Remembers the columns of the table Customers. Disposing the result restores them on the instance. */
async function backUpCustomers(sandbox: JourneySandbox): Promise<AsyncDisposable> {
  const { path, table } = await fetchTable(sandbox, 'Retail', 'Customers');
  return {
    [Symbol.asyncDispose]: async () => {
      await sandbox.request('PATCH', path, { columns: table.columns ?? [] });
    },
  };
}

/**
 * Applies the project, which renames a column of Customers and describes Orders, and stops at Stores. Another user then
 * changes another column of Customers. Opens the review of the rollback.
 */
async function openRollBackAfterOthers(
  studio: HostStudio,
  sandbox: JourneySandbox,
  project: TestProject,
): ReturnType<typeof waitForPlan> {
  await project.edit(
    'datamodels/Retail/tables/Customers.table.json',
    '"name": "City"',
    '"name": "Town", "renamedFrom": "City"',
  );
  const content: object = JSON.parse(await project.read(storesPath));
  await project.write(storesPath, JSON.stringify({ ...content, description: 'Mine' }));
  {
    await using _faults = await useFaults(sandbox, {
      kind: 'status',
      status: 403,
      methods: ['PATCH'],
      every: 3,
      count: 1,
    });
    void studio.runCommand('Datamodel Studio: Apply Project…');
    const { page } = await waitForPlan(studio, title);
    const view = await confirmPlan(page);
    assert.deepEqual(getSectionTexts({ type: 'plan', view }, 'Failed'), ['Stores']);
  }
  await studio.runCommand('View: Close All Editors');
  const { path, table } = await fetchTable(sandbox, 'Retail', 'Customers');
  await sandbox.request('PATCH', path, {
    columns: (table.columns ?? []).map((column) =>
      column.name === 'Segment' ? { ...column, hidden: true } : column,
    ),
  });
  void studio.chooseFromContextMenu([applyEntry], 'Roll Back Interrupted Change…');
  return waitForPlan(studio, rollBackTitle);
}

/** Undoes the apply of a renamed column. */
async function undoRename(studio: HostStudio): Promise<void> {
  const undoTitle = 'Undo: Applied the project analytics';
  await studio.chooseFromContextMenu([/^Applied the project analytics/], 'Undo Change…');
  await waitForPlan(studio, undoTitle);
  await applyPlan(studio, undoTitle);
}

/** Finishes an interrupted apply, of which everything was written, from the history. */
async function finishApply(studio: HostStudio): Promise<void> {
  await studio.chooseFromContextMenu([/^Applied the project analytics/], 'Finish Interrupted Change…');
  await studio.waitForStatusBarItem('Finished: Applied the project analytics');
}

/** Adds a relation to a project, through which rules on one of its tables restrict the other. Returns that table. */
async function addRelation(project: TestProject): Promise<string> {
  const columns = ['Store Ranking', 'Stores'].map((table) => ({ table, column: 'Store' }));
  const path = 'datamodels/Retail/relations/Store Ranking.Store - Stores.Store.relation.json';
  await project.write(path, JSON.stringify({ columns }));
  return 'Store Ranking';
}

/** Adds a copy of a custom table to a project. Returns its name. */
async function addTable(project: TestProject): Promise<string> {
  const tables = 'datamodels/Retail/tables';
  const text = await project.read(`${tables}/Store Ranking.table.json`);
  await project.write(`${tables}/Ranking Copy.table.json`, text.replaceAll('Store Ranking', 'Ranking Copy'));
  const sql = await project.read(`${tables}/Store Ranking.datamodel.sql`);
  await project.write(`${tables}/Ranking Copy.datamodel.sql`, sql);
  return 'Ranking Copy';
}

describeStudio(
  'applying a project',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const sourceControls = disposables.use(new SourceControls());
    /** Pulls datamodels into a project in the workspace, and describes the table Orders in its file. */
    const createProject = async (studio: HostStudio): Promise<TestProject> => {
      // Wait for the end of the previous test's source control: its folder has the same name.
      await waitFor(
        () => sourceControls.labels.length === 0,
        () => `Still shown: ${sourceControls.labels.join(', ')}`,
      );
      await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
      const project = await TestProject.createInWorkspace(
        'analytics',
        '{"version": 1, "manage": {"datamodels": ["Retail", "Marketing"], "viewpoints": []}}',
      );
      await studio.runCommand('Datamodel Studio: Pull into Folder…');
      await studio.selectQuickPick('analytics');
      await studio.submitInputBox('test');
      (await studio.waitForNotification(/^Pulled Shop into analytics \(\w+\)\. /)).answer(undefined);
      await sourceControls.find(label);
      await project.edit(ordersPath, /"One row per order[^"]*"/, '"Mine"');
      return project;
    };
    const getOrders = async () => (await fetchTable(sandbox, 'Retail', 'Orders')).table.description;
    /** Remembers the description of the table Orders. Disposing the result restores it on the instance. */
    const backUpOrders = async (): Promise<AsyncDisposable> => {
      const { path, table } = await fetchTable(sandbox, 'Retail', 'Orders');
      return {
        [Symbol.asyncDispose]: async () => {
          await sandbox.request('PATCH', path, { description: table.description ?? '' });
        },
      };
    };
    return {
      sandbox,
      createProject,
      getOrders,
      backUpOrders,
      sourceControls,
      options: { settings: { 'files.autoSave': 'off' } },
    };
  },
  (test) => {
    test('errors in changed files prevent the apply, and are listed', async ({ studio, createProject }) => {
      await using project = await createProject(studio);
      const sqlPath = 'datamodels/Marketing/tables/Campaign Performance.datamodel.sql';
      await project.write(sqlPath, 'SELECT Nothing FROM Leads\n');
      const canceled = studio.runCommand('Datamodel Studio: Apply Project…');
      await studio.clickDialogAction('Cancel');
      await canceled;
      void studio.runCommand('Datamodel Studio: Apply Project…');
      await studio.clickDialogAction('Show Plan');
      const { plan } = await waitForPlan(studio, title);
      assert.equal(plan.view.blockedReason, 'The project has problems that prevent the apply.');
      assert.deepEqual(getSectionTexts(plan, "Can't be applied"), [`${sqlPath}:1`]);
      assert.equal(plan.view.sections[0]?.title, "Can't be applied");
    });

    test('new tables are shown with who will see them, before everything else', async ({
      studio,
      createProject,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      const table = await addTable(project);
      const section = {
        title: "New tables that rules don't restrict",
        tone: 'warning',
        count: 1,
        items: [
          {
            icon: 'warning',
            text: table,
            detail: 'Table in Retail · everyone with access to the datamodel will see it',
          },
        ],
      };
      void studio.runCommand('Datamodel Studio: Plan Project…');
      const { page: planPage, plan } = await waitForPlan(studio, 'Plan: analytics to Shop');
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page, plan: review } = await waitForPlan(studio, title);
      for (const { view } of [plan, review]) {
        assert.equal(
          view.summary,
          '1 new table will be visible to everyone with access to its datamodel. Access to everything else stays the same.',
        );
        assert.deepEqual(view.sections[0], section);
        assert.equal(view.tone, 'warning');
      }
      await cancelPlan(studio, planPage);
      await cancelPlan(studio, page);
    });

    test('columns that become visible in existing tables are shown with who will see them', async ({
      studio,
      createProject,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      await project.edit(ordersPath, /"columns": \[/u, '"columns": [{ "name": "Bonus", "type": 8 },');
      await project.edit(
        'datamodels/Retail/tables/Employees.table.json',
        /("name": "Salary",[^}]*"hidden": )true/u,
        '$1false',
      );
      void studio.runCommand('Datamodel Studio: Plan Project…');
      const { page, plan } = await waitForPlan(studio, 'Plan: analytics to Shop');
      assert.match(
        plan.view.summary,
        /^Newly visible in the rows that rules allow: Employees\.Salary and Orders\.Bonus\. Access to everything else stays the same\./,
      );
      const [section] = plan.view.sections;
      assert.equal(section?.title, 'Newly visible in the rows that rules allow');
      const detail = /^Column of a table in Retail · (.*?) · visible in the rows that rules allow · /u;
      assert.deepEqual(
        section.items.map((item) => [item.text, detail.exec(item.detail ?? '')?.[1]]),
        [
          ['Employees.Salary', 'no longer hidden'],
          ['Orders.Bonus', 'new column'],
        ],
      );
      await cancelPlan(studio, page);
    });

    test('the users and groups that a viewpoint is shared with are shown by name', async ({
      studio,
      sandbox,
      createProject,
    }) => {
      const viewpoint = {
        name: 'Shared',
        description: '',
        details: { datasource: { title: 'Retail', modelType: 'external' }, columns: [] },
        visibility: { enabled: true, apps: ['slack'], groups: ['Marketing', 'Executives'], users: [] },
      };
      await sandbox.request('POST', '/api/v1/infusion/viewpoints', viewpoint);
      await using project = await createProject(studio);
      await project.edit('datamodel-studio.json', '"viewpoints": []', '"viewpoints": ["Shared"]');
      const visibility = { ...viewpoint.visibility, groups: ['Executives'] };
      await project.write('viewpoints/Shared.viewpoint.json', JSON.stringify({ ...viewpoint, visibility }));
      void studio.runCommand('Datamodel Studio: Plan Project…');
      const { page, plan } = await waitForPlan(studio, 'Plan: analytics to Shop');
      const changes = plan.view.sections.find((section) => section.title === 'Will be changed');
      assert.equal(
        changes?.items.find(({ text }) => text === 'Shared')?.detail,
        'visibility.groups: ["Marketing","Executives"] → ["Executives"]',
      );
      await cancelPlan(studio, page);
      void studio.runCommand('Datamodel Studio: Apply Project…');
      await confirmPlan((await waitForPlan(studio, title)).page);
      const { id } = await fetchViewpoint(sandbox, 'Shared');
      const others = { ...visibility, groups: ['Executives', 'Sales'] };
      await sandbox.request('PUT', `/api/v1/infusion/viewpoints/${id}`, { visibility: others });
      await studio.chooseFromContextMenu([/^Applied the project analytics/], 'Undo Change…');
      const undoTitle = 'Undo: Applied the project analytics';
      const undo = await waitForPlan(studio, undoTitle);
      assert.deepEqual(undo.plan.view.laterChanges?.[0]?.lines, [
        'visibility.groups: ["Executives"] → ["Executives","Sales"]',
      ]);
      undo.page.post({ type: 'overwrite', change: 0, isOverwritten: true });
      const { view } = await undo.page.waitForMessage<typeof undo.plan>(
        'plan',
        (message) => message.view.laterChanges?.[0]?.isOverwritten === true,
      );
      assert.equal(
        view.sections
          .find((section) => section.title === 'Will be changed')
          ?.items.findLast(({ text }) => text === 'Shared')?.detail,
        'visibility.groups: ["Executives","Sales"] → ["Marketing","Executives"]',
      );
      await applyPlan(studio, undoTitle);
      await sandbox.request('DELETE', `/api/v1/infusion/viewpoints/${id}`);
    });

    test('without a token, the message names the connection, and offers to sign in to it', async ({
      studio,
      sandbox,
      createProject,
    }) => {
      await using _project = await createProject(studio);
      await addConnection(studio, { name: 'Branch', url: 'http://127.0.0.1:9' });
      await studio.chooseFromContextMenu('Shop', 'Sign Out');
      await studio.findTreeItem(['Shop', 'Datamodels', 'Signed out']);
      void studio.runCommand('Datamodel Studio: Plan Project…');
      await studio.clickNotificationAction(
        'Loading the datamodels failed: Shop has no token. Sign in again.',
        'Sign In…',
      );
      await studio.quickInput.waitForTitle('Sign In to Shop');
      await studio.submitInputBox(sandbox.adminToken);
      await studio.waitForNotification('Shop works: the server accepted the token.');
    });

    test('if a new viewpoint cannot be read, who gains or loses access is unknown', async ({
      studio,
      createProject,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      await project.edit(ordersPath, /"columns": \[/u, '"columns": [{ "name": "Bonus", "type": 8 },');
      await project.write('viewpoints/Open Orders.viewpoint.json', '{ "name": ');
      void studio.runCommand('Datamodel Studio: Plan Project…');
      const { page, plan } = await waitForPlan(studio, 'Plan: analytics to Shop');
      assert.match(
        plan.view.summary,
        /^Newly visible in the rows that rules allow: Orders\.Bonus\. Who gains or loses access is unknown\./,
      );
      await cancelPlan(studio, page);
    });

    test('an item that was never pulled and will be overwritten is listed first, but no longer in the result', async ({
      studio,
      createProject,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      await vscode.workspace.fs.delete(project.getUri(lockPath));
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page, plan } = await waitForPlan(studio, title);
      assert.equal(plan.view.blockedReason, undefined);
      const section = 'Never pulled, and will be overwritten or deleted';
      assert.deepEqual(getSectionTexts(plan, section), ['Orders']);
      assert.equal(plan.view.sections[0]?.title, section);
      assert.match(
        plan.view.summary,
        / 1 item will be overwritten, deleted, or created again, although its current state on the server was never pulled\.$/,
      );
      const result = await confirmPlan(page);
      assert.match(result.summary, /^Done\./);
      assert.ok(result.sections.every(({ title: other }) => other !== section));
    });

    test('the plan lists excluded files, and names in the settings that neither the project nor the instance has', async ({
      studio,
      createProject,
    }) => {
      await using project = await createProject(studio);
      await project.edit('datamodel-studio.json', '"Retail"', '"Retial"');
      void studio.runCommand('Datamodel Studio: Plan Project…');
      const { plan } = await waitForPlan(studio, 'Plan: analytics to Shop');
      assert.equal(
        plan.view.summary,
        'No changes. Only what "manage" in datamodel-studio.json selects was compared.',
      );
      const [excluded, unknownName, ...others] = getSectionTexts(plan, 'Not managed');
      assert.deepEqual(others, []);
      assert.match(excluded ?? '', /^Not managed: \d+ files in datamodels\/Retail$/);
      assert.match(unknownName ?? '', /has it\. Did you mean "Retail"\?$/);
    });

    test('the result says what could not be compared', async ({
      studio,
      sandbox,
      createProject,
      backUpOrders,
    }) => {
      await using _project = await createProject(studio);
      await using _orders = await backUpOrders();
      await using faults = new AsyncDisposableStack();
      using patches = new Patches();
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      const pathPrefix = formatPath('extractRules.list', { server: 'LocalHost', elasticube: 'Retail' });
      onJournalLine(patches, async ({ line }) => {
        // The only write has been sent.
        if (line === 'result') {
          faults.use(await useFaults(sandbox, { kind: 'status', status: 403, methods: ['GET'], pathPrefix }));
        }
      });
      const result = await confirmPlan(page);
      assert.equal(
        result.summary,
        'All changes were sent, but not everything could be compared with the project afterward. You can undo the change in the History view.',
      );
      assert.equal(result.tone, 'warning');
      const uncompared = result.sections.find((section) => section.title === 'Not compared');
      assert.equal(uncompared?.count, 1, JSON.stringify(result.sections));
      assert.match(uncompared.items[0]?.text ?? '', /^The rules of Retail: .*\(403\)/);
    });

    test('the result says that the instance matches the project if only the lock file could not be updated', async ({
      studio,
      createProject,
      backUpOrders,
    }) => {
      await using project = await createProject(studio);
      await using _orders = await backUpOrders();
      using patches = new Patches();
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      let isWritten = false;
      onJournalLine(patches, ({ line }) => {
        isWritten ||= line === 'result';
      });
      const list = Reflect.get(ExtractRulesResource.prototype, 'list');
      patches.replace(
        ExtractRulesResource.prototype,
        'list',
        () =>
          async function (
            this: ExtractRulesResource,
            ...args: Parameters<ExtractRulesResource['list']>
          ): ReturnType<ExtractRulesResource['list']> {
            // Another program writes the lock file while the instance is read after the writes.
            if (isWritten) {
              isWritten = false;
              await project.edit(lockPath, '{', '[');
            }
            return list.apply(this, args);
          },
      );
      const { summary, tone, sections } = await confirmPlan(page);
      assert.equal(
        summary,
        `All changes were sent. The instance matches the project. The lock file couldn't be updated. ${lockPath} has changed in the meantime, so it wasn't written. Pull to update it. You can undo the change in the History view.`,
      );
      assert.equal(tone, 'warning');
      assert.deepEqual(sections, []);
    });

    test('if the check of the result is canceled, whether the instance matches the project is unknown', async ({
      studio,
      createProject,
      getOrders,
      backUpOrders,
    }) => {
      await using project = await createProject(studio);
      await using _orders = await backUpOrders();
      using patches = new Patches();
      const lockText = await project.read(lockPath);
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      const canceled = Promise.withResolvers<void>();
      let isWritten = false;
      onJournalLine(patches, ({ line }) => {
        isWritten ||= line === 'result';
      });
      const list = Reflect.get(ExtractRulesResource.prototype, 'list');
      patches.replace(
        ExtractRulesResource.prototype,
        'list',
        () =>
          async function (
            this: ExtractRulesResource,
            ...args: Parameters<ExtractRulesResource['list']>
          ): ReturnType<ExtractRulesResource['list']> {
            await (isWritten ? canceled.promise : undefined);
            return list.apply(this, args);
          },
      );
      const confirmed = confirmPlan(page);
      const check = await studio.messages.find(/^Checking the result/);
      assert.deepEqual(check.actions, ['Cancel']);
      check.answer('Cancel');
      canceled.resolve();
      const { summary, tone, followUp } = await confirmed;
      assert.equal(
        summary,
        "All changes were sent, but whether the instance matches the project is unknown, because you canceled the check. The lock file wasn't updated.",
      );
      assert.equal(tone, 'warning');
      assert.equal(followUp, 'Plan Again');
      assert.equal(await getOrders(), 'Mine');
      assert.equal(await project.read(lockPath), lockText);
    });

    test('changed SQL is compared line by line', async ({ studio, createProject }) => {
      await using project = await createProject(studio);
      await project.edit(
        'datamodels/Retail/tables/Customer Value.datamodel.sql',
        /^SELECT/,
        'SELECT DISTINCT',
      );
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page, plan } = await waitForPlan(studio, title);
      const changed = plan.view.sections.find((section) => section.title === 'Will be changed');
      const [diff, ...others] = (changed?.items ?? []).flatMap(({ diffs = [] }) => diffs);
      assert.deepEqual(others, []);
      assert.equal(diff?.label, 'expression');
      assert.deepEqual(
        diff.lines
          .filter(({ kind }) => kind !== 'same')
          .map(({ kind, text }) => `${kind}: ${text.slice(0, 15)}`),
        ['removed: SELECT c.[Custo', 'added: SELECT DISTINCT'],
      );
      page.post({ type: 'cancel' });
    });

    test('a member of a wrong type prevents the apply, and is listed', async ({ studio, createProject }) => {
      await using project = await createProject(studio);
      await project.edit(ordersPath, /"description": "Mine"/, '"description": 5');
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { plan } = await waitForPlan(studio, title);
      assert.equal(plan.view.blockedReason, 'The project has problems that prevent the apply.');
      assert.match(getSectionTexts(plan, "Can't be applied").join(), /Orders\.table\.json:\d+$/);
    });

    test('errors that checks have found can be ignored, and are listed', async ({
      studio,
      createProject,
    }) => {
      await using project = await createProject(studio);
      const sqlPath = 'datamodels/Marketing/tables/Campaign Performance.datamodel.sql';
      await project.write(sqlPath, 'SELECT Nothing FROM Leads\n');
      void studio.runCommand('Datamodel Studio: Apply Project…');
      await studio.clickDialogAction('Ignore Errors');
      const { page, plan } = await waitForPlan(studio, title);
      assert.equal(plan.view.blockedReason, undefined);
      assert.deepEqual(getSectionTexts(plan, 'Ignored errors'), [`${sqlPath}:1`]);
      const ignored = plan.view.sections.find((section) => section.title === 'Ignored errors');
      page.post({ type: 'open', link: ignored?.items[0]?.link ?? -1 });
      await studio.waitForEditorText(/^SELECT Nothing FROM Leads\n$/);
      // The user has ignored the first error only, not this one.
      await project.write(sqlPath, 'SELECT Nothing, Less FROM Leads\n');
      const { summary, followUp } = await confirmPlan(page);
      assert.match(summary, /was changed in the meantime\. Nothing was written\./);
      assert.equal(followUp, 'Plan Again');
    });

    test('a file that became unreadable after the plan was made prevents the apply', async ({
      studio,
      createProject,
      getOrders,
    }) => {
      await using project = await createProject(studio);
      const before = await getOrders();
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      await project.write('datamodels/Retail/tables/New.table.json', '{');
      const { summary } = await confirmPlan(page);
      assert.match(summary, /^The project now has errors\. Nothing was written\./);
      assert.equal(await getOrders(), before);
    });

    test('a file that cannot be read does not prevent an apply that is limited to another datamodel', async ({
      studio,
      createProject,
      getOrders,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      const path = 'datamodels/Marketing/tables/New.table.json';
      await project.write(path, '{');
      const uri = project.getUri(ordersPath);
      void vscode.commands.executeCommand('datamodelStudio.menus.projects.apply', uri);
      const { page, plan } = await waitForPlan(studio, 'Apply analytics (Retail) to Shop');
      assert.equal(plan.view.blockedReason, undefined);
      assert.deepEqual(getSectionTexts(plan, "Can't be applied"), []);
      assert.deepEqual(getSectionTexts(plan, 'Not compared'), [`${path}:1`]);
      const result = await confirmPlan(page);
      assert.match(result.summary, /^Done\. The instance matches the project in /);
      assert.deepEqual(
        result.sections.filter((section) => section.title === 'Not compared').map(({ count }) => count),
        [1],
      );
      assert.equal(await getOrders(), 'Mine');
    });

    test('an apply that cannot be limited to the selected files asks before it plans the whole project', async ({
      studio,
      createProject,
    }) => {
      await using project = await createProject(studio);
      const apply = (path: string) =>
        vscode.commands.executeCommand('datamodelStudio.menus.projects.apply', project.getUri(path));
      const canceled = apply('environments/test.json');
      await studio.clickDialogAction('Cancel');
      await canceled;
      assert.ok(!studio.pages.open.some((page) => page.viewType === 'datamodelStudio.plan'));

      void apply('environments/test.json');
      await studio.clickDialogAction('Plan Whole Project');
      await waitForPlan(studio, title);
      void apply('datamodels');
      await waitForPlan(studio, 'Apply analytics (2 datamodels) to Shop');
      const pulling = vscode.commands.executeCommand(
        'datamodelStudio.menus.projects.update',
        project.getUri('environments'),
      );
      await studio.clickDialogAction('Cancel');
      await pulling;
    });

    for (const [name, addFiles] of [
      ['would take access', addRelation],
      ['protects a new table', addTable],
    ] as const) {
      test(`an apply is refused if a rule that ${name} was deleted since the plan, although only the instance had the rule`, async ({
        studio,
        sandbox,
        createProject,
        getOrders,
      }) => {
        await using project = await createProject(studio);
        const before = await getOrders();
        const rule = {
          table: await addFiles(project),
          column: 'Store',
          datatype: 'text',
          members: [],
          allMembers: false,
          shares: [{ type: 'default' }],
        };
        const rulesPath = formatPath('extractRules.list', { server: 'LocalHost', elasticube: 'Retail' });
        await sandbox.request('POST', rulesPath, [rule]);
        void studio.runCommand('Datamodel Studio: Apply Project…');
        const { page } = await waitForPlan(studio, title);
        for (const { _id, table } of await fetchRetailRules(sandbox)) {
          if (table === rule.table) {
            await sandbox.request('DELETE', formatPath('extractRules.delete', { ruleId: _id ?? '' }));
          }
        }
        const { summary, followUp } = await confirmPlan(page);
        assert.match(summary, /was changed in the meantime\. Nothing was written\./);
        assert.equal(followUp, 'Plan Again');
        assert.equal(await getOrders(), before);
      });
    }

    test('an environment whose role has changed since the plan is not written to', async ({
      studio,
      createProject,
      getOrders,
    }) => {
      await using project = await createProject(studio);
      const before = await getOrders();
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      await project.edit('environments/test.json', '"development"', '"production"');
      const { summary } = await confirmPlan(page);
      assert.match(summary, /was changed in the meantime\. Nothing was written\./);
      assert.equal(await getOrders(), before);
    });

    test('a plan whose files have changed says that it is out of date, and can be made again', async ({
      studio,
      createProject,
    }) => {
      await using project = await createProject(studio);
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page, plan } = await waitForPlan(studio, title);
      assert.equal(plan.view.blockedReason, undefined);
      await project.saveEdit(ordersPath, /"Mine"/, '"Yours"');
      const outdated = await page.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>(
        'plan',
        ({ note }) => note?.startsWith('This plan is out of date: ') === true,
      );
      assert.equal(outdated.view.blockedReason, 'This plan is out of date.');
      assert.equal(outdated.view.followUp, 'Plan Again');
      page.post({ type: 'followUp' });
      await waitFor(
        () => studio.pages.open.some((other) => other !== page && other.title === title),
        () => 'The plan is not made again',
      );
      const again = await waitForPlan(studio, title);
      assert.match(JSON.stringify(again.plan.view.sections), /Yours/);
      again.page.post({ type: 'cancel' });
    });

    test('if the history can no longer be written, the apply is interrupted; once finished from the history, it is recorded in the lock file', async ({
      studio,
      createProject,
      getOrders,
      backUpOrders,
      sourceControls,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      const { summary, tone, sections } = await interruptApply(studio);
      assert.match(
        summary,
        /^The apply was interrupted, and some changes might have been written\. No space left\.? You can finish /,
      );
      assert.deepEqual(
        sections.map((section) => [section.title, section.items.map(({ text, detail }) => [text, detail])]),
        [['Outcome unknown', [['Orders', 'Table in Retail · change']]]],
      );
      assert.equal(tone, 'error');
      assert.equal(await getOrders(), 'Mine');
      const lockText = await project.read(lockPath);
      await finishApply(studio);
      assert.notEqual(await project.read(lockPath), lockText);
      await sourceControls.waitForRows(label, {});
      assert.ok(!studio.messages.history.some((text) => text.startsWith('Pull into')));
      await waitForOutdatedResult(await studio.findPage('datamodelStudio.plan', title));
    });

    test('once an apply is undone, its result is out of date, its files count as changed again, and a pull keeps them', async ({
      studio,
      createProject,
      getOrders,
      backUpOrders,
      sourceControls,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      const before = await getOrders();
      const lockText = await project.read(lockPath);
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      const result = await confirmPlan(page);
      assert.match(result.summary, /^Done\./);
      assert.equal(result.followUp, undefined);
      assert.notEqual(await project.read(lockPath), lockText);
      await sourceControls.waitForRows(label, {});
      // Changes of files after the apply count as new changes.
      await project.saveEdit(ordersPath, /"Mine"/, '"Later"');
      await sourceControls.waitForRows(label, { 'Changed Here': [orders] });
      await project.saveEdit(ordersPath, /"Later"/, '"Mine"');
      await sourceControls.waitForRows(label, {});
      await studio.chooseFromContextMenu([/^Applied the project analytics/], 'Undo Change…');
      const undoTitle = 'Undo: Applied the project analytics';
      const { plan } = await waitForPlan(studio, undoTitle);
      assert.match(
        plan.view.summary,
        / The project files aren't changed\. The next apply would make these changes again\. A pull would keep the files\.$/,
      );
      await applyPlan(studio, undoTitle);
      // Nothing of the undo is left to do once its page is closed.
      assert.ok((await project.read(lockPath)) === lockText, 'The lock file is as before the apply');
      assert.equal(await getOrders(), before);
      await sourceControls.waitForRows(label, { 'Changed Here': [orders] });
      await waitForOutdatedResult(page);
      page.post({ type: 'followUp' });
      await waitFor(
        () => studio.pages.open.some((other) => other !== page && other.title === title),
        () => 'The plan is not made again',
      );
      const again = await waitForPlan(studio, title);
      assert.deepEqual(getSectionTexts(again.plan, 'Will be changed'), ['Orders']);
      assert.deepEqual(getSectionTexts(again.plan, overwrittenTitle), []);
      const text = await project.read(ordersPath);
      await studio.runCommand('Datamodel Studio: Pull Project');
      (await studio.waitForNotification(/^Pulled/)).answer(undefined);
      assert.equal(await project.read(ordersPath), text);
      await sourceControls.waitForRows(label, { 'Changed Here': [orders] });
    });

    test('if the outcome of its only request is unknown, an apply offers nothing but to look and to undo it', async ({
      studio,
      createProject,
      backUpOrders,
      sandbox,
    }) => {
      await using _orders = await backUpOrders();
      // The description of a table is changed.
      await using _project = await createProject(studio);
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      using patches = new Patches();
      await using faults = new AsyncDisposableStack();
      onJournalLine(patches, async ({ line }) => {
        if (line === 'sending') {
          const pathPrefix = '/api/v2/datamodels';
          faults.use(await useFaults(sandbox, { kind: 'status', status: 503, pathPrefix }));
        }
      });
      const { summary } = await confirmPlan(page);
      assert.match(
        summary,
        / To see whether it took effect, plan again\. If it did, you can undo the change in the History view\.$/,
      );
    });

    test('a notification names what could not be read right after an undo', async ({
      studio,
      createProject,
      sandbox,
    }) => {
      await using project = await createProject(studio);
      await project.edit('datamodels/Retail/rules/Regions.Region.rules.json', /"Alps"/, '"West"');
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      assert.match((await confirmPlan(page)).summary, /^Done\./);
      await studio.chooseFromContextMenu([/^Applied the project analytics/], 'Undo Change…');
      using patches = new Patches();
      await using faults = new AsyncDisposableStack();
      onJournalLine(patches, async ({ line }) => {
        if (line === 'end') {
          const pathPrefix = '/api/elasticubes';
          faults.use(await useFaults(sandbox, { kind: 'status', status: 403, methods: ['GET'], pathPrefix }));
        }
      });
      await applyPlan(studio, 'Undo: Applied the project analytics');
      const notification = await studio.waitForNotification(/^Not everything could be read after the undo/);
      assert.match(
        notification.text,
        / the lock file of the project analytics isn't complete\. .*: .*Regions\.Region \(Data security rules in Retail\)\.$/,
      );
    });

    test('a plan names only the parts that others have changed', async ({
      studio,
      createProject,
      sandbox,
    }) => {
      await using _project = await createProject(studio);
      const { path, table } = await fetchTable(sandbox, 'Retail', 'Orders');
      await sandbox.request('PATCH', path, { hidden: table.hidden !== true });
      void studio.runCommand('Datamodel Studio: Plan Project…');
      const { plan } = await waitForPlan(studio, 'Plan: analytics to Shop');
      const section = plan.view.sections.find(({ title: other }) => other === overwrittenTitle);
      assert.deepEqual(
        section?.items.map(({ text, detail }) => [text, detail]),
        [['Orders', 'Table in Retail · hidden']],
      );
      await sandbox.request('PATCH', path, { hidden: table.hidden ?? false });
    });

    test('what the server adds to an item that a finished apply has created is not pulled into its file', async ({
      studio,
      createProject,
      sandbox,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      const path = 'datamodels/Retail/tables/Top Orders.table.json';
      await project.write(
        path,
        '{"name": "Top Orders", "type": "custom", "dataset": "Custom Tables", "expression": {"$file": "Top Orders.datamodel.sql"}, "columns": []}',
      );
      await project.write('datamodels/Retail/tables/Top Orders.datamodel.sql', 'SELECT Status FROM Orders\n');
      await interruptApply(studio);
      const lockText = await project.read(lockPath);
      await endInterruptedChange(studio, applyEntry, 'Finish');
      assert.notEqual(await project.read(lockPath), lockText);
      const text = await project.read(path);
      await studio.runCommand('Datamodel Studio: Pull Project');
      (await studio.waitForNotification(/^Pulled/)).answer(undefined);
      assert.equal(await project.read(path), text);
      const created = await fetchTable(sandbox, 'Retail', 'Top Orders');
      await sandbox.request('DELETE', created.path);
    });

    test('a new viewpoint is left for a later apply while rules do not restrict all tables yet', async ({
      studio,
      createProject,
      sandbox,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      await project.edit('datamodel-studio.json', '"viewpoints": []', '"viewpoints": ["Statuses", "More"]');
      await project.write(
        'datamodels/Retail/tables/Statuses.table.json',
        '{"name": "Statuses", "type": "custom", "dataset": "Custom Tables", "expression": {"$file": "Statuses.datamodel.sql"}, "columns": [{"name": "Order Id"}]}',
      );
      await project.write(
        'datamodels/Retail/tables/Statuses.datamodel.sql',
        'SELECT [Order Id] FROM Orders\n',
      );
      await project.write(
        'datamodels/Retail/relations/Statuses.relation.json',
        '{"columns": [{"table": "Orders", "column": "Order Id"}, {"table": "Statuses", "column": "Order Id"}]}',
      );
      const viewpoint =
        '{"name": "Statuses", "description": "", "details": {"datasource": {"title": "Retail", "modelType": "external"}, "columns": []}, "visibility": {"enabled": true, "apps": ["chat"], "groups": ["Sales"], "users": []}}';
      await project.write('viewpoints/Statuses.viewpoint.json', viewpoint);
      await project.write('viewpoints/More.viewpoint.json', viewpoint.replace('Statuses', 'More'));
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page, plan } = await waitForPlan(studio, title);
      assert.equal(plan.view.blockedReason, undefined);
      assert.match(plan.view.summary, /3 items need another apply\./);
      const section = 'Not in this apply';
      const items = plan.view.sections.find((other) => other.title === section)?.items ?? [];
      assert.deepEqual(items.slice(1), [
        {
          icon: 'info',
          text: "It might give access to data that the rules of its datamodel don't restrict yet. It and any changes to its sharing are written by the apply that completes the rules, after the rules.",
        },
        { icon: 'watch', text: 'More', detail: 'Viewpoint' },
        { icon: 'watch', text: 'Statuses', detail: 'Viewpoint' },
      ]);
      const result = await confirmPlan(page);
      assert.equal(
        result.summary,
        'All changes were sent. Some items still differ from the project. Build Retail, and then apply again. You can undo the change in the History view.',
      );
      assert.equal(result.sections.find((other) => other.title === section)?.count, 3);
      assert.equal(result.followUp, 'Plan Again');
      page.post({ type: 'followUp' });
      await waitForClosed(studio, page);
      const again = await waitForPlan(studio, title);
      assert.equal(
        again.plan.view.summary,
        'No changes. 3 items need another apply. Build Retail, and then apply again.',
      );
      again.page.post({ type: 'cancel' });
      await sandbox.request('DELETE', (await fetchTable(sandbox, 'Retail', 'Statuses')).path);
    });

    test('the result of a rename still says who might see more until the next build', async ({
      studio,
      createProject,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      await renameSegment(project);
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page, plan } = await waitForPlan(studio, title);
      assert.deepEqual(
        plan.view.sections
          .filter((section) => /^Will be (?:deleted|changed|created)$/.test(section.title))
          .map((section) => [section.title, section.count, section.items.map(({ text }) => text)]),
        [['Will be changed', 2, ['Customers.Segment', 'Orders']]],
      );
      const renamed = plan.view.sections
        .flatMap(({ items }) => items)
        .find(({ text }) => text === 'Customers.Segment');
      assert.equal(renamed?.detail, 'name: Segment → Kind · 2 rules follow the rename');
      const result = await confirmPlan(page);
      assert.equal(
        result.summary,
        'Done. The instance matches the project. You can undo the change in the History view. Until the next build, more data might be visible.',
      );
      assert.equal(result.tone, 'warning');
      assert.deepEqual(
        result.sections.slice(0, 2).map((section) => [section.title, section.items.map(({ text }) => text)]),
        [
          ['Might be visible until the next build', ['Group Marketing']],
          ['Next steps', ['Build Retail']],
        ],
      );
      page.post({ type: 'cancel' });
      await undoRename(studio);
    });

    test('an apply that stops after it has changed rules says who might see more until the next build, and so does finishing it', async ({
      studio,
      sandbox,
      createProject,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      await renameSegment(project);
      await project.edit('datamodel-studio.json', '"viewpoints": []', '"viewpoints": ["More"]');
      await project.write(
        'viewpoints/More.viewpoint.json',
        '{"name": "More", "description": "", "details": {"datasource": {"title": "Retail", "modelType": "external"}, "columns": []}, "visibility": {"enabled": false, "apps": [], "groups": [], "users": []}}',
      );
      {
        await using _faults = await useFaults(sandbox, {
          kind: 'status',
          status: 403,
          methods: ['POST'],
          pathPrefix: '/api/v1/infusion/viewpoints',
        });
        void studio.runCommand('Datamodel Studio: Apply Project…');
        const { page } = await waitForPlan(studio, title);
        const stopped = await confirmPlan(page);
        assert.match(stopped.summary, /^Stopped\. .* Until the next build, more data might be visible\.$/);
        assert.equal(stopped.tone, 'error');
        assert.deepEqual(
          stopped.sections
            .slice(0, 1)
            .map((section) => [section.title, section.items.map(({ text }) => text)]),
          [['Might be visible until the next build', ['Group Marketing']]],
        );
        // What to build isn't known before the change is finished.
        assert.ok(!stopped.sections.some((section) => section.title === 'Next steps'));
      }
      await studio.runCommand('View: Close All Editors');
      const { review, result } = await endInterruptedChange(studio, applyEntry, 'Finish');
      assert.deepEqual(getSectionTexts({ type: 'plan', view: review }, 'Will be created'), ['More']);
      assert.ok(getSectionTexts({ type: 'plan', view: review }, 'Already written').includes('Orders'));
      const visible =
        'If the first build of Retail was already running, more data might be visible until Retail is built again: Customers.Segment.';
      assert.deepEqual(
        [review.tone, review.summary],
        ['warning', `This writes what the interrupted change hasn't written yet. ${visible}`],
      );
      assert.equal(result.summary, `Finished. ${visible} You can undo the change in the History view.`);
      assert.equal(result.tone, 'warning');
      // The remaining viewpoint needs no build, but the earlier writes do.
      assert.deepEqual(getSectionTexts({ type: 'plan', view: result }, 'Next steps'), ['Build Retail']);
      await studio.waitForStatusBarItem('Finished: Applied the project analytics');
      await undoRename(studio);
    });

    test('an apply that stops because others have deleted the rules on a new name says what might be visible now', async ({
      studio,
      sandbox,
      createProject,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      await renameSegment(project);
      const hasColumn = async (name: string): Promise<boolean> =>
        (await fetchTable(sandbox, 'Retail', 'Customers')).table.columns?.some(
          (column) => column.name === name,
        ) === true;
      const listRules = async (name: string) =>
        (await fetchRetailRules(sandbox)).filter(
          ({ table, column }) => table === 'Customers' && column === name,
        );
      const formerRules = await listRules('Segment');
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      {
        using patches = new Patches();
        onJournalLine(patches, async ({ line }) => {
          if (line === 'result' && (await hasColumn('Kind'))) {
            for (const { _id } of await listRules('Kind')) {
              await sandbox.request('DELETE', formatPath('extractRules.delete', { ruleId: _id ?? '' }));
            }
          }
        });
        const { tone, summary, followUp } = await confirmPlan(page);
        assert.match(
          summary,
          /^Stopped\. \d requests were completed\. Someone else has changed or deleted data security rules, and values that they hide might be visible now: Retail › Customers › Kind\. Restore these rules\. You can finish the change or roll it back in the History view\.$/,
        );
        assert.equal(tone, 'error');
        assert.equal(followUp, 'Show History');
      }
      assert.deepEqual(await listRules('Segment'), formerRules);
      await studio.chooseFromContextMenu([applyEntry], 'Finish Interrupted Change…');
      const refused = await waitForPlan(studio, 'Finish: Applied the project analytics');
      assert.equal(
        refused.plan.view.summary,
        'Can\'t finish "Applied the project analytics". Someone else has changed or deleted data security rules, and values that they hide might be visible now: Retail › Customers › Kind. Restore these rules.',
      );
      const [missing, ...progress] = refused.plan.view.sections;
      assert.equal(missing?.title, 'Changed by others');
      assert.deepEqual(
        missing.items.map(({ text }) => text),
        formerRules.map(() => 'Customers.Kind'),
      );
      for (const { detail, link } of missing.items) {
        assert.match(detail ?? '', /^Data security rules in Retail · .+: .+ · missing$/);
        assert.notEqual(link, undefined);
      }
      assert.deepEqual(
        progress.map((section) => section.title),
        ['Failed', 'Already written'],
      );
      refused.page.post({ type: 'open', link: missing.items[0]?.link ?? -1 });
      await studio.waitForEditor('Customers.Kind.rules.json');
      assert.equal(refused.plan.view.followUp, 'Review Again');
      assert.equal(refused.plan.view.alternative, 'Roll Back…');
      assert.deepEqual(studio.messages.open, []);
      refused.page.post({ type: 'alternative' });
      await confirmRecovery(studio, 'Roll Back');
      await waitFor(
        () => hasColumn('Segment'),
        () => 'The column is not renamed back',
      );
      assert.deepEqual(await listRules('Segment'), formerRules);
    });

    test('after a rollback from the history, a notification asks to pull the project if it is no longer in the workspace', async ({
      studio,
      createProject,
      getOrders,
      backUpOrders,
      sourceControls,
    }) => {
      await using _orders = await backUpOrders();
      const project = await createProject(studio);
      const before = await getOrders();
      await interruptApply(studio);
      await project[Symbol.asyncDispose]();
      await waitFor(
        () => sourceControls.labels.length === 0,
        () => `Still shown: ${sourceControls.labels.join(', ')}`,
      );
      await endInterruptedChange(studio, applyEntry, 'Roll Back');
      await studio.waitForNotification(/^Pull into the project analytics now/);
      assert.equal(await getOrders(), before);
    });

    test('waits for a busy server are shown and can be canceled, also when the apply is then finished from the history', async ({
      studio,
      sandbox,
      createProject,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      const { path, table } = await fetchTable(sandbox, 'Retail', 'Stores');
      await using project = await createProject(studio);
      await project.edit(storesPath, '{', '{"description": "The last write",');
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      {
        await using _faults = await useFaults(sandbox, {
          kind: 'tooManyRequests',
          retryAfter: 60,
          methods: ['PATCH'],
          pathPrefix: path.replace('/schema/', '/'),
        });
        const confirmed = confirmPlan(page);
        const wait = await studio.messages.find(
          'Applying to Shop: The server is busy. Trying again in 60 seconds.',
        );
        wait.answer('Cancel');
        assert.match((await confirmed).summary, /^Stopped\. Requests completed: 1 of 2\. /);
        await studio.runCommand('View: Close All Editors');
        const finished = endInterruptedChange(studio, applyEntry, 'Finish');
        const secondWait = await studio.messages.find(
          'Applied the project analytics: The server is busy. Trying again in 60 seconds.',
        );
        secondWait.answer('Cancel');
        const { result } = await finished;
        assert.equal(
          result.summary,
          'Stopped. Requests completed: 1 of 2. You canceled the change. You can finish the change or roll it back in the History view.',
        );
        assert.equal(result.followUp, 'Show History');
        assert.deepEqual(getSectionTexts({ type: 'plan', view: result }, 'Already written'), ['Orders']);
      }
      await endInterruptedChange(studio, applyEntry, 'Finish');
      await studio.waitForStatusBarItem('Finished: Applied the project analytics');
      assert.equal((await fetchTable(sandbox, 'Retail', 'Stores')).table.description, 'The last write');
      await sandbox.request('PATCH', path, { description: table.description ?? '' });
    });

    test('a stopped apply that still needs a secret names its environment variable, and is finished only with it', async ({
      studio,
      sandbox,
      createProject,
      backUpOrders,
    }) => {
      const variable = 'DATAMODEL_STUDIO_TEST_PASSWORD';
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      const connection = {
        provider: 'PostgreSQL',
        parameters: { Server: 'a.example', Password: { $env: variable } },
      };
      const datasetNames = ['Warehouse A', 'Warehouse B'];
      const connections = { Retail: Object.fromEntries(datasetNames.map((name) => [name, connection])) };
      await project.edit('environments/test.json', '{', `{"connections": ${JSON.stringify(connections)},`);
      for (const name of datasetNames) {
        await project.write(
          `datamodels/Retail/datasets/${name}.dataset.json`,
          JSON.stringify({ name, type: 'extract' }),
        );
      }
      const { path } = await fetchTable(sandbox, 'Retail', 'Orders');
      const datasetsPath = path.replace(/\/datasets\/.*$/, '/datasets');
      type Dataset = { readonly oid: string; readonly name: string; readonly connection?: typeof connection };
      const listDatasets = async (): Promise<readonly Dataset[]> =>
        ((await sandbox.request('GET', datasetsPath)) as readonly Dataset[]).filter(({ name }) =>
          datasetNames.includes(name),
        );
      process.env[variable] = 'hunter2';
      try {
        void studio.runCommand('Datamodel Studio: Apply Project…');
        const { page } = await waitForPlan(studio, title);
        {
          await using _faults = await useFaults(sandbox, {
            kind: 'status',
            status: 400,
            methods: ['POST'],
            pathPrefix: '/api/v2/datamodels',
            every: 2,
          });
          const { summary } = await confirmPlan(page);
          assert.match(summary, /^Stopped\. Requests completed: 1 of 3\. /);
          assert.ok(
            summary.endsWith(
              `Finishing it requires these environment variables, because the history contains no secrets: ${variable}.`,
            ),
            summary,
          );
        }
        const finish = () => studio.chooseFromContextMenu([applyEntry], 'Finish Interrupted Change…');
        delete process.env[variable];
        const refused = finish();
        const { page: refusal, plan } = await waitForPlan(studio, 'Finish: ');
        assert.equal(
          plan.view.summary,
          `Can't finish "Applied the project analytics": the environment variable ${variable} isn't set, and the history contains no secrets. Start VS Code with this variable, or roll the change back.`,
        );
        await cancelPlan(studio, refusal);
        await refused;
        assert.equal((await listDatasets()).length, 1);
        process.env[variable] = 'hunter2';
        const moved = join(await mkdtemp(join(tmpdir(), 'moved-')), 'analytics');
        const prefix = `Can't finish "Applied the project analytics": the history contains no secrets, and the`;
        const cases = [
          {
            text: `${prefix} folder of the project isn't open. Open ${project.folder}, and finish the change there.`,
            actions: ['Open Folder'],
            command: ['vscode.openFolder', project.folder, { forceNewWindow: true }],
          },
          {
            isDeleted: true,
            text: `${prefix} folder of the project doesn't exist anymore: ${project.folder}. Restore and open it, or roll the change back.`,
            actions: [],
          },
          {
            isRestricted: true,
            text: `${prefix} files of the project aren't used in Restricted Mode. Trust the workspace, and then finish the change.`,
            actions: ['Manage Workspace Trust'],
            command: ['workbench.trust.manage'],
          },
        ];
        for (const { isDeleted = false, isRestricted = false, text, actions, command } of cases) {
          using patches = new Patches();
          if (isRestricted) {
            patches.replace(vscode.workspace, 'isTrusted', () => false);
          } else {
            // The project isn't in the workspace, as in a window with another folder.
            patches.replace(vscode.workspace, 'getWorkspaceFolder', () => () => undefined);
          }
          const commands: unknown[][] = [];
          patches.replace(
            vscode.commands,
            'executeCommand',
            (execute) =>
              async (...args: [string, ...unknown[]]) =>
                args[0] === command?.[0]
                  ? commands.push(args.map((arg) => (arg instanceof vscode.Uri ? arg.fsPath : arg)))
                  : execute(...args),
          );
          if (isDeleted) {
            await rename(project.folder, moved);
          }
          await finish();
          const closedProblem = await studio.messages.find(/Can't finish/);
          assert.equal(closedProblem.text, text);
          assert.deepEqual(closedProblem.actions, actions);
          closedProblem.answer(actions[0]);
          if (isDeleted) {
            await rename(moved, project.folder);
          }
          await waitFor(
            () => commands.length === (command === undefined ? 0 : 1),
            () => `${text} runs no command`,
          );
          assert.deepEqual(commands, command === undefined ? [] : [command]);
          assert.equal((await listDatasets()).length, 1);
        }
        await endInterruptedChange(studio, applyEntry, 'Finish');
        await studio.waitForStatusBarItem('Finished: Applied the project analytics');
        assert.deepEqual(
          (await listDatasets()).map((dataset) => dataset.connection?.parameters.Password),
          ['hunter2', 'hunter2'],
        );
      } finally {
        delete process.env[variable];
        for (const { oid } of await listDatasets()) {
          await sandbox.request('DELETE', `${datasetsPath}/${oid}`);
        }
      }
    });

    test('an interrupted apply can be abandoned in the history, and another apply is then possible', async ({
      studio,
      createProject,
      getOrders,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      const lockText = await project.read(lockPath);
      await interruptApply(studio);
      const abandon = () =>
        studio.chooseFromContextMenu([/^Applied the project analytics/], 'Abandon Interrupted Change…');
      const canceled = abandon();
      const { text, detail } = await studio.messages.findQuestion();
      assert.equal(text, 'Abandon "Applied the project analytics"?');
      assert.match(detail, /^Nothing more will be written\. /);
      assert.match(detail, /^Might have been changed – Table: Retail › Orders$/m);
      assert.match(detail, /^Steps that might not have been completed: 1$/m);
      await studio.clickDialogAction('Cancel');
      await canceled;
      assert.equal(await project.read(lockPath), lockText);
      void abandon();
      await studio.clickDialogAction('Abandon');
      await studio.waitForStatusBarItem('Abandoned: Applied the project analytics');
      assert.notEqual(await project.read(lockPath), lockText);
      await studio.tree.waitForItemText([/^Applied the project analytics/], / abandoned \(1\/1\) · /);
      assert.equal(await getOrders(), 'Mine');
      await studio.runCommand('View: Close All Editors');
      await project.edit(ordersPath, /"Mine"/, '"Mine again"');
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      assert.match((await confirmPlan(page)).summary, /^Done\./);
    });

    test('an apply that is abandoned between a table and its relation, and the next build, say what is missing', async ({
      studio,
      createProject,
      backUpOrders,
      sandbox,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      const stores = JSON.parse(await project.read(storesPath)) as { columns: object[] };
      const copy = { ...stores, name: 'Stores Copy', columns: stores.columns.slice(0, 1) };
      await project.write('datamodels/Retail/tables/Stores Copy.table.json', JSON.stringify(copy));
      const columns = ['Stores', 'Stores Copy'].map((table) => ({ table, column: 'Store Id' }));
      await project.write('datamodels/Retail/relations/Copy.relation.json', JSON.stringify({ columns }));
      const { path } = await fetchTable(sandbox, 'Retail', 'Orders');
      {
        await using _faults = await useFaults(sandbox, {
          kind: 'status',
          status: 400,
          methods: ['POST'],
          pathPrefix: formatPath('relations.create', {
            datamodelId: /datamodels\/([^/]+)/.exec(path)?.[1] ?? '',
          }),
        });
        void studio.runCommand('Datamodel Studio: Apply Project…');
        const { page } = await waitForPlan(studio, title);
        const { summary } = await confirmPlan(page);
        assert.match(summary, /Don't build Retail before the change is finished/);
        // The server has rejected what the request contains.
        assert.match(summary, / finishing the change would send the same request again\. /);
      }
      const created = await fetchTable(sandbox, 'Retail', 'Stores Copy');
      try {
        const warning =
          'Before you build Retail, check the relations and rules: some might be missing, so rules might not restrict all tables afterward.';
        void studio.chooseFromContextMenu([/^Applied the project analytics/], 'Abandon Interrupted Change…');
        assert.ok((await studio.messages.findQuestion()).detail.includes(`\n\n${warning}`));
        await studio.clickDialogAction('Abandon');
        (await studio.messages.find(warning)).answer(undefined);

        const buildCount = (await fetchTasks(sandbox, 'Retail')).length;
        const { element } = await studio.findTreeItem(['Shop', 'Datamodels', 'Retail']);
        // Ends only once the build was started or canceled.
        const building = vscode.commands.executeCommand('datamodelStudio.builds.changesOnly', element);
        const { text, detail } = await studio.messages.findQuestion();
        assert.equal(text, 'Build Retail although relations are missing?');
        const missing =
          'Since a change was abandoned, relations of Retail are missing, so after a build, rules might not restrict all of its tables: Stores.Store Id – Stores Copy.Store Id.';
        assert.equal(detail, missing);
        await studio.clickDialogAction('Cancel');
        await building;
        assert.equal((await fetchTasks(sandbox, 'Retail')).length, buildCount);
        // No one can be asked in the terminal of a task.
        await using _faults = await useFaults(sandbox, {
          kind: 'status',
          status: 400,
          methods: ['POST'],
          pathPrefix: '/api/v2/builds',
        });
        assert.equal(await studio.tasks.run(await studio.tasks.find('build Retail on Shop')), 1);
        assert.ok(
          studio.tasks.output.startsWith(`datamodel-build: begin\r\n${missing}\r\nRetail: rejected. `),
          studio.tasks.output,
        );
      } finally {
        await sandbox.request('DELETE', created.path);
      }
    });

    test('a stopped apply whose rollback would have nothing to send can be abandoned from its review', async ({
      studio,
      createProject,
      sandbox,
      getOrders,
      backUpOrders,
      sourceControls,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      const storesPath = 'datamodels/Retail/tables/Stores.table.json';
      const content: object = JSON.parse(await project.read(storesPath));
      await project.write(storesPath, JSON.stringify({ ...content, description: 'Mine' }));
      const orders = await fetchTable(sandbox, 'Retail', 'Orders');
      await using _faults = await useFaults(sandbox, {
        kind: 'status',
        status: 403,
        methods: ['PATCH'],
        every: 2,
        count: 1,
      });
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      const stopped = await confirmPlan(page);
      assert.deepEqual(getSectionTexts({ type: 'plan', view: stopped }, 'Failed'), ['Stores']);
      assert.deepEqual(getSectionTexts({ type: 'plan', view: stopped }, 'Already written'), ['Orders']);
      assert.equal(await getOrders(), 'Mine');
      await studio.runCommand('View: Close All Editors');
      await sandbox.request('PATCH', orders.path, { description: 'Theirs' });
      void studio.chooseFromContextMenu([applyEntry], 'Roll Back Interrupted Change…');
      const review = await waitForPlan(studio, rollBackTitle);
      assert.equal(review.plan.view.blockedReason, 'Nothing to roll back if you keep all later changes.');
      assert.equal(review.plan.view.followUp, 'Abandon Change…');
      review.page.post({ type: 'followUp' });
      const { detail } = await studio.messages.findQuestion();
      assert.match(detail, /^Changed – Table: Retail › Orders$/m);
      assert.match(detail, /^Steps that weren't completed: 1$/m);
      await studio.clickDialogAction('Abandon');
      await studio.waitForStatusBarItem('Abandoned: Applied the project analytics');
      assert.equal(await getOrders(), 'Theirs');
      assert.equal(sourceControls.getRows(label)['Not Compared Yet'], undefined);
      await studio.tree.waitForItemText([/^Applied the project analytics/], / abandoned \(1\/2\) · /);
    });

    test('after a rollback that keeps changes by others, the page shows what was kept and what to do next', async ({
      studio,
      createProject,
      sandbox,
      getOrders,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      const description = await getOrders();
      await using _customers = await backUpCustomers(sandbox);
      const { page, plan } = await openRollBackAfterOthers(studio, sandbox, project);
      assert.equal(await getOrders(), 'Mine');
      assert.equal(plan.view.applyLabel, 'Roll Back');
      assert.deepEqual(
        plan.view.laterChanges?.map(({ text }) => text),
        ['Customers'],
      );
      assert.ok(
        plan.view.laterChanges?.[0]?.lines.includes(
          'If you keep this, these parts of the change stay, too: City (name: City → Town).',
        ),
        JSON.stringify(plan.view.laterChanges),
      );
      const result = await confirmPlan(page);
      assert.equal(result.title, rollBackTitle);
      assert.equal(result.tone, 'warning');
      assert.equal(result.summary, 'Partly rolled back.');
      const message = { type: 'plan', view: result } as const;
      assert.deepEqual(getSectionTexts(message, 'Not rolled back, because later changes are kept'), [
        'Customers',
      ]);
      assert.deepEqual(getSectionTexts(message, 'Next steps'), ['Build Retail']);
      await studio.waitForStatusBarItem('Partly rolled back: Applied the project analytics');
      assert.equal(await getOrders(), description);
      await cancelPlan(studio, page);
    });

    test('a rollback that overwrites changes by others and then stops shows how far it got', async ({
      studio,
      createProject,
      sandbox,
      getOrders,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      const description = await getOrders();
      await using _customers = await backUpCustomers(sandbox);
      const { page } = await openRollBackAfterOthers(studio, sandbox, project);
      page.post({ type: 'overwrite', change: 0, isOverwritten: true });
      await page.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>(
        'plan',
        ({ view }) => view.laterChanges?.[0]?.isOverwritten === true,
      );
      {
        await using _faults = await useFaults(sandbox, {
          kind: 'status',
          status: 403,
          methods: ['PATCH'],
          every: 2,
          count: 1,
        });
        const result = await confirmPlan(page);
        assert.equal(result.tone, 'error');
        assert.match(
          result.summary,
          /^Stopped\. Requests completed: 1 of 2\. .* You can finish the change or roll it back in the History view\.$/,
        );
        assert.equal(result.followUp, 'Show History');
        const message = { type: 'plan', view: result } as const;
        assert.equal(getSectionTexts(message, 'Already written').length, 1);
        assert.equal(getSectionTexts(message, 'Failed').length, 1);
      }
      await cancelPlan(studio, page);
      // The next rollback completes it.
      await endInterruptedChange(studio, applyEntry, 'Roll Back');
      assert.equal(await getOrders(), description);
    });

    test('an apply that stops because another user has changed a table names the table', async ({
      studio,
      createProject,
      sandbox,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using project = await createProject(studio);
      const storesPath = 'datamodels/Retail/tables/Stores.table.json';
      const content: object = JSON.parse(await project.read(storesPath));
      await project.write(storesPath, JSON.stringify({ ...content, description: 'Mine' }));
      const stores = await fetchTable(sandbox, 'Retail', 'Stores');
      void studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      using patches = new Patches();
      onJournalLine(patches, async (line) => {
        if (line.line === 'result' && line.write === 0) {
          await sandbox.request('PATCH', stores.path, { description: 'Theirs' });
        }
      });
      const { summary } = await confirmPlan(page);
      assert.match(
        summary,
        /^Stopped\. .* Someone else has changed Stores \(Table in Retail\) on the server in the meantime\. You can finish /,
      );
      await sandbox.request('PATCH', stores.path, { description: stores.table.description ?? '' });
      await studio.runCommand('View: Close All Editors');
      await endInterruptedChange(studio, applyEntry, 'Roll Back');
      await studio.waitForStatusBarItem('Rolled back: Applied the project analytics');
      await studio.tree.waitForItemText([/^Applied the project analytics/], /undone|rolled back/);
    });

    test('the result is shown as a notification if the page of the plan was closed', async ({
      studio,
      createProject,
      getOrders,
      backUpOrders,
    }) => {
      await using _orders = await backUpOrders();
      await using _project = await createProject(studio);
      const applying = studio.runCommand('Datamodel Studio: Apply Project…');
      const { page } = await waitForPlan(studio, title);
      using patches = new Patches();
      onJournalLine(patches, ({ line }) => {
        if (line === 'begin') {
          page.panel.dispose();
        }
      });
      page.post({ type: 'apply' });
      const { severity } = await studio.waitForNotification(/^Apply analytics to Shop: Done\./);
      assert.equal(severity, 'information');
      await applying;
      assert.equal(await getOrders(), 'Mine');
    });

    test('projects that cannot be found on activation are reported', async ({ studio }) => {
      using patches = new Patches();
      patches.replace(vscode.workspace, 'findFiles', () => async () => {
        throw new Error('The search has failed');
      });
      await studio.reloadWindow();
      await studio.waitForNotification('The search has failed');
    });
  },
);

describeStudio(
  'planning a project for an empty instance',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox({ seed: 'empty' }));
    return { sandbox, options: {} };
  },
  (test) => {
    test('the plan says which new tables are restricted by rules, and that no one loses access', async ({
      studio,
      sandbox,
    }) => {
      const connection = { provider: 'PostgreSQL', parameters: { Server: 'db.example.com' } };
      const createTable = (name: string): string =>
        JSON.stringify({
          name,
          id: name,
          dataset: 'Main',
          type: 'base',
          columns: [{ name: 'Region', type: 18 }],
        });
      const rule = { table: 'Guarded', column: 'Region', datatype: 'text', members: [], allMembers: false };
      await addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
      await using _project = await TestProject.moveIntoWorkspace('new', {
        '': {
          'datamodel-studio.json': '{"version": 1, "manage": {"datamodels": ["Trade"], "viewpoints": []}}',
          'environments/test.json': JSON.stringify({
            url: sandbox.url,
            role: 'development',
            connections: { Trade: { Main: connection } },
          }),
          'datamodels/Trade/Trade.datamodel.json': '{"title": "Trade", "type": "extract"}',
          'datamodels/Trade/datasets/Main.dataset.json': JSON.stringify({
            name: 'Main',
            type: 'extract',
            connection,
          }),
          'datamodels/Trade/tables/Guarded.table.json': createTable('Guarded'),
          'datamodels/Trade/tables/Open.table.json': createTable('Open'),
          'datamodels/Trade/rules/Guarded.Region.rules.json': JSON.stringify([
            { ...rule, shares: [{ type: 'default' }] },
          ]),
        },
      });
      await studio.waitForStatusBarItem('test');
      void studio.runCommand('Datamodel Studio: Plan Project…');
      const { page, plan } = await waitForPlan(studio, 'Plan: new to Shop');
      assert.equal(
        plan.view.summary,
        '1 new table will be visible to everyone with access to its datamodel. Rules restrict who sees 1 new table. Access to everything else stays the same.',
      );
      assert.deepEqual(
        plan.view.sections.slice(0, 2).map(({ title: section, items }) => [section, ...items]),
        [
          [
            "New tables that rules don't restrict",
            {
              icon: 'warning',
              text: 'Open',
              detail: 'Table in Trade · everyone with access to the datamodel will see it',
            },
          ],
          [
            'New tables that rules restrict',
            { icon: 'table', text: 'Guarded', detail: 'Table in Trade · Region: everyone else: no values' },
          ],
        ],
      );
      assert.deepEqual(getSectionTexts(plan, 'Loses access'), []);
      await cancelPlan(studio, page);
    });
  },
);
