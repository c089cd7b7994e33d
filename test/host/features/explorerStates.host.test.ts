import assert from 'node:assert/strict';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const createProblemBody = (title: string): string => JSON.stringify({ title, detail: title });

const datamodels = ['Sandbox', 'Datamodels'] as const;

describeStudio(
  'the states of the Connections view',
  async (disposables) => {
    const recorder = disposables.use(
      await startRecordingProxy(disposables.use(await startHostSandbox({ seed: 'empty' }))),
    );
    const settings = { 'datamodelStudio.network.requestTimeout': 5 };
    return { recorder, options: { env: recorder.env, settings } };
  },
  (test) => {
    test('empty lists offer the next step', async ({ studio }) => {
      const rows: readonly (readonly [list: string, label: string, action: string])[] = [
        ['Datamodels', 'No datamodels yet', 'New Datamodel…'],
        ['Cube Sets', 'No cube sets yet: add them by name', 'Add Cube Set…'],
        ['Viewpoints', 'No viewpoints yet', 'New Viewpoint…'],
        ['Custom Data', 'No custom data yet', 'New Custom Data Object…'],
        ['Builds', 'No running or recent builds', ''],
      ];
      for (const [list, label, action] of rows) {
        const row = await studio.findTreeItem(['Sandbox', list, label]);
        assert.equal(row.description, action);
      }
      await studio.tree.click([...datamodels, 'No datamodels yet']);
      await studio.quickInput.waitForTitle('New Datamodel');
    });

    test('a missing license, a missing permission and a failure are shown differently, and a click tries again', async ({
      studio,
      recorder,
    }) => {
      recorder.getInterceptedResponse = (_method, path) => {
        if (path.includes('/infusion/')) {
          return { status: 404, body: '' };
        }
        if (path.includes('/custom_data')) {
          return { status: 403, body: createProblemBody('Not for you') };
        }
        return path.includes('/builds')
          ? { status: 500, body: createProblemBody('Out of memory') }
          : undefined;
      };
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      const states: readonly (readonly [list: string, label: string, kind: string, after: string])[] = [
        ['Viewpoints', 'Requires L2023.11, assistant-apps', 'error.not-offered', 'No viewpoints yet'],
        ['Custom Data', 'No permission (403)', 'error.not-allowed', 'No custom data yet'],
        ['Builds', 'Server error (500)', 'error.error', 'No running or recent builds'],
      ];
      await studio.openExplorer();
      for (const [list, label, kind] of states) {
        await studio.tree.setExpandedInView(['Sandbox', list], true);
        await studio.tree.waitForVisibleRow(['Sandbox', list, label]);
        const { item, description } = await studio.findTreeItem(['Sandbox', list, label]);
        assert.deepEqual([item.contextValue, description], [kind, 'Retry']);
      }
      const failed = await studio.findTreeItem(['Sandbox', 'Builds', /500/]);
      assert.match(failed.item.accessibilityInformation?.label ?? '', /Out of memory.*Retry$/s);
      const rows = await Promise.all(
        states.map(([list, label]) => studio.findTreeItem(['Sandbox', list, label])),
      );
      recorder.getInterceptedResponse = undefined;
      for (const [index, [list, label, , after]] of states.entries()) {
        assert.ok(studio.tree.isRowVisible(['Sandbox', list, label]), 'nothing tries again by itself');
        const row = rows[index];
        assert.ok(row);
        studio.tree.runRowCommand(row);
        await studio.tree.waitForVisibleRow(['Sandbox', list, after]);
      }
    });

    test('a message above the tree names an instance that cannot be reached, until it responds', async ({
      studio,
      recorder,
    }) => {
      const offlineLabel = /^(Connection lost|Network error)$/;
      const waitForViewMessage = (message: string): Promise<unknown> =>
        waitFor(
          () => (studio.tree.getView('datamodelStudio.explorer').message ?? '') === message,
          () => `The view says ${studio.tree.getView('datamodelStudio.explorer').message}`,
        );
      await studio.openExplorer();
      recorder.isOffline = true;
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      const row = await studio.findTreeItem([...datamodels, offlineLabel]);
      assert.equal(row.item.contextValue, 'error.offline');
      await waitForViewMessage("Can't reach Sandbox.");
      await studio.tree.waitForVisibleRow([...datamodels, offlineLabel]);
      recorder.isOffline = false;
      studio.tree.runRowCommand(row);
      await studio.tree.waitForVisibleRow([...datamodels, 'No datamodels yet']);
      await waitForViewMessage('');
    });

    test('a rejected token is shown with an action to sign in', async ({ studio, recorder }) => {
      recorder.getInterceptedResponse = () => ({ status: 401, body: createProblemBody('Expired') });
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      const { item, description } = await studio.findTreeItem([...datamodels, 'Token rejected (401)']);
      assert.deepEqual([item.contextValue, description], ['error.signed-out', 'Sign In…']);
      assert.equal(item.command?.command, 'datamodelStudio.connections.signIn');
      recorder.getInterceptedResponse = undefined;
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      await studio.findTreeItem([...datamodels, 'No datamodels yet']);
    });

    test('refreshing a datamodel also refreshes the list, which may no longer contain it', async ({
      studio,
      recorder,
    }) => {
      recorder.getInterceptedResponse = (_method, path) =>
        path.endsWith('/datamodels')
          ? { status: 200, body: '[{"oid":"a","title":"First"},{"oid":"b","title":"Second"}]' }
          : undefined;
      await studio.openExplorer();
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      await studio.tree.waitForVisibleRow([...datamodels, 'Second']);
      recorder.getInterceptedResponse = (_method, path) =>
        path.endsWith('/datamodels') ? { status: 200, body: '[{"oid":"a","title":"Renamed"}]' } : undefined;
      await studio.chooseFromContextMenu([...datamodels, 'First'], 'Refresh');
      await studio.tree.waitForVisibleRow([...datamodels, 'Renamed']);
      assert.ok(!studio.tree.isRowVisible([...datamodels, 'Second']));
      recorder.getInterceptedResponse = undefined;
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      await studio.findTreeItem([...datamodels, 'No datamodels yet']);
    });

    test('one item of unexpected shape does not hide the others', async ({ studio, recorder }) => {
      recorder.getInterceptedResponse = (_method, path) =>
        path.endsWith('/datamodels')
          ? { status: 200, body: '[{"oid":"a","title":"Good"},{"oid":"b","title":7,"name":"Odd"}]' }
          : undefined;
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      await studio.findTreeItem([...datamodels, 'Good']);
      const row = await studio.findTreeItem([...datamodels, "Can't read 1 item"]);
      assert.match(row.description, /"Odd" \(number 2\)/);
      assert.match(row.tooltip, /won't change these items/);
      recorder.getInterceptedResponse = undefined;
      studio.tree.runRowCommand(row);
      await studio.findTreeItem([...datamodels, 'No datamodels yet']);
    });
  },
);
