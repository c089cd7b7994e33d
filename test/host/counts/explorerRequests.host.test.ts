import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import { createTestDatamodel } from '../support/testDatamodel.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const orders = ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'] as const;

const getMessage = (studio: HostStudio): string =>
  studio.tree.getView('datamodelStudio.explorer').message ?? '';

async function openFilter(studio: HostStudio): Promise<void> {
  await studio.runCommand('Filter Connections…');
  await studio.quickInput.waitForTitle('Filter by Name');
}

/** Waits until a table lists exactly these columns. */
async function waitForColumns(studio: HostStudio, columns: readonly string[]): Promise<void> {
  await waitFor(
    async () => (await studio.tree.getChildLabels(orders)).join() === columns.join(),
    () => `Orders does not show ${columns.join(', ')}`,
  );
}

const noteRule = {
  server: 'LocalHost',
  elasticube: 'Small',
  table: 'Facts',
  column: 'Note',
  datatype: 'text',
  members: ['A'],
  allMembers: null,
  exclusionary: false,
  shares: [{ type: 'default' }],
};

describeStudio(
  'the requests of the Connections view',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const recorder = disposables.use(await startRecordingProxy(sandbox));
    const { oid } = await createTestDatamodel(sandbox, 'Small', {
      Facts: { Id: 'integer', Day: 'date', Note: 'text' },
    });
    await sandbox.request('POST', '/api/elasticubes/LocalHost/Small/datasecurity', [noteRule]);
    return { recorder, oid, options: { env: recorder.env } };
  },
  (test) => {
    test('expanding a node for the first time sends at most one request, and none when it is expanded again', async ({
      studio,
      recorder,
      oid,
    }) => {
      // Documents that other tests have opened send requests, too; they are left out here.
      const lists = [
        '/api/v2/datamodels',
        '/api/v1/infusion/viewpoints',
        '/api/v1/custom_data',
        '/api/v2/builds',
      ];
      const takeCountedRequests = (): readonly string[] =>
        recorder
          .takeRequests()
          .map((line) => line.replace(oid, 'OID').replace(/\?.*/, ''))
          .filter((line) => /OID|Small/.test(line) || lists.some((list) => line === `GET ${list}`));
      await studio.openExplorer();
      await studio.tree.setExpandedInView(['Sandbox', 'Datamodels'], true);
      await studio.tree.waitForVisibleRow(['Sandbox', 'Datamodels', 'Small']);
      await studio.reloadWindow();
      recorder.takeRequests();
      await studio.openExplorer();
      await studio.tree.waitForVisibleRow(['Sandbox', 'Datamodels', 'Small']);
      assert.deepEqual(takeCountedRequests(), ['GET /api/v2/datamodels']);

      const paths: readonly (readonly [path: readonly string[], requests: readonly string[]])[] = [
        [['Sandbox', 'Datamodels', 'Small'], ['GET /api/v2/datamodels/OID']],
        [['Small', 'Source'], []],
        [['Small', 'Source', 'Facts'], []],
        [['Small', 'Relations'], []],
        [['Small', 'Data Security'], ['GET /api/elasticubes/LocalHost/Small/datasecurity']],
        [['Small', 'Data Security', 'Facts.Note'], []],
        [['Sandbox', 'Cube Sets'], []],
        [['Sandbox', 'Viewpoints'], ['GET /api/v1/infusion/viewpoints']],
        [['Sandbox', 'Custom Data'], ['GET /api/v1/custom_data']],
        [['Sandbox', 'Builds'], ['GET /api/v2/builds']],
      ];
      for (const [path, requests] of paths) {
        assert.ok((await studio.tree.getChildLabels(path)).length > 0);
        assert.deepEqual(takeCountedRequests(), requests, path.join(' › '));
      }
      for (const [path] of paths) {
        await studio.tree.getChildLabels(path);
      }
      assert.deepEqual(takeCountedRequests(), []);
    });

    test('a refresh requests only what the refreshed node shows', async ({ studio, recorder }) => {
      await studio.openExplorer();
      await studio.findTreeItem([...orders, 'Channel']);
      await studio.findTreeItem(['Retail', 'Data Security', 'Customers.Segment']);
      await studio.findTreeItem(['Sandbox', 'Viewpoints', 'Load more']);
      /** Refreshes a node, and reads rows until they have sent that many requests. */
      const refresh = async (
        path: readonly string[],
        rowsToRead: readonly (readonly string[])[],
        count: number,
      ): Promise<readonly string[]> => {
        recorder.takeRequests();
        await studio.chooseFromContextMenu(path, 'Refresh');
        const requests: string[] = [];
        await waitFor(
          async () => {
            const isSent = requests.length >= count;
            for (const rowPath of rowsToRead) {
              await studio.findTreeItem(rowPath);
            }
            requests.push(...recorder.takeRequests());
            // The rows are read once more after the last request.
            return isSent;
          },
          () => `Requests: ${requests.join(', ')}`,
        );
        return requests.map((line) => line.replace(/[\da-f-]{36}/, 'OID'));
      };
      const viewpoints = ['Sandbox', 'Viewpoints'];
      assert.match(
        (
          await refresh(
            viewpoints,
            [
              [...viewpoints, 'Load more'],
              [...orders, 'Channel'],
            ],
            1,
          )
        ).join('\n'),
        /^GET \/api\/v1\/infusion\/viewpoints\?\S*$/,
      );
      const rules = ['Retail', 'Data Security'];
      assert.deepEqual(
        await refresh(
          rules,
          [
            [...rules, 'Customers.Segment'],
            [...orders, 'Channel'],
          ],
          1,
        ),
        ['GET /api/elasticubes/LocalHost/Retail/datasecurity'],
      );
      assert.deepEqual(
        (
          await refresh(
            orders,
            [
              [...rules, 'Customers.Segment'],
              [...orders, 'Channel'],
            ],
            2,
          )
        ).toSorted(),
        ['GET /api/v2/datamodels', 'GET /api/v2/datamodels/OID'],
      );
    });

    test('the tree is filtered while typing, without requests', async ({ studio, recorder }) => {
      await studio.openExplorer();
      const all = await studio.tree.getChildLabels(orders);
      await studio.tree.getChildLabels(['Sandbox', 'Datamodels', 'Marketing']);
      recorder.takeRequests();

      await openFilter(studio);
      await studio.quickInput.fill('ship dat');
      await waitForColumns(studio, ['Ship Date']);
      await studio.submitInputBox('ship dat');
      await waitFor(
        () => getMessage(studio) === 'Filtered by "ship dat".',
        () => `The view says ${getMessage(studio)}`,
      );
      assert.deepEqual(await studio.tree.getChildLabels(['Retail', 'Sales']), ['Orders']);
      assert.equal(studio.contextKeys['datamodelStudio.explorer.filtered'], true);

      // When the box is opened again, it contains the filter. Escape keeps the filter.
      await openFilter(studio);
      assert.equal(studio.quickInput.current?.getValue(), 'ship dat');
      await studio.quickInput.fill('nothing is called like this');
      await studio.waitForTreeItemGone(['Sandbox', 'Datamodels', 'Retail']);
      await studio.quickInput.cancel();
      await waitForColumns(studio, ['Ship Date']);

      await studio.runCommand('Clear Connections Filter');
      await waitForColumns(studio, all);
      assert.ok((await studio.tree.getChildLabels(['Retail', 'Sales'])).includes('Returns'));
      assert.equal(getMessage(studio), '');

      await openFilter(studio);
      await studio.quickInput.fill('Ad Spend');
      await studio.waitForTreeItemGone(['Sandbox', 'Datamodels', 'Retail']);
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Marketing']);
      await studio.quickInput.cancel();
      await studio.findTreeItem(['Retail', 'Sales', 'Returns']);
      assert.deepEqual(recorder.takeRequests(), []);
    });

    test('a node that is loading does not block other nodes', async ({ studio, recorder }) => {
      await studio.reloadWindow();
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Support Desk']);
      const { promise, resolve } = Promise.withResolvers<void>();
      recorder.gate = promise;
      let isLoaded = false;
      const loading = studio
        .findTreeItem(['Sandbox', 'Datamodels', 'Support Desk', 'Relations'])
        .then((row) => {
          isLoaded = true;
          return row;
        });
      await recorder.waitForRequests(1);
      await studio.findTreeItem(['Sandbox', 'Cube Sets', 'No cube sets yet: add them by name']);
      assert.equal(isLoaded, false);
      recorder.gate = undefined;
      resolve();
      await loading;
    });

    test('a refresh of all connections requests the list of datamodels and each shown datamodel exactly once', async ({
      studio,
      recorder,
    }) => {
      await studio.findTreeItem([...orders, 'Channel']);
      await studio.findTreeItem(['Retail', 'Data Security', 'Customers.Segment']);
      recorder.takeRequests();
      // Without a node, as from the title of the view, the command refreshes all connections.
      await vscode.commands.executeCommand('datamodelStudio.explorer.refresh');
      await studio.findTreeItem([...orders, 'Channel']);
      await studio.findTreeItem(['Retail', 'Data Security', 'Customers.Segment']);
      const requests = recorder.takeRequests().map((line) => line.replace(/[\da-f-]{36}/, 'OID'));
      for (const path of ['/api/v2/datamodels', '/api/v2/datamodels/OID']) {
        assert.equal(requests.filter((line) => line === `GET ${path}`).length, 1, requests.join(', '));
      }
    });
  },
);
