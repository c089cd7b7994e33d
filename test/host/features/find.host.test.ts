import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock.ts';
import { whenQuickPickIsShown } from '../../../src/platform/waitForEditor.ts';
import { fetchDatamodel } from '../../editor/support/demo.ts';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import { addConnection, removeConnections } from '../support/connections.ts';
import { useFaults } from '../support/faults.ts';
import type { HostStudio } from '../support/studio.ts';
import {
  describeOnSandbox,
  describeStudio,
  describeWithUnconnectedSandbox,
  startHostSandbox,
} from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

/** Waits until the editor shows the newest list: Find accepts the row of the list that is on the screen. */
async function waitUntilShown({ quickInput }: HostStudio): Promise<void> {
  const getLabels = (): string => JSON.stringify(quickInput.current?.getItems().map(({ label }) => label));
  let shownLabels: string;
  do {
    shownLabels = getLabels();
    await whenQuickPickIsShown(systemClock, () => undefined);
  } while (getLabels() !== shownLabels);
}

/** Opens Find and types, without waiting for the results. */
async function find(studio: HostStudio, text: string): Promise<void> {
  await studio.runCommand('Datamodel Studio: Find in Connections…');
  await studio.quickInput.waitForTitle('Find');
  await studio.quickInput.fill(text);
}

/** Opens Go to Symbol in Workspace with a text, and presses Enter once something is found. */
async function goToSymbol(text: string, title: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.quickOpen', `#${text}`);
  await waitFor(
    async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return vscode.window.tabGroups.activeTabGroup.activeTab?.label === title;
    },
    () => `${title} is not opened`,
  );
}

const findSymbols = (text: string): Thenable<vscode.SymbolInformation[]> =>
  vscode.commands.executeCommand('vscode.executeWorkspaceSymbolProvider', text);

describeOnSandbox('find', (test) => {
  test('a column is found by its table, and the document of the table is opened', async ({ studio }) => {
    await find(studio, 'order items.unit');
    const item = await studio.quickInput.waitForRow('Unit Price');
    assert.equal(item.description, 'Retail › Order Items');
    await studio.quickInput.waitForActiveRow('Unit Price');
    await waitUntilShown(studio);
    await studio.quickInput.accept();
    await studio.waitForEditor('Order Items.table.json');
    assert.equal(studio.quickInput.current, undefined);
  });

  test('a datamodel is found by its ID, and revealed in the Connections view', async ({
    studio,
    sandbox,
  }) => {
    await studio.openExplorer();
    const { oid } = await fetchDatamodel(sandbox, 'Marketing');
    await find(studio, oid);
    await studio.quickInput.waitForRow('Marketing');
    await studio.quickInput.pressItemButton('Marketing');
    await waitFor(
      () =>
        studio.tree
          .getView('datamodelStudio.explorer')
          .selection.some((element) => Reflect.get(Object(element), 'name') === 'Marketing'),
      () => 'Marketing is not selected',
    );
    assert.equal(studio.quickInput.current, undefined);
  });

  test('viewpoints are searched on the server, and the remaining ones are loaded on request', async ({
    studio,
  }) => {
    await find(studio, 'What customers paid');
    // Only the description of this viewpoint contains the words.
    await studio.quickInput.waitForRow(/ by Region/);
    await studio.quickInput.fill('by');
    await studio.quickInput.pickByText(/^Show more viewpoints of Sandbox \(80 remaining\)/);
    await studio.quickInput.pickByText(/^Show more viewpoints of Sandbox \(30 remaining\)/);
    await waitFor(
      async () => !(await studio.quickInput.getLabels()).some((label) => label.startsWith('Show more')),
      () => 'More viewpoints are left',
    );
    await studio.quickInput.pick('Revenue by Region');
    await studio.findPage('datamodelStudio.viewpointForm', 'Revenue by Region');
  });

  test('a short text has more matches than the list shows', async ({ studio }) => {
    await find(studio, 'e');
    const item = await studio.quickInput.waitForRow(/^Only the \d+ best matches are shown/);
    assert.equal(item.description, 'type more to narrow the results');
    // The row is only a message: choosing it changes nothing.
    await studio.quickInput.pickByText(/^Only the \d+ best matches are shown/);
    await studio.quickInput.waitForTitle('Find');
  });

  test('a connection that could not be searched is named with the reason, until a search succeeds', async ({
    studio,
    sandbox,
  }) => {
    {
      await using _faults = await useFaults(sandbox, { kind: 'status', status: 403 });
      await studio.reloadWindow();
      await find(studio, 'Profit by Category');
      const failed = await studio.quickInput.waitForRow("Couldn't search Sandbox");
      assert.equal(failed.description, "This user doesn't have permission (403)");
      assert.equal((await studio.quickInput.getLabels()).length, 1, 'once for datamodels and viewpoints');
    }
    await studio.quickInput.cancel();
    await find(studio, 'Profit by Category');
    await studio.quickInput.waitForRow('Profit by Category');
    await studio.quickInput.fill('leads');
    await studio.quickInput.waitForRow(/^Leads\nMarketing\n/);
    assert.ok(!(await studio.quickInput.getLabels()).some((label) => label.includes("Couldn't search")));
  });

  test('with several connections, each result names its connection', async ({ studio, sandbox }) => {
    await addConnection(studio, {
      name: 'Second',
      url: sandbox.url,
      token: sandbox.userToken,
      tenantId: 'second',
      hasSavedAddress: true,
    });
    await find(studio, 'Unit Price');
    await studio.quickInput.waitForRow('Sandbox › Retail › Order Items');
    await studio.quickInput.waitForRow('Second › Retail › Order Items');
    await studio.quickInput.cancel();
    await removeConnections(studio, ['Second']);
  });

  test('Go to Symbol in Workspace opens loaded resources, and selects a column in the document of its table', async ({
    studio,
  }) => {
    await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Order Items', 'Unit Price']);
    await studio.findTreeItem(['Sandbox', 'Viewpoints', 'Revenue by Region']);
    await goToSymbol('Unit Price', 'Order Items.table.json');
    const editor = await studio.waitForEditorText('"Unit Price"');
    const { document } = editor;
    const position = await waitFor(
      () => (editor.selection.active.line > 0 ? editor.selection.active : undefined),
      () => 'The column is not revealed',
    );
    const column = document.getText().slice(document.offsetAt(position));
    assert.match(column, /^\{[^{}]*"name": "Unit Price"/);

    await goToSymbol('Marketing', 'Marketing.datamodel.json');
  });

  test('symbols have a kind, and the names of their containers instead of IDs', async ({ studio }) => {
    await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Order Items', 'Unit Price']);
    await studio.findTreeItem(['Sandbox', 'Viewpoints', 'Revenue by Region']);
    await studio.findTreeItem(['Retail', 'Data Security', 'Customers.Segment', 'Marketing']);
    const findSymbol = async (text: string, name: string): Promise<vscode.SymbolInformation> => {
      const symbols = await findSymbols(text);
      const found = symbols.find((symbol) => symbol.name === name);
      assert.ok(found, symbols.map((symbol) => symbol.name).join(', '));
      return found;
    };
    const column = await findSymbol('order items.unit', 'Unit Price');
    assert.equal(column.kind, vscode.SymbolKind.Field);
    assert.equal(column.location.uri.path.replace('\u{2060}', ''), '/Sandbox/Retail/Order Items.table.json');
    assert.equal((await findSymbol('Order Items', 'Order Items')).kind, vscode.SymbolKind.Class);
    assert.equal((await findSymbol('Retail', 'Retail')).kind, vscode.SymbolKind.Module);
    assert.equal((await findSymbol('Sales', 'Sales')).kind, vscode.SymbolKind.Package);
    assert.equal(
      (await findSymbol('Revenue by Region', 'Revenue by Region')).kind,
      vscode.SymbolKind.Interface,
    );
    assert.deepEqual(await findSymbols('no such name anywhere'), []);
  });
});

describeStudio(
  'find on an empty instance',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox({ seed: 'empty' }));
    const recorder = disposables.use(await startRecordingProxy(sandbox));
    return { recorder, options: { env: recorder.env } };
  },
  (test) => {
    test('nothing is found and nothing is reported', async ({ studio, recorder }) => {
      await find(studio, 'anything');
      const requests: string[] = [];
      await waitFor(
        () => {
          requests.push(...recorder.takeRequests());
          return requests.some((request) => request.includes('anything'));
        },
        () => `The server is not searched: ${requests.join(', ')}`,
      );
      await waitFor(
        () => studio.quickInput.current?.isBusy?.() === false,
        () => 'The search does not end',
      );
      assert.deepEqual(await studio.quickInput.getLabels(), []);
      assert.deepEqual(studio.messages.history, []);
      assert.deepEqual(await findSymbols('anything'), []);
    });
  },
);

describeStudio(
  'find on an instance whose datamodels are read one by one',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox({ profile: 'contract' }));
    return { sandbox, options: { env: sandbox.env } };
  },
  (test) => {
    test('a datamodel that could not be read is named, and the others are searched', async ({
      studio,
      sandbox,
    }) => {
      const { oid } = await fetchDatamodel(sandbox, 'Marketing');
      {
        await using _faults = await useFaults(sandbox, {
          kind: 'status',
          status: 403,
          pathPrefix: `/api/v2/datamodels/${oid}`,
        });
        // The editor may have read documents of the datamodel that earlier tests opened.
        await studio.chooseFromContextMenu('Sandbox', 'Refresh');
        await find(studio, 'unit price');
        const failed = await studio.quickInput.waitForRow("Couldn't search Marketing of Sandbox");
        assert.equal(failed.description, "This user doesn't have permission (403)");
        await studio.quickInput.waitForRow('Retail › Order Items');
        await studio.quickInput.cancel();
      }
      await find(studio, 'leads');
      await studio.quickInput.waitForRow(/^Leads\nMarketing\n/);
      assert.ok(!(await studio.quickInput.getLabels()).some((label) => label.includes("Couldn't search")));
    });
  },
);

describeWithUnconnectedSandbox('find without a connection', (test) => {
  test('Search Viewpoints reports that there is no connection', async ({ studio }) => {
    await studio.runCommand('Datamodel Studio: Search Viewpoints…');
    await studio.waitForNotification('No connections found. Add a connection or start the sandbox.');
  });
});
