import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { type Table, getExpressionText } from '../../../src/contract/table.ts';
import { fetchDatamodel, fetchTable, getDatamodelTables } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { fetchViewpoint, textEditorSettings } from '../../editor/support/viewpointDocument.ts';
import { useFaults } from '../support/faults.ts';
import { createTestDatamodel } from '../support/testDatamodel.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const datamodels = ['Sandbox', 'Datamodels'] as const;

/** Creates a datamodel by its menu in the Connections view, and waits for its row. */
async function createDatamodelInExplorer(
  studio: HostStudio,
  title: string,
  kind: 'Extract' | 'Live',
): Promise<void> {
  await studio.chooseFromContextMenu(datamodels, 'New Datamodel…');
  await studio.submitInputBox(title);
  await studio.selectQuickPick(kind);
  await studio.findTreeItem([...datamodels, title]);
}

/** Creates a datamodel of three tables on the server, and waits until the Connections view lists it. */
async function createStockDatamodel(
  studio: HostStudio,
  sandbox: JourneySandbox,
  title: string,
): Promise<Datamodel> {
  const datamodel = await createTestDatamodel(sandbox, title, {
    Items: { 'Item Id': 'integer', 'Shelf Id': 'integer', Label: 'text' },
    Shelves: { 'Shelf Id': 'integer', Aisle: 'text' },
    Aisles: { Aisle: 'text', Floor: 'integer' },
  });
  await studio.chooseFromContextMenu('Sandbox', 'Refresh');
  await studio.findTreeItem([...datamodels, title]);
  return datamodel;
}

/** The columns that each relation of a datamodel joins, as `Table.Column`. */
async function fetchRelationColumns(
  sandbox: JourneySandbox,
  title: string,
): Promise<readonly (readonly string[])[]> {
  const model = await fetchDatamodel(sandbox, title);
  const tables = getDatamodelTables(model);
  const describeEnd = ({ table, column }: { table?: string | null; column?: string | null }): string => {
    const found = tables.find(({ oid }) => oid === table);
    return `${found?.name}.${found?.columns?.find(({ oid }) => oid === column)?.name}`;
  };
  return (model.relations ?? []).map(({ columns }) => (columns ?? []).map(describeEnd));
}

const getColumns = ({ columns }: Table): readonly unknown[] => (columns ?? []).map(({ name }) => name);

describeStudio(
  'new resources',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
  },
  (test) => {
    test('a title that is empty or in use is refused, and Back returns to the title', async ({
      studio,
      sandbox,
    }) => {
      await studio.chooseFromContextMenu(datamodels, 'New Datamodel…');
      await studio.submitInputBox('RETAIL');
      await studio.quickInput.waitForMessage('RETAIL is already in use.');
      await studio.submitInputBox(' ');
      await studio.quickInput.waitForMessage('Enter a name.');
      await studio.submitInputBox('Fresh');
      await studio.quickInput.waitForRow('Extract\nimported by builds');
      await studio.quickInput.pressBack();
      await studio.quickInput.waitForMessage('Title of the datamodel');
      await studio.quickInput.cancel();
      await assert.rejects(fetchDatamodel(sandbox, 'Fresh'));
    });

    test('the empty nodes of a new datamodel offer the next step', async ({ studio, sandbox }) => {
      await createDatamodelInExplorer(studio, 'Stock', 'Extract');
      assert.equal((await fetchDatamodel(sandbox, 'Stock')).type, 'extract');
      studio.tree.runRowCommand(await studio.findTreeItem([...datamodels, 'Stock', 'No datasets yet']));
      await studio.quickInput.waitForTitle('New Dataset in Stock');
      await studio.quickInput.waitForRow('Tables from a source\nextract');
      await studio.selectQuickPick('Tables from a source');
      await studio.submitInputBox('Files');
      await studio.selectQuickPick('CSV files');
      await studio.submitInputBox(' , ');
      await studio.quickInput.waitForMessage('Enter a path.');
      await studio.submitInputBox('data/items.csv, data/shelves.csv');

      studio.tree.runRowCommand(await studio.findTreeItem(['Stock', 'Files', 'No tables yet']));
      await studio.quickInput.waitForTitle('New Table in Stock');
      await studio.submitInputBox('');
      await studio.quickInput.waitForMessage('Enter a name.');
      await studio.submitInputBox('items.csv');
      // The name of the file is offered.
      await studio.quickInput.waitForValue('items');
      await studio.submitInputBox('Items');
      for (const [columns, problem] of [
        ['Item Id', "Item Id doesn't end with a known type. Enter a type such as integer, text, or date."],
        ['integer', 'integer has no name. Enter the name first, then the type.'],
        ['Name', 'Name has no type. Enter the type after the name, for example, integer, text, or date.'],
        ['Id integer, ID text', 'ID is listed twice.'],
      ] as const) {
        await studio.submitInputBox(columns);
        await studio.quickInput.waitForMessage(problem);
      }
      await studio.submitInputBox('Item Id integer, Name text');
      await studio.waitForEditor('Items.table.json');
      await studio.findTreeItem(['Stock', 'Files', 'Items', 'Item Id']);
      const { table } = await fetchTable(sandbox, 'Stock', 'Items');
      assert.deepEqual([table.id, table.type, getColumns(table)], ['items.csv', 'base', ['Item Id', 'Name']]);

      studio.tree.runRowCommand(await studio.findTreeItem(['Stock', 'Relations', 'No relations yet']));
      await studio.quickInput.waitForTitle('New Relation in Stock');
      await studio.quickInput.cancel();
      // From the menu of the datamodel: its only dataset does not have to be selected.
      await studio.chooseFromContextMenu([...datamodels, 'Stock'], 'New', 'Table…');
      await studio.quickInput.waitForTitle('New Table in Stock');
      await studio.quickInput.waitForMessage('Name of the table in the source (for files, the file name)');
    });

    test('a live datamodel and a dataset with credentials are created', async ({ studio, sandbox }) => {
      await createDatamodelInExplorer(studio, 'Queries', 'Live');
      await studio.chooseFromContextMenu([...datamodels, 'Queries'], 'New', 'Dataset…');
      await studio.selectQuickPick('Tables from a live source');
      await studio.submitInputBox('Warehouse');
      await studio.selectQuickPick('PostgreSQL');
      await studio.quickInput.waitForMessage('Address of the source');
      await studio.submitInputBox('db.example:5432');
      await studio.quickInput.waitForMessage('Database');
      await studio.submitInputBox('sales');
      await studio.quickInput.waitForMessage('User name');
      await studio.submitInputBox('reader');
      await studio.quickInput.waitForMessage('Password (sent to the server and stored nowhere else)');
      assert.equal(studio.quickInput.current?.isPassword, true);
      await studio.submitInputBox('pass-word-1');
      await studio.findTreeItem([...datamodels, 'Queries', 'Warehouse']);
      const { type, datasets } = await fetchDatamodel(sandbox, 'Queries');
      const [dataset] = datasets ?? [];
      assert.deepEqual([type, dataset?.name, dataset?.type], ['live', 'Warehouse', 'live']);
      assert.equal(dataset?.connection?.provider, 'PostgreSQL');

      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'New Viewpoint…');
      await studio.selectQuickPick('Queries');
      await studio.submitInputBox('Live View');
      await studio.submitInputBox('');
      await studio.waitForEditor('Live View.viewpoint.json');
      const { details, enabled } = await fetchViewpoint(sandbox, 'Live View');
      assert.deepEqual(
        [details?.datasource?.fullname, details?.datasource?.modelType, enabled],
        ['live:Queries', 'live', false],
      );
    });

    test('a custom table creates the dataset that it needs, and opens as SQL', async ({
      studio,
      sandbox,
    }) => {
      await createStockDatamodel(studio, sandbox, 'Calculated');
      await studio.chooseFromContextMenu([...datamodels, 'Calculated'], 'New', 'Custom Table…');
      await studio.submitInputBox('items');
      await studio.quickInput.waitForMessage('items is already in use.');
      await studio.submitInputBox('Labels');
      await studio.quickInput.waitForValue('SELECT ');
      await studio.submitInputBox(' ');
      await studio.quickInput.waitForMessage('Enter an expression.');
      await studio.submitInputBox('SELECT [Label] FROM [Items]');
      // The input was SQL, so the SQL document opens.
      await studio.waitForEditor('Labels.datamodel.sql');
      const editor = await studio.waitForEditorText('SELECT [Label] FROM [Items]');
      await waitFor(
        () => editor.selection.active.character === editor.document.lineAt(0).text.length,
        () => `The caret is at ${editor.selection.active.character}`,
      );
      await studio.findTreeItem(['Calculated', 'Custom tables', 'Labels']);
      const { table } = await fetchTable(sandbox, 'Calculated', 'Labels');
      assert.equal(getExpressionText(table.expression), 'SELECT [Label] FROM [Items]');

      await studio.chooseFromContextMenu(
        [...datamodels, 'Calculated', 'Source', 'Items'],
        'New',
        'Custom Column…',
      );
      await studio.submitInputBox('label');
      await studio.quickInput.waitForMessage('label is already in use.');
      await studio.submitInputBox('Next Id');
      await studio.selectQuickPick('Integer');
      await studio.submitInputBox('');
      await studio.quickInput.waitForMessage('Enter an expression.');
      await studio.submitInputBox('[Item Id] + 1');
      // The new column is selected in the Connections view, and its SQL opens, where mistakes are shown.
      await studio.waitForEditor('Next Id.datamodel.sql');
      await studio.waitForEditorText('[Item Id] + 1');
      await waitFor(
        () =>
          studio.tree
            .getView('datamodelStudio.explorer')
            .selection.some((element) => Reflect.get(Object(element), 'name') === 'Next Id'),
        () => 'Next Id is not selected',
      );
      await studio.findTreeItem(['Calculated', 'Source', 'Items', 'Next Id']);
      const items = (await fetchTable(sandbox, 'Calculated', 'Items')).table;
      const column = items.columns?.find(({ name }) => name === 'Next Id');
      assert.deepEqual([column?.isCustom, getExpressionText(column?.expression)], [true, '[Item Id] + 1']);
      assert.equal(items.columns?.length, 4, 'the other columns are still there');
    });

    test('the caret of another SQL editor stays where it is if the new table does not open', async ({
      studio,
      sandbox,
    }) => {
      const document = await vscode.workspace.openTextDocument({
        language: 'datamodel-sql',
        content: 'SELECT 1',
      });
      const editor = await vscode.window.showTextDocument(document);
      assert.equal(editor.selection.active.character, 0);
      // The response lacks the created table.
      await using _faults = await useFaults(sandbox, {
        kind: 'emptyBody',
        status: 201,
        methods: ['POST'],
        pathPrefix: '/api/v2/datamodels/',
        when: 'after',
      });
      await studio.chooseFromContextMenu([...datamodels, 'Retail'], 'New', 'Custom Table…');
      await studio.submitInputBox('Not opened');
      await studio.submitInputBox('SELECT [City] FROM [Stores]');
      await studio.findTreeItem(['Retail', 'Custom Tables', 'Not opened']);
      assert.equal(editor.selection.active.character, 0);
    });

    test('a relation joins columns of different tables, and says when their types differ', async ({
      studio,
      sandbox,
    }) => {
      await createStockDatamodel(studio, sandbox, 'Joined');
      await studio.chooseFromContextMenu(
        [...datamodels, 'Joined', 'Source', 'Items', 'Shelf Id'],
        'New',
        'Relation…',
      );
      await studio.quickInput.waitForMessage('Items.Shelf Id = … (select the next table)');
      assert.ok(!(await studio.quickInput.getLabels()).includes('Items'), 'Items is joined already');
      await studio.selectQuickPick('Shelves');
      await studio.quickInput.waitForMessage('Select a column of Shelves');
      assert.deepEqual(
        await studio.quickInput.getLabels(),
        ['Shelf Id', 'Aisle'],
        'the same name comes first',
      );
      await studio.selectQuickPick('Shelf Id');
      const label = /Create Relation/;
      const finish = await studio.quickInput.waitForRow(label);
      assert.equal(finish.description, 'Items.Shelf Id = Shelves.Shelf Id');
      assert.equal(finish.detail, undefined);
      await studio.selectQuickPick(label);
      await studio.findTreeItem(['Joined', 'Relations', 'Items – Shelves']);
      await studio.waitForEditor(/\.relation\.json$/);
      assert.deepEqual(await fetchRelationColumns(sandbox, 'Joined'), [
        ['Items.Shelf Id', 'Shelves.Shelf Id'],
      ]);

      // When the command is run on a table, the first prompt asks for its column.
      await studio.chooseFromContextMenu([...datamodels, 'Joined', 'Source', 'Shelves'], 'New', 'Relation…');
      await studio.quickInput.waitForMessage('Select a column of Shelves');
      assert.deepEqual(await studio.quickInput.getLabels(), ['Shelf Id', 'Aisle']);
      await studio.selectQuickPick('Aisle');
      await studio.selectQuickPick('Aisles');
      await studio.selectQuickPick('Floor');
      assert.equal(
        (await studio.quickInput.waitForRow(label)).detail,
        'The columns have different data types.',
      );
      await studio.quickInput.cancel();
      assert.equal((await fetchRelationColumns(sandbox, 'Joined')).length, 1);
    });

    test('without a selection, each prompt asks for the parent and names its purpose', async ({ studio }) => {
      for (const [command, title] of [
        ['New Rule…', 'New Rule'],
        ['New Dataset…', 'New Dataset'],
        ['New Relation…', 'New Relation'],
        ['New Table…', 'New Table'],
        ['New Custom Column…', 'New Custom Column'],
      ] as const) {
        await studio.runCommand(`Datamodel Studio: ${command}`);
        await studio.quickInput.waitForTitle(title);
        await studio.quickInput.waitForRow('Marketing');
        await studio.quickInput.cancel();
      }
    });

    test('a refused creation is reported, and nothing is revealed or opened', async ({ studio, sandbox }) => {
      await using _faults = await useFaults(sandbox, {
        kind: 'status',
        status: 403,
        methods: ['POST'],
        pathPrefix: '/api/v2/datamodels',
      });
      await studio.chooseFromContextMenu(datamodels, 'New Datamodel…');
      await studio.submitInputBox('Refused');
      await studio.selectQuickPick('Extract');
      await studio.waitForNotification(/403/);
      await assert.rejects(fetchDatamodel(sandbox, 'Refused'));
    });
  },
);

describeStudio(
  'new resources on an empty instance',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox({ seed: 'empty' }));
    return { sandbox, options: { env: sandbox.env } };
  },
  (test) => {
    test('the command for a resource without a possible parent says what to create first', async ({
      studio,
    }) => {
      await studio.runCommand('Datamodel Studio: New Viewpoint…');
      await studio.waitForNotification('The connection has no datamodels. Create one first.');
      studio.messages.reset();
      await createDatamodelInExplorer(studio, 'Only', 'Extract');
      await studio.runCommand('Datamodel Studio: New Table…');
      await studio.waitForNotification('Only has no suitable dataset. Create one first.');
      await studio.runCommand('Datamodel Studio: New Rule…');
      await studio.waitForNotification('Only has no text or numeric columns to secure.');
      await studio.chooseFromContextMenu([...datamodels, 'Only'], 'New', 'Dataset…');
      await studio.selectQuickPick('Custom tables (SQL)');
      await studio.submitInputBox('Queries');
      await studio.findTreeItem(['Only', 'Queries']);
      await studio.runCommand('Datamodel Studio: New Custom Column…');
      await studio.waitForNotification('The dataset has no tables. Create one first.');
    });
  },
);
