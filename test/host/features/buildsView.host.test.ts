import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { schemes } from '../../../src/contributions.ts';
import { fetchDatamodel, fetchTable, setCustomTableExpression } from '../../editor/support/demo.ts';
import { type RecordingProxy, startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import {
  buildsView,
  createDatamodel,
  fetchTasks,
  showBuilds,
  startBuildElsewhere,
  waitForTask,
} from '../support/builds.ts';
import { addConnection, waitForConnectionGone } from '../support/connections.ts';
import { advanceClock } from '../support/clock.ts';
import { useFaults } from '../support/faults.ts';
import { Patches } from '../support/patches.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const slowBuilds = { kind: 'slowBuilds', ms: 600_000 };

/** Responds in place of the sandbox until the result is disposed of. */
function interceptResponses(
  recorder: RecordingProxy,
  getResponse: NonNullable<RecordingProxy['getInterceptedResponse']>,
): Disposable {
  recorder.getInterceptedResponse = getResponse;
  return {
    [Symbol.dispose]() {
      recorder.getInterceptedResponse = undefined;
    },
  };
}

/** Creates a function that responds with these build tasks instead of the tasks of the sandbox. */
const createTaskListResponder =
  (list: () => readonly object[]): NonNullable<RecordingProxy['getInterceptedResponse']> =>
  (method, path) =>
    method === 'GET' && path.startsWith('/api/v2/builds')
      ? path.split('?')[0] === '/api/v2/builds'
        ? { status: 200, body: JSON.stringify(list()) }
        : { status: 404, body: '{}' }
      : undefined;

/** Chooses from the menu of a build in the Builds view, found by its text. */
async function chooseForBuild(studio: HostStudio, text: RegExp, action: string): Promise<void> {
  studio.tree.chooseFromContextMenuOfRow(await studio.tree.findRowInView(buildsView, text), action);
}

async function build(studio: HostStudio, title: string): Promise<void> {
  await studio.chooseFromContextMenu('Sandbox', 'Refresh');
  await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', title], 'Build', 'More Options…');
  await studio.selectQuickPick('Replace All');
}

const getSelectedText = (): string => {
  const editor = vscode.window.activeTextEditor;
  return editor === undefined ? '' : editor.document.getText(editor.selection);
};

/** The errors of server documents in Problems, each with the name of its file. */
const listErrors = (): readonly string[] =>
  vscode.languages
    .getDiagnostics()
    .filter(([{ scheme }]) => scheme === schemes.document)
    .flatMap(([uri, problems]) =>
      problems
        .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error)
        .map(({ message }) => `${uri.path.split('/').at(-1)} ${message}`),
    );

describeStudio(
  'Builds view',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const recorder = disposables.use(await startRecordingProxy(sandbox));
    return { sandbox, recorder, options: { env: recorder.env } };
  },
  (test) => {
    test('the view is empty before a build, and then lists the build under its connection', async ({
      studio,
      sandbox,
    }) => {
      assert.deepEqual(await studio.tree.getChildLabels(undefined, buildsView), []);
      await createDatamodel(sandbox, 'Listed');
      await build(studio, 'Listed');
      const row = await studio.tree.findRowInView(buildsView, /^Listed done in [\d.]+ s · /);
      assert.deepEqual(await studio.tree.getChildLabels(undefined, buildsView), ['Sandbox']);
      assert.equal(row.item.contextValue, 'build.done.model');
      const [task] = await fetchTasks(sandbox, 'Listed');
      const tooltip = await studio.tree.getRowTooltip(row);
      for (const line of ['Connection: Sandbox', 'Type: Replace All', 'Last known state: done', task?.oid]) {
        assert.ok(tooltip.includes(String(line)), `${line} in ${tooltip}`);
      }
      assert.doesNotMatch(tooltip, /\[Cancel\]/);
      // The tooltip in the Connections view also has labels instead of the JSON of the task, which Open as JSON shows.
      await studio.chooseFromContextMenu(['Sandbox', 'Builds'], 'Refresh');
      const explorerTooltip = await studio.tree.getTooltip(['Sandbox', 'Builds', 'Listed']);
      assert.match(explorerTooltip, /State: done.*Type: Replace All/s);
      assert.doesNotMatch(explorerTooltip, /[{}"_]|full|oid/);
      assert.match(row.item.accessibilityInformation?.label ?? '', /^Listed: done in/);
    });

    test('a build is repeated with the same options', async ({ studio, sandbox }) => {
      await createDatamodel(sandbox, 'Repeated');
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Repeated'], 'Build', 'More Options…');
      await studio.quickInput.pickByText(/first rows from each source$/m);
      await studio.submitInputBox('7');
      await chooseForBuild(studio, /^Repeated done in/, 'Build Again');
      await waitFor(
        async () => (await fetchTasks(sandbox, 'Repeated')).length === 2,
        () => 'It is not built again',
      );
      const tasks = await fetchTasks(sandbox, 'Repeated');
      assert.deepEqual(
        tasks.map(({ buildType, schemaOrigin, rowLimit }) => [buildType, schemaOrigin, rowLimit]),
        [
          ['full', 'latest', 7],
          ['full', 'latest', 7],
        ],
      );
    });

    test('a click on the status bar selects a running build in the Builds view, or the newest build if none is running', async ({
      studio,
      sandbox,
    }) => {
      await createDatamodel(sandbox, 'Recent');
      await build(studio, 'Recent');
      await studio.waitForStatusBarItem(/Recent built in/);
      const getSelectedRow = (): unknown => studio.tree.getView(buildsView).selection[0];
      await studio.status.click(/Recent built in/);
      await studio.status.waitForTextGone(/Recent built in/);
      const doneRow = await studio.tree.findRowInView(buildsView, /^Recent done in/);
      await waitFor(
        () => JSON.stringify(getSelectedRow()) === JSON.stringify(doneRow.element),
        () => `Selected is ${JSON.stringify(getSelectedRow())}`,
      );
      await using _ = await useFaults(sandbox, slowBuilds);
      await build(studio, 'Recent');
      await studio.status.click(/Building Recent/);
      const running = await studio.tree.findRowInView(buildsView, /^Recent (queued|building)/);
      await waitFor(
        () => JSON.stringify(getSelectedRow()) === JSON.stringify(running.element),
        () => `Selected is ${JSON.stringify(getSelectedRow())}`,
      );
      await studio.chooseFromContextMenu(['Sandbox', 'Builds', 'Recent'], 'Cancel Build');
      await studio.waitForStatusBarItem('Build of Recent canceled');
    });

    test('with several connections, the status bar names the connection of a build', async ({
      studio,
      sandbox,
    }) => {
      await createDatamodel(sandbox, 'Somewhere');
      await addConnection(studio, { name: 'Other', url: `${sandbox.url}/other` });
      await build(studio, 'Somewhere');
      await studio.waitForStatusBarItem(/Somewhere built in .+ s \(Sandbox\)$/);
      await studio.chooseFromContextMenu('Other', 'Remove Connection…');
      await studio.clickDialogAction('Remove');
      await waitForConnectionGone(studio, 'Other');
    });

    test('a failed build leads to the cause in its table, until a build succeeds', async ({
      studio,
      sandbox,
    }) => {
      const { table } = await fetchTable(sandbox, 'Retail', 'Customer Value');
      const { expression } = table;
      const validSql = typeof expression === 'string' ? expression : (expression?.expression ?? '');
      await setCustomTableExpression(
        sandbox,
        'Retail',
        'Customer Value',
        'SELECT [Revenu] FROM [Order Items]',
      );
      await build(studio, 'Retail');
      const message = await studio.waitForNotification(
        /^Build of Retail failed: table Customer Value: .*no such column: Revenu/,
      );
      assert.deepEqual(message.actions, ['Open Table', 'Show Builds', 'Show Log']);
      const row = await studio.tree.findRowInView(
        buildsView,
        /^Retail failed: table Customer Value: .*Revenu/,
      );
      assert.equal(row.item.contextValue, 'build.failed.model.table');
      await studio.waitForStatusBarItem('Build of Retail failed');
      await studio.tree.waitForItemText(['Sandbox', 'Datamodels', 'Retail'], /build failed/);

      // Before the SQL is opened, the failure is reported as a problem of its file.
      await waitFor(
        () => listErrors().length === 1,
        () => listErrors().join('\n'),
      );
      assert.match(String(listErrors()), /^Customer Value.datamodel.sql The build failed: .*Revenu/);
      await chooseForBuild(studio, /^Retail failed/, 'Open Failed Table');
      await studio.waitForEditor('Customer Value.datamodel.sql');
      await waitFor(
        () => getSelectedText().includes('Revenu'),
        () => `"${getSelectedText()}" is selected`,
      );
      assert.equal(getSelectedText(), '[Revenu]');
      const editor = vscode.window.activeTextEditor as vscode.TextEditor;
      // The error is listed once: as a problem of the SQL, which has quick fixes, and not as a failed build.
      await waitFor(
        () => listErrors().length === 1 && !listErrors()[0]?.includes('build failed'),
        () => listErrors().join('\n'),
      );
      assert.match(String(listErrors()), /^Customer Value.datamodel.sql .*Revenu/);

      // The button of the notification shows the SQL that is already open, in its editor group.
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await vscode.commands.executeCommand('workbench.action.newGroupRight');
      {
        using patches = new Patches();
        // The editor may report that a text editor is the active one only after it has shown it.
        patches.replace(vscode.window, 'activeTextEditor', () => undefined);
        await studio.clickNotificationAction(/^Build of Retail failed/, 'Open Table');
        await waitFor(
          () => editor.document.getText(editor.selection) === '[Revenu]',
          () => `"${editor.document.getText(editor.selection)}" is selected`,
        );
      }
      await waitFor(
        () => vscode.window.tabGroups.activeTabGroup.viewColumn === vscode.ViewColumn.One,
        () => `Active is group ${vscode.window.tabGroups.activeTabGroup.viewColumn}`,
      );
      assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);

      await setCustomTableExpression(sandbox, 'Retail', 'Customer Value', validSql);
      await chooseForBuild(studio, /^Retail failed/, 'Build Again');
      await studio.tree.findRowInView(buildsView, /^Retail done in/);
      await waitFor(
        () => listErrors().length === 0,
        () => `The problem stays: ${listErrors().join('\n')}`,
      );
    });

    test('the problem of a failed build is gone after a later build is canceled', async ({
      studio,
      sandbox,
    }) => {
      const hasProblem = (): boolean =>
        vscode.languages
          .getDiagnostics()
          .some(([, problems]) =>
            problems.some(({ message }) => message === 'The build failed: no space left'),
          );
      const failing = { kind: 'failingBuilds', message: 'no space left', table: 'Customer Value', count: 1 };
      await using _failing = await useFaults(sandbox, failing);
      await build(studio, 'Retail');
      await waitFor(hasProblem, () => 'The failure is not among the problems');
      await using _ = await useFaults(sandbox, slowBuilds);
      await build(studio, 'Retail');
      await chooseForBuild(studio, /^Retail (queued|building)/, 'Cancel Build');
      await waitFor(
        () => !hasProblem(),
        () => 'The problem stays',
      );
    });

    test('a table that no longer exists is not opened from its failed build', async ({ studio, sandbox }) => {
      await createDatamodel(sandbox, 'Tableless');
      await using _ = await useFaults(sandbox, { kind: 'failingBuilds', message: 'no disk', table: 'Lost' });
      await build(studio, 'Tableless');
      await chooseForBuild(studio, /^Tableless failed: table Lost: no disk/, 'Open Failed Table');
      await studio.waitForNotification('Table Lost no longer exists in Tableless.');
      assert.equal(vscode.window.activeTextEditor, undefined);
    });

    test('Open Task as JSON shows the build task as the server returns it', async ({ studio, sandbox }) => {
      await createDatamodel(sandbox, 'Shown');
      await build(studio, 'Shown');
      await chooseForBuild(studio, /^Shown done in/, 'Open Task as JSON');
      const { document } = await studio.waitForEditorText('"buildType": "full"');
      const [task] = await fetchTasks(sandbox, 'Shown');
      assert.deepEqual(JSON.parse(document.getText()), task);
    });

    test('a running build shows its elapsed time, and is canceled', async ({ studio, sandbox }) => {
      await createDatamodel(sandbox, 'Canceled');
      await using _ = await useFaults(sandbox, slowBuilds);
      await build(studio, 'Canceled');
      const row = await studio.tree.findRowInView(buildsView, /^Canceled building for \d+:\d\d/);
      assert.match(
        await studio.tree.getRowTooltip(row),
        /\[Cancel\]\(command:datamodelStudio\.builds\.cancel\?/,
      );
      await studio.tree.findRowInView(buildsView, /^Sandbox 1 running/);
      // The elapsed time is updated while the view is visible.
      await vscode.commands.executeCommand(`${buildsView}.focus`);
      await studio.tree.findRowInView(buildsView, /^Canceled building for (?!0:00)\d+:\d\d/);
      await chooseForBuild(studio, /^Canceled building/, 'Cancel Build');
      await studio.tree.findRowInView(buildsView, /^Canceled canceled/);
      assert.equal((await fetchTasks(sandbox, 'Canceled'))[0]?.status, 'cancelled');
    });

    test("a colleague's build is listed, and its outcome is unknown once the server no longer lists it", async ({
      studio,
      sandbox,
      recorder,
    }) => {
      await showBuilds(studio);
      await createDatamodel(sandbox, 'Foreign');
      await using _ = await useFaults(sandbox, slowBuilds);
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
      const taskId = await startBuildElsewhere(sandbox, 'Foreign');
      await studio.runCommand('Refresh Builds');
      const row = await studio.tree.findRowInView(buildsView, /^Foreign building, first seen 0:/);
      assert.match(await studio.tree.getRowTooltip(row), /Started: elsewhere/);
      await studio.waitForStatusBarItem(/Building Foreign/);
      assert.equal(
        studio.messages.open.some(({ text }) => text.includes('Foreign')),
        false,
        'no notification of a build that was started elsewhere',
      );
      // A new task may be missing from responses for half a minute.
      using _clock = advanceClock(31_000);
      using _responses = interceptResponses(
        recorder,
        createTaskListResponder(() => []),
      );
      await studio.runCommand('Refresh Builds');
      await studio.tree.findRowInView(buildsView, /^Foreign not listed since .*last known state: building/);
      await studio.waitForStatusBarItem('Build of Foreign: outcome unknown');
      await sandbox.request('DELETE', `/api/v2/builds/${taskId}`);
    });

    test("a colleague's success replaces a failure once the Connections view is refreshed, and the history has every build", async ({
      studio,
      sandbox,
    }) => {
      await createDatamodel(sandbox, 'Repaired');
      const datamodel = ['Sandbox', 'Datamodels', 'Repaired'];
      {
        await using _ = await useFaults(sandbox, { kind: 'failingBuilds', message: 'no disk' });
        await build(studio, 'Repaired');
        await studio.tree.waitForItemText(datamodel, /build failed/);
        await startBuildElsewhere(sandbox, 'Repaired');
        await waitForTask(sandbox, 'Repaired', 'failed');
      }
      await startBuildElsewhere(sandbox, 'Repaired');
      await waitForTask(sandbox, 'Repaired', 'done');
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      await studio.tree.waitForItemText(datamodel, /^Repaired extract\b/);
      await studio.tree.findRowInView(buildsView, /^Repaired done/);
      await studio.status.waitForTextGone('Build of Repaired failed');
      await studio.runCommand('Show Build History');
      const page = await studio.findPage('datamodelStudio.buildHistory', 'Build History');
      await waitFor(
        () =>
          page.html.includes(
            '<h2>Repaired <small>Replace All · Sandbox</small></h2>\n<p>3 builds, 2 failed;',
          ),
        () => page.html,
      );
      await studio.runCommand('View: Close All Editors');
      await showBuilds(studio);
    });

    test('the tooltip of a build shows where it was started', async ({ studio, recorder }) => {
      const sources = {
        rest: 'through the REST API',
        nextecm: 'in the web interface',
        Scheduler: 'by the scheduler',
        cli: 'from the command line',
        robot: 'robot',
      };
      let tasks = Object.keys(sources).map((source) => ({
        oid: `task-${source}`,
        status: 'building',
        source,
      }));
      using _responses = interceptResponses(
        recorder,
        createTaskListResponder(() => tasks),
      );
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
      await studio.runCommand('Refresh Builds');
      for (const [source, words] of Object.entries(sources)) {
        const row = await studio.tree.findRowInView(
          buildsView,
          new RegExp(`^task-${source} building, first seen`),
        );
        assert.match(await studio.tree.getRowTooltip(row), new RegExp(`Started: ${words}`));
        assert.equal(row.item.contextValue, 'build.running');
      }
      await studio.waitForStatusBarItem(/5 builds 0:\d\d/);
      tasks = tasks.map((task) => ({ ...task, status: 'canceled' }));
      await studio.runCommand('Refresh Builds');
      await studio.tree.findRowInView(buildsView, /^task-rest canceled/);
    });

    test('a connection that does not respond is marked until it responds again', async ({
      studio,
      sandbox,
      recorder,
    }) => {
      await createDatamodel(sandbox, 'Silent');
      await using _ = await useFaults(sandbox, slowBuilds);
      await build(studio, 'Silent');
      await studio.tree.findRowInView(buildsView, /^Silent building for/);
      recorder.isOffline = true;
      await studio.runCommand('Refresh Builds');
      await studio.tree.findRowInView(buildsView, /^Sandbox no response since \d/);
      recorder.isOffline = false;
      await studio.runCommand('Refresh Builds');
      await studio.tree.findRowInView(buildsView, /^Sandbox \d running/);
      await chooseForBuild(studio, /^Silent building for/, 'Cancel All Builds of Datamodel');
      await studio.tree.findRowInView(buildsView, /^Silent canceled/);
    });

    test('Cancel All Builds cancels nothing at first, with the reason, if the server does not report the datamodel', async ({
      studio,
      recorder,
    }) => {
      let tasks = [{ oid: 'foreign-task', status: 'building' }];
      const list = createTaskListResponder(() => tasks);
      using _responses = interceptResponses(recorder, (method, path) =>
        method === 'DELETE' ? { status: 204, body: '' } : list(method, path),
      );
      await studio.chooseFromContextMenu(['Sandbox', 'Builds'], 'Refresh');
      await studio.findTreeItem(['Sandbox', 'Builds', 'foreign-task']);
      await studio.waitForStatusBarItem(/Building foreign-task/);
      recorder.takeRequests();
      await studio.runCommand('Datamodel Studio: Cancel All Builds of Datamodel');
      await studio.selectQuickPick('foreign-task');
      await studio.waitForNotification(
        "The server doesn't report the datamodel of build foreign-task, so its other builds weren't canceled.",
      );
      const takeCancellations = (): readonly string[] =>
        recorder.takeRequests().filter((line) => line.startsWith('DELETE'));
      assert.deepEqual(takeCancellations(), []);
      await studio.clickNotificationAction(/foreign-task/, 'Cancel This Build');
      const cancellations = await waitFor(
        () => {
          const newCancellations = takeCancellations();
          return newCancellations.length === 0 ? undefined : newCancellations;
        },
        () => 'Nothing is canceled',
      );
      assert.deepEqual(cancellations, ['DELETE /api/v2/builds/foreign-task']);
      tasks = [{ oid: 'foreign-task', status: 'done' }];
      await studio.tree.findRowInView(buildsView, /^foreign-task done/);
    });

    test('repeating a build of an unknown type asks to publish a live datamodel, even before the datamodels are loaded', async ({
      studio,
      sandbox,
      recorder,
    }) => {
      const { oid: datamodelId } = await fetchDatamodel(sandbox, 'Support Desk');
      let status = 'building';
      using _responses = interceptResponses(
        recorder,
        createTaskListResponder(() => [{ oid: 'live-task', status, datamodelId }]),
      );
      await studio.reloadWindow();
      await studio.findTreeItem(['Sandbox', 'Builds', 'live-task']);
      await studio.tree.findRowInView(buildsView, /building, first seen/);
      status = 'done';
      await studio.runCommand('Refresh Builds');
      const row = await studio.tree.findRowInView(buildsView, new RegExp(`^${datamodelId} done`));
      studio.tree.chooseFromContextMenuOfRow(row, 'Build Again');
      assert.match((await studio.messages.findQuestion()).text, /^Publish .* on Sandbox\?$/);
      await studio.clickDialogAction('Cancel');
    });

    test('repeating a build of an unknown type asks for the type, and a build that is no longer listed is not repeated', async ({
      studio,
      sandbox,
      recorder,
    }) => {
      const datamodelId = await createDatamodel(sandbox, 'Untyped');
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Untyped']);
      let status = 'building';
      const interception = interceptResponses(
        recorder,
        createTaskListResponder(() => [{ oid: 'untyped-task', status, datamodelId }]),
      );
      await studio.runCommand('Refresh Builds');
      await studio.tree.findRowInView(buildsView, /^\S+ building, first seen/);
      status = 'done';
      await studio.runCommand('Refresh Builds');
      const row = await studio.tree.findRowInView(buildsView, new RegExp(`^(Untyped|${datamodelId}) done`));
      interception[Symbol.dispose]();
      studio.tree.chooseFromContextMenuOfRow(row, 'Build Again');
      await studio.quickInput.waitForTitle(/^Build (Untyped|[-0-9a-f]+)$/);
      await studio.selectQuickPick('By Table');
      await studio.selectQuickPick('Build');
      await waitFor(
        async () => (await fetchTasks(sandbox, 'Untyped')).length === 1,
        () => 'It is not built',
      );
      assert.equal((await fetchTasks(sandbox, 'Untyped'))[0]?.buildType, 'by_table');
      const { connectionId } = Object(row.element) as { readonly connectionId: string };
      const forgotten = { connectionId, oid: 'forgotten' };
      for (const command of ['again', 'openTable', 'openTask']) {
        void vscode.commands.executeCommand(`datamodelStudio.builds.${command}`, forgotten);
        await studio.waitForNotification('This build is no longer in the list.');
        studio.messages.reset();
      }
    });
  },
);
