import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { fetchDatamodel } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import type { FromDiagram, ToDiagram } from '../../../src/webviews/protocol/diagram.ts';
import type { HostedPage } from '../support/pages.ts';
import { backUpRules, retailRulesPath } from '../support/rules.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox } from '../support/suite.ts';
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
    await studio.contextMenu(['Sandbox', 'Datamodels', title], 'Show Diagram');
    return DiagramTab.find(studio, title);
  }

  static async find(studio: HostStudio, title: string): Promise<DiagramTab> {
    const tab = new DiagramTab(await studio.page(viewType, `Diagram: ${title}`));
    await tab.data();
    return tab;
  }

  data(check: (data: Data) => boolean = () => true): Promise<Data> {
    return this.page.receives<Data>('data', check);
  }

  post(message: FromDiagram): void {
    this.page.post(message);
  }

  /** A table by its name. */
  async table(name: string): Promise<Table> {
    const table = (await this.data()).model.tables.find((candidate) => candidate.name === name);
    assert.ok(table, name);
    return table;
  }

  /** A column by its name, as an end of a relation. */
  async end(tableName: string, columnName: string): Promise<{ table: string; column: string }> {
    const table = await this.table(tableName);
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
    const { model, layout, datamodel, note } = await tab.data();
    assert.equal(datamodel.title, 'Retail');
    assert.equal(model.tables.length, 13);
    assert.equal(layout.length, 13);
    assert.equal(model.relations.length, await countRelations(sandbox));
    assert.equal(note, undefined);
    assert.equal((await tab.table('Customers')).isSecured, true);
    assert.equal((await tab.table('Orders')).columns[0]?.isKey, true);
    // Running the command again shows the same tab.
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'], 'Show Diagram');
    const orders = await tab.table('Orders');
    await tab.page.receives<{ type: 'show'; table: string }>('show', ({ table }) => table === orders.id);
    assert.equal(studio.pages.open.filter((page) => page.viewType === viewType).length, 1);
  });

  test('tables, relations and Effective Access are opened from the diagram', async ({ studio }) => {
    const tab = await DiagramTab.open(studio);
    const stores = await tab.table('Stores');
    tab.post({ type: 'open', table: stores.id });
    await studio.openedEditor('Stores.table.json');
    const { model } = await tab.data();
    const relation = model.relations.find(({ ends }) => ends.some(({ table }) => table === stores.id));
    assert.ok(relation);
    tab.post({ type: 'openRelation', relation: relation.id });
    await studio.openedEditor(/Stores.*\.relation\.json/);
    tab.post({ type: 'access' });
    await studio.page('datamodelStudio.access', /Retail/);
    tab.post({ type: 'reveal', table: stores.id });
    await waitFor(
      () => studio.tree.view('datamodelStudio.explorer').selection.length === 1,
      () => 'Nothing is selected in the explorer',
    );
    // An ID that is no table or relation of the diagram opens nothing.
    const { label } = await studio.openedEditor(/./);
    tab.post({ type: 'open', table: 'gone' });
    tab.post({ type: 'openRelation', relation: 'gone' });
    tab.post({ type: 'reload' });
    await waitFor(
      () => tab.page.messages.filter(({ type }) => type === 'data').length === 2,
      () => 'The diagram was not read again',
    );
    assert.equal((await studio.openedEditor(/./)).label, label);
  });

  test('a relation is created between two columns, and the diagram follows it', async ({
    studio,
    sandbox,
  }) => {
    const before = await countRelations(sandbox);
    const tab = await DiagramTab.open(studio);
    tab.post({
      type: 'relate',
      ends: [await tab.end('Employees', 'Employee Id'), await tab.end('Stores', 'Store Id')],
    });
    await studio.quickInput.shows('Employees.Employee Id = Stores.Store Id');
    await studio.quickPick(' Create Relation');
    await tab.data(({ model }) => model.relations.length === before + 1);
    assert.equal(await countRelations(sandbox), before + 1);
    await studio.runCommand('Datamodel Studio: Undo Last Change');
    const plan = await studio.page('datamodelStudio.plan');
    await plan.receives('plan');
    plan.post({ type: 'apply' });
    await tab.data(({ model }) => model.relations.length === before);
    assert.equal(await countRelations(sandbox), before);
  });

  test('a relation from a table asks for its columns, and each step can be canceled', async ({
    studio,
    sandbox,
  }) => {
    const before = await countRelations(sandbox);
    const tab = await DiagramTab.open(studio);
    const ranking = await tab.table('Store Ranking');
    const relate = (): void => tab.post({ type: 'relate', ends: [{ table: ranking.id }] });
    relate();
    await studio.quickInput.message('Select a column of Store Ranking');
    await studio.quickInput.cancel();
    relate();
    await studio.quickPick('Store');
    await studio.quickInput.cancel();
    relate();
    await studio.quickPick('Store');
    await studio.quickPick('Stores');
    await studio.quickInput.message('Select a column of Stores');
    await studio.quickInput.cancel();
    assert.equal(await countRelations(sandbox), before);
    relate();
    await studio.quickPick('Store');
    await studio.quickPick('Stores');
    await studio.quickInput.message('Select a column of Stores');
    await studio.quickPick('Store Id');
    await studio.quickPick(' Create Relation');
    await tab.data(({ model }) => model.relations.length === before + 1);
    assert.equal(await countRelations(sandbox), before + 1);
  });

  test('the command asks the active diagram to relate its selected table', async ({ studio }) => {
    void vscode.commands.executeCommand('datamodelStudio.diagram.relate');
    await studio.notification('Open a diagram and select a table first.');
    const tab = await DiagramTab.open(studio);
    await studio.openedEditor('Diagram: Retail');
    void vscode.commands.executeCommand('datamodelStudio.diagram.relate');
    await tab.page.receives('relate');
    // The menu of a table passes it along.
    const { datamodel } = await tab.data();
    const { table, column } = await tab.end('Orders', 'Order Id');
    const target = { ...datamodel, ends: [{ table, column }] };
    void vscode.commands.executeCommand('datamodelStudio.diagram.relate', target);
    await studio.quickInput.message('Orders.Order Id = … (select the next table)');
    // Tables with a column of the same name come first.
    assert.equal((await studio.quickInput.labels())[0], 'Order Items');
  });

  test('a diagram is saved as SVG and PNG, and a canceled dialog saves nothing', async ({ studio }) => {
    const folder = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'dms-')));
    const svg = vscode.Uri.joinPath(folder, 'diagram-Retail.svg');
    const tab = await DiagramTab.open(studio);
    studio.answerSaveDialog(svg);
    tab.post({ type: 'export', format: 'svg', data: '<svg>é</svg>' });
    await studio.notification('Saved the diagram as diagram-Retail.svg.');
    assert.equal(await readFile(svg.fsPath, 'utf8'), '<svg>é</svg>');
    await studio.notificationAction('Saved the diagram as diagram-Retail.svg.', 'Open');
    await studio.openedEditor('diagram-Retail.svg');

    const png = vscode.Uri.joinPath(folder, 'diagram-Retail.png');
    studio.answerSaveDialog(png);
    tab.post({ type: 'export', format: 'png', data: Buffer.from([0x89, 0x50, 0x4e]).toString('base64') });
    await studio.notification('Saved the diagram as diagram-Retail.png.');
    assert.deepEqual([...(await readFile(png.fsPath))], [0x89, 0x50, 0x4e]);

    const count = studio.messages.history.length;
    studio.answerSaveDialog(undefined);
    tab.post({ type: 'export', format: 'svg', data: '<svg/>' });
    tab.post({ type: 'exportFailed' });
    await studio.notification('The diagram is too large to save as PNG. Save it as SVG instead.');
    assert.equal(studio.messages.history.length, count + 1, 'a canceled dialog saves nothing');
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  test('an empty datamodel has an empty diagram, and one that was deleted shows the failure', async ({
    studio,
    sandbox,
  }) => {
    const title = '<b>Rude</b> & "Co"';
    const created = (await sandbox.request('POST', '/api/v2/datamodels', { title })) as {
      readonly oid: string;
    };
    await studio.contextMenu('Sandbox', 'Refresh');
    await studio.treeItem(['Sandbox', 'Datamodels', title]);
    await studio.runCommand('Datamodel Studio: Show Diagram');
    await studio.quickPick(title);
    const tab = await DiagramTab.find(studio, title);
    assert.deepEqual((await tab.data()).model, { tables: [], relations: [], droppedRelationCount: 0 });
    await sandbox.request('DELETE', `/api/v2/datamodels/${created.oid}`);
    await studio.runCommand('Datamodel Studio: Refresh Explorer');
    const { message } = await tab.page.receives<{ type: 'failed'; message: string }>('failed');
    assert.match(message, /404/);
    tab.post({ type: 'reload' });
    await waitFor(
      () => tab.page.messages.filter(({ type }) => type === 'failed').length === 2,
      () => 'The diagram did not try again',
    );
    await studio.runCommand('Datamodel Studio: Show Diagram');
    await studio.quickInput.title('Datamodel Diagram');
    await studio.quickInput.cancel();
  });

  test('the secured columns follow the rules', async ({ studio, sandbox }) => {
    await using _rules = await backUpRules(sandbox);
    const tab = await DiagramTab.open(studio);
    assert.equal((await tab.table('Customers')).isSecured, true);
    await sandbox.request('DELETE', `${retailRulesPath}?table=Customers&column=Segment`);
    await studio.contextMenu(['Sandbox', 'Datamodels', 'Retail', 'Data Security'], 'Refresh');
    await tab.data(({ model }) =>
      model.tables.every(({ name, isSecured }) => name !== 'Customers' || !isSecured),
    );
  });

  test('columns are not marked as secured when the rules cannot be read', async ({ studio, sandbox }) => {
    await studio.contextMenu('Sandbox', 'Refresh');
    await sandbox.request('PUT', '/sandbox/faults', {
      faults: [{ kind: 'status', status: 403, pathPrefix: '/api/elasticubes' }],
    });
    const tab = await DiagramTab.open(studio);
    const { note, model } = await tab.data();
    assert.equal(note, "Secured columns aren't marked because the rules couldn't be read.");
    assert.equal(
      model.tables.some(({ isSecured }) => isSecured),
      false,
    );
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    await studio.contextMenu('Sandbox', 'Refresh');
    await tab.data((data) => data.note === undefined);
    assert.equal((await tab.table('Customers')).isSecured, true);
  });

  test('a tab is restored after a reload, and closed if its diagram is open already or its state is invalid', async ({
    studio,
  }) => {
    const tab = await DiagramTab.open(studio);
    const { datamodel } = await tab.data();
    await studio.runCommand('View: Close All Editors');
    await studio.reloadWindow();
    const restored = new DiagramTab(await studio.pages.restore(viewType, { place: datamodel }));
    await restored.data();
    await studio.openedEditor('Diagram: Retail');
    // The same diagram twice, and a state without a diagram.
    for (const state of [{ place: datamodel }, { place: {} }, null]) {
      const closed = await studio.pages.restore(viewType, state);
      assert.equal(studio.pages.open.includes(closed), false);
    }
    assert.equal(studio.pages.open.includes(restored.page), true);
  });
});
