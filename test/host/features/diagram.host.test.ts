import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { fetchDatamodel, fetchTable } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import type { FromDiagram, ToDiagram } from '../../../src/webviews/protocol/diagram.ts';
import type { HostedPage } from '../support/pages.ts';
import { backUpRules, retailRulesPath } from '../support/rules.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox, describeStudio, startHostSandbox } from '../support/suite.ts';
import { createTestDatamodel } from '../support/testDatamodel.ts';
import { waitFor } from '../support/waiting.ts';

const viewType = 'datamodelStudio.diagram';
type Data = Extract<ToDiagram, { type: 'data' }>;
type Table = Data['model']['tables'][number];

/** The tab of a diagram, with messages of its protocol. */
class DiagramTab {
  readonly page: HostedPage;

  constructor(page: HostedPage) {
    this.page = page;
  }

  static async open(studio: HostStudio, title = 'Retail'): Promise<DiagramTab> {
    await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', title], 'Show Diagram');
    return DiagramTab.find(studio, title);
  }

  static async find(studio: HostStudio, title: string): Promise<DiagramTab> {
    const tab = new DiagramTab(await studio.findPage(viewType, `Diagram: ${title}`));
    await tab.waitForData();
    return tab;
  }

  waitForData(check: (data: Data) => boolean = () => true): Promise<Data> {
    return this.page.waitForMessage<Data>('data', check);
  }

  post(message: FromDiagram): void {
    this.page.post(message);
  }

  /** A table by its name. */
  async getTable(name: string): Promise<Table> {
    const table = (await this.waitForData()).model.tables.find((candidate) => candidate.name === name);
    assert.ok(table, name);
    return table;
  }

  /** A column by its name, as an end of a relation. */
  async getRelationEnd(tableName: string, columnName: string): Promise<{ table: string; column: string }> {
    const table = await this.getTable(tableName);
    const column = table.columns.find(({ name }) => name === columnName);
    assert.ok(column, columnName);
    return { table: table.id, column: column.id };
  }
}

const countRelations = async (sandbox: JourneySandbox): Promise<number> =>
  (await fetchDatamodel(sandbox, 'Retail')).relations?.length ?? 0;

describeOnSandbox('diagram', (test) => {
  test('a datamodel is shown with its relations, secured columns and layout', async ({ studio, sandbox }) => {
    const tab = await DiagramTab.open(studio);
    const { model, layout, datamodel, note } = await tab.waitForData();
    assert.equal(datamodel.title, 'Retail');
    assert.equal(model.tables.length, 13);
    assert.equal(layout.length, 13);
    assert.equal(model.relations.length, await countRelations(sandbox));
    assert.equal(note, undefined);
    assert.equal((await tab.getTable('Customers')).isSecured, true);
    assert.equal((await tab.getTable('Orders')).columns[0]?.isInRelation, true);
    // Running the command again shows the same tab.
    await studio.chooseFromContextMenu(
      ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'],
      'Show Diagram',
    );
    const orders = await tab.getTable('Orders');
    await tab.page.waitForMessage<{ type: 'show'; table: string }>(
      'show',
      ({ table }) => table === orders.id,
    );
    assert.equal(studio.pages.open.filter((page) => page.viewType === viewType).length, 1);
  });

  test('tables, relations and Effective Access are opened from the diagram', async ({ studio }) => {
    const tab = await DiagramTab.open(studio);
    const stores = await tab.getTable('Stores');
    tab.post({ type: 'open', table: stores.id });
    await studio.waitForEditor('Stores.table.json');
    const { model } = await tab.waitForData();
    const relation = model.relations.find(({ ends }) => ends.some(({ table }) => table === stores.id));
    assert.ok(relation);
    tab.post({ type: 'openRelation', relation: relation.id });
    await studio.waitForEditor(/Stores.*\.relation\.json/);
    tab.post({ type: 'access' });
    await studio.findPage('datamodelStudio.access', /Retail/);
    tab.post({ type: 'reveal', table: stores.id });
    await waitFor(
      () => studio.tree.getView('datamodelStudio.explorer').selection.length === 1,
      () => 'Nothing is selected in the Connections view',
    );
    // An ID that is no table or relation of the diagram opens nothing.
    const { label } = await studio.waitForEditor(/./);
    const messageCount = tab.page.messages.length;
    tab.post({ type: 'open', table: 'gone' });
    tab.post({ type: 'openRelation', relation: 'gone' });
    tab.post({ type: 'reload' });
    await waitFor(
      () => tab.page.messages.slice(messageCount).some(({ type }) => type === 'data'),
      () => 'The diagram was not read again',
    );
    assert.equal((await studio.waitForEditor(/./)).label, label);
  });

  test('a relation is created between two columns, and the diagram shows it', async ({ studio, sandbox }) => {
    const before = await countRelations(sandbox);
    const tab = await DiagramTab.open(studio);
    tab.post({
      type: 'relate',
      ends: [
        await tab.getRelationEnd('Employees', 'Employee Id'),
        await tab.getRelationEnd('Stores', 'Store Id'),
      ],
    });
    await studio.quickInput.waitForRow('Employees.Employee Id = Stores.Store Id');
    await studio.selectQuickPick(' Create Relation');
    await tab.waitForData(({ model }) => model.relations.length === before + 1);
    assert.equal(await countRelations(sandbox), before + 1);
    await studio.runCommand('Datamodel Studio: Undo Last Change');
    const plan = await studio.findPage('datamodelStudio.plan');
    await plan.waitForMessage('plan');
    plan.post({ type: 'apply' });
    await tab.waitForData(({ model }) => model.relations.length === before);
    assert.equal(await countRelations(sandbox), before);
  });

  test('a relation from a table asks for its columns, and each step can be canceled', async ({
    studio,
    sandbox,
  }) => {
    const before = await countRelations(sandbox);
    const tab = await DiagramTab.open(studio);
    const ranking = await tab.getTable('Store Ranking');
    const relate = (): void => tab.post({ type: 'relate', ends: [{ table: ranking.id }] });
    relate();
    await studio.quickInput.waitForMessage('Select a column of Store Ranking');
    await studio.quickInput.cancel();
    relate();
    await studio.selectQuickPick('Store');
    await studio.quickInput.cancel();
    relate();
    await studio.selectQuickPick('Store');
    await studio.selectQuickPick('Stores');
    await studio.quickInput.waitForMessage('Select a column of Stores');
    await studio.quickInput.cancel();
    assert.equal(await countRelations(sandbox), before);
    relate();
    await studio.selectQuickPick('Store');
    await studio.selectQuickPick('Stores');
    await studio.quickInput.waitForMessage('Select a column of Stores');
    await studio.selectQuickPick('Store Id');
    await studio.selectQuickPick(' Create Relation');
    await tab.waitForData(({ model }) => model.relations.length === before + 1);
    assert.equal(await countRelations(sandbox), before + 1);
  });

  test('the command to create a relation starts with the table that is selected in the active diagram', async ({
    studio,
  }) => {
    void vscode.commands.executeCommand('datamodelStudio.diagram.relate');
    await studio.waitForNotification('Open a diagram and select a table first.');
    const tab = await DiagramTab.open(studio);
    await studio.waitForEditor('Diagram: Retail');
    void vscode.commands.executeCommand('datamodelStudio.diagram.relate');
    await tab.page.waitForMessage('relate');
    tab.post({ type: 'noTableSelected' });
    await studio.waitForNotification('Select a table in the diagram first.');
    // The context menu of a table passes the table to the command.
    const { datamodel } = await tab.waitForData();
    const { table, column } = await tab.getRelationEnd('Orders', 'Order Id');
    const target = { ...datamodel, ends: [{ table, column }] };
    void vscode.commands.executeCommand('datamodelStudio.diagram.relate', target);
    await studio.quickInput.waitForMessage('Orders.Order Id = … (select the next table)');
    // Tables with a column of the same name come first.
    assert.equal((await studio.quickInput.getLabels())[0], 'Order Items');
  });

  test('a diagram is saved as SVG and PNG, and a canceled dialog saves nothing', async ({ studio }) => {
    const folder = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'dms-')));
    const svg = vscode.Uri.joinPath(folder, 'diagram-Retail.svg');
    const tab = await DiagramTab.open(studio);
    studio.answerSaveDialog(svg);
    tab.post({ type: 'export', format: 'svg', data: '<svg>é</svg>' });
    await studio.waitForNotification('Saved the diagram as diagram-Retail.svg.');
    assert.equal(await readFile(svg.fsPath, 'utf8'), '<svg>é</svg>');
    await studio.clickNotificationAction('Saved the diagram as diagram-Retail.svg.', 'Open');
    await studio.waitForEditor('diagram-Retail.svg');

    const png = vscode.Uri.joinPath(folder, 'diagram-Retail.png');
    studio.answerSaveDialog(png);
    tab.post({ type: 'export', format: 'png', data: Buffer.from([0x89, 0x50, 0x4e]).toString('base64') });
    await studio.waitForNotification('Saved the diagram as diagram-Retail.png.');
    assert.deepEqual([...(await readFile(png.fsPath))], [0x89, 0x50, 0x4e]);

    studio.answerSaveDialog(vscode.Uri.joinPath(png, 'in-a-file.svg'));
    tab.post({ type: 'export', format: 'svg', data: '<svg/>' });
    assert.equal((await studio.waitForNotification('Unable to create folder')).severity, 'error');

    const count = studio.messages.history.length;
    studio.answerSaveDialog(undefined);
    tab.post({ type: 'export', format: 'svg', data: '<svg/>' });
    tab.post({ type: 'exportFailed' });
    await studio.waitForNotification('The diagram is too large to save as PNG. Save it as SVG instead.');
    assert.equal(studio.messages.history.length, count + 1, 'a canceled dialog saves nothing');
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  test('an empty datamodel has an empty diagram, which shows the failure once the datamodel was deleted', async ({
    studio,
    sandbox,
  }) => {
    const title = '<b>Rude</b> & "Co"';
    const created = (await sandbox.request('POST', '/api/v2/datamodels', { title })) as {
      readonly oid: string;
    };
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await studio.findTreeItem(['Sandbox', 'Datamodels', title]);
    await studio.runCommand('Datamodel Studio: Show Diagram');
    await studio.selectQuickPick(title);
    const tab = await DiagramTab.find(studio, title);
    assert.deepEqual((await tab.waitForData()).model, { tables: [], relations: [], undrawnRelationCount: 0 });
    await sandbox.request('DELETE', `/api/v2/datamodels/${created.oid}`);
    await studio.runCommand('Datamodel Studio: Refresh Connections');
    const { message } = await tab.page.waitForMessage<{ type: 'failed'; message: string }>('failed');
    assert.match(message, /404/);
    const messageCount = tab.page.messages.length;
    tab.post({ type: 'reload' });
    await waitFor(
      () => tab.page.messages.slice(messageCount).some(({ type }) => type === 'failed'),
      () => 'The diagram did not try again',
    );
    await studio.runCommand('Datamodel Studio: Show Diagram');
    await studio.quickInput.waitForTitle('Datamodel Diagram');
    await studio.quickInput.cancel();
  });

  test('the secured columns are updated when rules change', async ({ studio, sandbox }) => {
    await using _rules = await backUpRules(sandbox);
    const tab = await DiagramTab.open(studio);
    assert.equal((await tab.getTable('Customers')).isSecured, true);
    await sandbox.request('DELETE', `${retailRulesPath}?table=Customers&column=Segment`);
    await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Retail', 'Data Security'], 'Refresh');
    await tab.waitForData(({ model }) =>
      model.tables.every(({ name, isSecured }) => name !== 'Customers' || !isSecured),
    );
  });

  test('columns are not marked as secured when the rules cannot be read', async ({ studio, sandbox }) => {
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await sandbox.request('PUT', '/sandbox/faults', {
      faults: [{ kind: 'status', status: 403, pathPrefix: '/api/elasticubes' }],
    });
    const tab = await DiagramTab.open(studio);
    const { note, model } = await tab.waitForData();
    assert.equal(note, "Secured columns aren't marked because the rules couldn't be read.");
    assert.equal(
      model.tables.some(({ isSecured }) => isSecured),
      false,
    );
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await tab.waitForData((data) => data.note === undefined);
    assert.equal((await tab.getTable('Customers')).isSecured, true);
  });

  test('a tab is restored after a reload, or closed if its diagram is already open or its state is invalid', async ({
    studio,
  }) => {
    const tab = await DiagramTab.open(studio);
    const { datamodel } = await tab.waitForData();
    await studio.runCommand('View: Close All Editors');
    await studio.reloadWindow();
    const restored = new DiagramTab(await studio.pages.restore(viewType, { place: datamodel }));
    await restored.waitForData();
    await studio.waitForEditor('Diagram: Retail');
    // The same diagram twice, and a state without a diagram.
    for (const state of [{ place: datamodel }, { place: {} }, null]) {
      const closed = await studio.pages.restore(viewType, state);
      assert.equal(studio.pages.open.includes(closed), false);
    }
    assert.equal(studio.pages.open.includes(restored.page), true);
  });
});

describeStudio(
  'a diagram',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    const recorder = disposables.use(await startRecordingProxy(sandbox));
    return { sandbox, recorder, options: { env: recorder.env } };
  },
  (test) => {
    test('shows a change that happens while it is loading', async ({ studio, sandbox, recorder }) => {
      await createTestDatamodel(sandbox, 'Racing', { Cars: { Id: 'integer' }, Drivers: { Id: 'integer' } });
      const row = ['Sandbox', 'Datamodels', 'Racing'];
      // The view may have loaded the list before.
      await studio.chooseFromContextMenu(['Sandbox', 'Datamodels'], 'Refresh');
      await studio.findTreeItem(row);
      const gate = Promise.withResolvers<void>();
      const hasReadTables = Promise.withResolvers<void>();
      recorder.getInterceptedResponse = (_method, path) => {
        // The rules are read last.
        if (path.startsWith('/api/elasticubes/')) {
          recorder.gate = gate.promise;
          hasReadTables.resolve();
        }
        return undefined;
      };
      await studio.chooseFromContextMenu(row, 'Show Diagram');
      await hasReadTables.promise;
      await sandbox.request('DELETE', (await fetchTable(sandbox, 'Racing', 'Drivers')).path);
      await studio.chooseFromContextMenu(row, 'Refresh');
      recorder.getInterceptedResponse = undefined;
      recorder.gate = undefined;
      gate.resolve();
      const tab = await DiagramTab.find(studio, 'Racing');
      await tab.waitForData(({ model }) => model.tables.length === 1);
    });
  },
);
