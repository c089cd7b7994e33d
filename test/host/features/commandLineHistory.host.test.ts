import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import { fetchTable } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { createTemporaryFolder } from '../../editor/support/temporaryFolder.ts';
import { addConnection } from '../support/connections.ts';
import { Patches } from '../support/patches.ts';
import { applyPlan, cancelPlan, waitForPlan } from '../support/plans.ts';
import { TestProject } from '../support/projects.ts';
import { type HostStudio, getHostContext } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
const customersPath = 'datamodels/Retail/tables/Customers.table.json';
const entryTitle = 'Applied the project pipeline';

const lockPath = 'environments/default.lock.json';

/** Waits until the editor has recorded the result of an undo in the lock file. */
const waitForLockChange = (project: TestProject, lockText: string): Promise<unknown> =>
  waitFor(
    async () => (await project.read(lockPath)) !== lockText,
    () => 'The lock file stays as it is',
  );
const historyView = 'datamodelStudio.history';
/** No process has this ID. */
const deadPid = 2_147_483_647;

/** Runs the command line as a user does, with its journals in the default folder. */
async function runCommandLine(sandbox: JourneySandbox, ...args: readonly string[]): Promise<void> {
  const script = join(getHostContext().extensionPath, 'dist', 'cli.js');
  await promisify(execFile)(process.execPath, [script, ...args, '--token-env', 'STUDIO_TOKEN'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', STUDIO_TOKEN: sandbox.adminToken },
  });
}

/**
 * Pulls a project on the command line, changes the description of the table Orders in its file, and applies the
 * change.
 */
async function applyProject(sandbox: JourneySandbox, description: string): Promise<TestProject> {
  const project = await TestProject.createInWorkspace('pipeline');
  const target = ['--url', sandbox.url, '--project', project.folder];
  await runCommandLine(sandbox, 'pull', ...target);
  await project.edit(ordersPath, /"description": "[^"]*"/, `"description": "${description}"`);
  await runCommandLine(sandbox, 'apply', ...target, '--execute');
  return project;
}

/** Returns the path of the newest journal of the command line. */
async function findNewestJournal(): Promise<string> {
  const folder = join(process.env['XDG_STATE_HOME'] ?? '', 'datamodel-studio', 'history');
  const names = await readdir(folder, { recursive: true });
  const [newest = ''] = names
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted(
      (a, b) =>
        a
          .split('/')
          .at(-1)
          ?.localeCompare(b.split('/').at(-1) ?? '') ?? 0,
    )
    .toReversed();
  return join(folder, newest);
}

const getRows = (studio: HostStudio): Promise<readonly string[]> =>
  studio.tree.getChildLabels(undefined, historyView);

describeStudio(
  'changes of the command line',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const getOrders = async () => (await fetchTable(sandbox, 'Retail', 'Orders')).table.description;
    const connect = (studio: HostStudio) =>
      addConnection(studio, { name: 'Shop', url: sandbox.url, token: sandbox.adminToken });
    return { sandbox, getOrders, connect, options: {} };
  },
  (test) => {
    test('are in the history of the editor, can be undone there, and are not shown in Restricted Mode', async ({
      studio,
      sandbox,
      getOrders,
      connect,
    }) => {
      await connect(studio);
      const before = await getOrders();
      await using project = await applyProject(sandbox, 'From the pipeline');
      assert.equal(await getOrders(), 'From the pipeline');
      const lockText = await project.read(lockPath);
      {
        using patches = new Patches();
        patches.replace(vscode.workspace, 'isTrusted', () => false);
        assert.deepEqual(await getRows(studio), []);
      }
      const { item } = await studio.tree.waitForItemText([entryTitle], / · from the command line/);
      assert.ok(typeof item.tooltip === 'string');
      assert.match(item.tooltip, /\nOn the command line, by \S+ on \S+/);
      await studio.chooseFromContextMenu([entryTitle], 'Undo Change…');
      const { plan } = await waitForPlan(studio, `Undo: ${entryTitle}`);
      assert.match(
        plan.view.summary,
        / The next apply would make these changes again\. A pull would keep the files\.$/,
      );
      await applyPlan(studio, `Undo: ${entryTitle}`);
      await studio.waitForStatusBarItem(`Undone: ${entryTitle}`);
      assert.equal(await getOrders(), before);
      await studio.tree.waitForItemText([entryTitle], / undone · .* · from the command line/);
      assert.deepEqual(await getRows(studio), ['Undid the change to pipeline', entryTitle]);
      await waitForLockChange(project, lockText);
      await runCommandLine(sandbox, 'pull', '--url', sandbox.url, '--project', project.folder);
      assert.match(await project.read(ordersPath), /"description": "From the pipeline"/);
    });

    test('make plans of the same instance out of date, also if another folder is applied', async ({
      studio,
      sandbox,
      connect,
    }) => {
      await connect(studio);
      await using project = await TestProject.createInWorkspace('planned');
      await studio.runCommand('Datamodel Studio: Pull into Folder…');
      await studio.selectQuickPick('planned');
      await studio.submitInputBox('test');
      (await studio.waitForNotification(/^Pulled Shop into planned/)).answer(undefined);
      const applyWhilePlanned = async (path: string, table: string): Promise<void> => {
        await new TestProject(path).edit(table, /"description": "[^"]*"/, '"description": "New"');
        await studio.runCommand('Datamodel Studio: Plan Project…');
        const { page, plan } = await waitForPlan(studio, 'Plan: ');
        assert.equal(plan.note, undefined);
        await runCommandLine(sandbox, 'apply', '--environment', 'test', '--project', path, '--execute');
        await page.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>(
          'plan',
          ({ note }) => note?.startsWith('This plan is out of date: ') === true,
        );
        await cancelPlan(studio, page);
      };
      await applyWhilePlanned(project.folder, ordersPath);
      await using folder = await createTemporaryFolder();
      await cp(project.folder, folder.path, { recursive: true });
      await applyWhilePlanned(folder.path, customersPath);
    });

    test('that were abandoned are shown as abandoned, and what they have written can be undone', async ({
      studio,
      sandbox,
      getOrders,
      connect,
    }) => {
      await connect(studio);
      const before = await getOrders();
      await using project = await applyProject(sandbox, 'Given up');
      const lockText = await project.read(lockPath);
      const journal = await findNewestJournal();
      const text = await readFile(journal, 'utf8');
      await writeFile(
        journal,
        text.replace(
          /\n\{"line":"end".*/,
          '\n{"line":"end","state":"stopped","after":[],"moved":[],"abandoned":true}',
        ),
      );
      await studio.tree.waitForItemText([entryTitle], / abandoned \(1\/1\) · .* · from the command line/);
      await studio.chooseFromContextMenu([entryTitle], 'Undo Change…');
      await applyPlan(studio, `Undo: ${entryTitle}`);
      await studio.waitForStatusBarItem(`Undone: ${entryTitle}`);
      assert.equal(await getOrders(), before);
      await waitForLockChange(project, lockText);
    });

    test('that were interrupted show the command that ends them, and until then block a pull from the instance', async ({
      studio,
      sandbox,
      connect,
    }) => {
      await connect(studio);
      await using project = await applyProject(sandbox, 'Whole');
      // The view is visible before the second change.
      await vscode.commands.executeCommand(`${historyView}.focus`);
      await waitFor(
        () => studio.tree.getView(historyView).visible && studio.tree.isRowVisible([/./], historyView),
        () => 'The history is not visible',
      );
      await project.edit(ordersPath, '"Whole"', '"Half"');
      await runCommandLine(sandbox, 'apply', '--url', sandbox.url, '--project', project.folder, '--execute');
      const journal = await findNewestJournal();
      const text = await readFile(journal, 'utf8');
      await writeFile(
        journal,
        text.replace(/\n\{"line":"end".*/, '').replace(/"pid":\d+/, `"pid":${deadPid}`),
      );
      // Only a row that the editor shows gets the focus, and can be selected then.
      await studio.runCommand('Datamodel Studio: Show History');
      await waitFor(
        async () => {
          await vscode.commands.executeCommand('list.select');
          const [selected] = studio.tree.getView(historyView).selection as readonly { entryId: string }[];
          return selected !== undefined && journal.includes(selected.entryId);
        },
        () => 'The history does not show the change',
      );
      await studio.tree.waitForItemText([entryTitle], / interrupted \(1\/1\) · /);
      for (const [label, command] of [
        ['Finish Interrupted Change…', 'resume'],
        ['Abandon Interrupted Change…', 'abandon'],
        ['Roll Back Interrupted Change…', 'roll-back'],
      ] as const) {
        void studio.chooseFromContextMenu([entryTitle], label);
        const line = new RegExp(`Run "datamodel-studio ${command} \\S+ --execute" in a terminal`);
        (await studio.waitForNotification(line)).answer('Copy Command');
      }
      // The palette offers all changes.
      void studio.runCommand('Datamodel Studio: Undo Change…');
      await studio.selectQuickPick(entryTitle);
      const undoLine = /Run "datamodel-studio roll-back \S+ --execute" in a terminal/;
      (await studio.waitForNotification(undoLine)).answer('Copy Command');
      await studio.runCommand('Datamodel Studio: Pull into Folder…');
      await studio.selectQuickPick('pipeline');
      const refusal = await studio.waitForNotification(
        /^An earlier change to this instance was interrupted on the command line\. .* there first\. ID: \S+$/,
      );
      refusal.answer('Show History');
      await studio.tree.waitForSelected([entryTitle]);
      assert.match(await vscode.env.clipboard.readText(), /^datamodel-studio roll-back \S+ --execute$/);
      assert.equal((await readFile(journal, 'utf8')).includes('"line":"claim"'), false);
    });
  },
);
