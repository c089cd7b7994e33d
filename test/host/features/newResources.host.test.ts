import assert from 'node:assert/strict';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import { type Table, getExpressionText } from '../../../src/contract/table.ts';
import { fetchDatamodel, fetchTable, getDatamodelTables } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { fetchViewpoint, textEditorSettings } from '../../editor/support/viewpointDocument.ts';
import { useFaults } from '../support/faults.ts';
import { createOwnDatamodel } from '../support/ownDatamodel.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

const datamodels = ['Sandbox', 'Datamodels'] as const;

/** Creates a datamodel by its menu in the explorer, and waits for its row. */
async function createDatamodelInExplorer(
  studio: HostStudio,
  title: string,
  kind: 'Extract' | 'Live',
): Promise<void> {
  await studio.contextMenu(datamodels, 'New Datamodel…');
  await studio.inputBox(title);
  await studio.quickPick(kind);
  await studio.treeItem([...datamodels, title]);
}

/** Creates a datamodel of three tables on the server, and waits until the explorer lists it. */
async function createStockDatamodel(
  studio: HostStudio,
  sandbox: JourneySandbox,
  title: string,
): Promise<Datamodel> {
  const datamodel = await createOwnDatamodel(sandbox, title, {
    Items: { 'Item Id': 'integer', 'Shelf Id': 'integer', Label: 'text' },
    Shelves: { 'Shelf Id': 'integer', Aisle: 'text' },
    Aisles: { Aisle: 'text', Floor: 'integer' },
  });
  await studio.contextMenu('Sandbox', 'Refresh');
  await studio.treeItem([...datamodels, title]);
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
  async (owned) => {
    const sandbox = owned.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
  },
  (test) => {
    test('a title that is in use, or none, is refused; Back returns to it', async ({ studio, sandbox }) => {
      await studio.contextMenu(datamodels, 'New Datamodel…');
      await studio.inputBox('RETAIL');
      await studio.quickInput.message('RETAIL is already in use.');
      await studio.inputBox(' ');
      await studio.quickInput.message('Enter a name.');
      await studio.inputBox('Fresh');
      await studio.quickInput.shows('Extract\nimported by builds');
      await studio.quickInput.back();
      await studio.quickInput.message('Title of the datamodel');
      await studio.quickInput.cancel();
      await assert.rejects(fetchDatamodel(sandbox, 'Fresh'));
    });

    test('the empty nodes of a new datamodel offer the next step', async ({ studio, sandbox }) => {
      await createDatamodelInExplorer(studio, 'Stock', 'Extract');
      assert.equal((await fetchDatamodel(sandbox, 'Stock')).type, 'extract');
      studio.tree.runRowCommand(await studio.treeItem([...datamodels, 'Stock', 'No datasets yet']));
      await studio.quickInput.title('New Dataset in Stock');
      await studio.quickInput.shows('Tables from a source\nextract');
      await studio.quickPick('Tables from a source');
      await studio.inputBox('Files');
      await studio.quickPick('CSV files');
      await studio.inputBox(' , ');
      await studio.quickInput.message('Enter a path.');
      await studio.inputBox('data/items.csv, data/shelves.csv');

      studio.tree.runRowCommand(await studio.treeItem(['Stock', 'Files', 'No tables yet']));
      await studio.quickInput.title('New Table in Stock');
      await studio.inputBox('');
      await studio.quickInput.message('Enter a name.');
      await studio.inputBox('items.csv');
      assert.equal(studio.quickInput.current?.value(), 'items', 'the name of the file is offered');
      await studio.inputBox('Items');
      for (const [columns, problem] of [
        ['Item Id', "Item Id doesn't end with a known type. Enter a type such as integer, text, or date."],
        ['integer', 'integer has no name. Enter the name first, then the type.'],
        ['Name', 'Name has no type. Enter the type after the name, for example, integer, text, or date.'],
        ['Id integer, ID text', 'ID is listed twice.'],
      ] as const) {
        await studio.inputBox(columns);
        await studio.quickInput.message(problem);
      }
      await studio.inputBox('Item Id integer, Name text');
      await studio.openedEditor('Items.table.json');
      await studio.treeItem(['Stock', 'Files', 'Items', 'Item Id']);
      const { table } = await fetchTable(sandbox, 'Stock', 'Items');
      assert.deepEqual([table.id, table.type, getColumns(table)], ['items.csv', 'base', ['Item Id', 'Name']]);

      studio.tree.runRowCommand(await studio.treeItem(['Stock', 'Relations', 'No relations yet']));
      await studio.quickInput.title('New Relation in Stock');
      await studio.quickInput.cancel();
      // From the menu of a node above: its only dataset need not be chosen.
      await studio.contextMenu([...datamodels, 'Stock'], 'New', 'Table…');
      await studio.quickInput.title('New Table in Stock');
      await studio.quickInput.message('Name of the table in the source (for files, the file name)');
    });

    test('a live datamodel and a dataset with credentials are created', async ({ studio, sandbox }) => {
      await createDatamodelInExplorer(studio, 'Queries', 'Live');
      await studio.contextMenu([...datamodels, 'Queries'], 'New', 'Dataset…');
      await studio.quickPick('Tables from a live source');
      await studio.inputBox('Warehouse');
      await studio.quickPick('PostgreSQL');
      await studio.quickInput.message('Address of the source');
      await studio.inputBox('db.example:5432');
      await studio.quickInput.message('Database');
      await studio.inputBox('sales');
      await studio.quickInput.message('User name');
      await studio.inputBox('reader');
      await studio.quickInput.message('Password (sent to the server and stored nowhere else)');
      assert.equal(studio.quickInput.current?.isPassword, true);
      await studio.inputBox('pass-word-1');
      await studio.treeItem([...datamodels, 'Queries', 'Warehouse']);
      const { type, datasets } = await fetchDatamodel(sandbox, 'Queries');
      const [dataset] = datasets ?? [];
      assert.deepEqual([type, dataset?.name, dataset?.type], ['live', 'Warehouse', 'live']);
      assert.equal(dataset?.connection?.provider, 'PostgreSQL');

      await studio.contextMenu(['Sandbox', 'Viewpoints'], 'New Viewpoint…');
      await studio.quickPick('Queries');
      await studio.inputBox('Live View');
      await studio.inputBox('');
      await studio.openedEditor('Live View.viewpoint.json');
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
      await studio.contextMenu([...datamodels, 'Calculated'], 'New', 'Custom Table…');
      await studio.inputBox('items');
      await studio.quickInput.message('items is already in use.');
      await studio.inputBox('Labels');
      assert.equal(studio.quickInput.current?.value(), 'SELECT ');
      await studio.inputBox(' ');
      await studio.quickInput.message('Enter an expression.');
      await studio.inputBox('SELECT [Label] FROM [Items]');
      // The input was SQL, so the SQL document opens.
      await studio.openedEditor('Labels.datamodel.sql');
      const editor = await studio.editorShows('SELECT [Label] FROM [Items]');
      assert.equal(editor.selection.active.character, editor.document.lineAt(0).text.length);
      await studio.treeItem(['Calculated', 'Custom tables', 'Labels']);
      const { table } = await fetchTable(sandbox, 'Calculated', 'Labels');
      assert.equal(getExpressionText(table.expression), 'SELECT [Label] FROM [Items]');

      await studio.contextMenu([...datamodels, 'Calculated', 'Source', 'Items'], 'New', 'Custom Column…');
      await studio.inputBox('label');
      await studio.quickInput.message('label is already in use.');
      await studio.inputBox('Next Id');
      await studio.quickPick('Integer');
      await studio.inputBox('');
      await studio.quickInput.message('Enter an expression.');
      await studio.inputBox('[Item Id] + 1');
      await studio.treeItem(['Calculated', 'Source', 'Items', 'Next Id']);
      const items = (await fetchTable(sandbox, 'Calculated', 'Items')).table;
      const column = items.columns?.find(({ name }) => name === 'Next Id');
      assert.deepEqual([column?.isCustom, getExpressionText(column?.expression)], [true, '[Item Id] + 1']);
      assert.equal(items.columns?.length, 4, 'the other columns are still there');
    });

    test('a relation joins columns of different tables, and says when their types differ', async ({
      studio,
      sandbox,
    }) => {
      await createStockDatamodel(studio, sandbox, 'Joined');
      await studio.contextMenu([...datamodels, 'Joined', 'Source', 'Items', 'Shelf Id'], 'New', 'Relation…');
      await studio.quickInput.message('Items.Shelf Id = … (select the next table)');
      assert.ok(!(await studio.quickInput.labels()).includes('Items'), 'Items is joined already');
      await studio.quickPick('Shelves');
      await studio.quickInput.message('Select a column of Shelves');
      assert.deepEqual(await studio.quickInput.labels(), ['Shelf Id', 'Aisle'], 'the same name comes first');
      await studio.quickPick('Shelf Id');
      const label = /Create Relation/;
      const finish = await studio.quickInput.shows(label);
      assert.equal(finish.description, 'Items.Shelf Id = Shelves.Shelf Id');
      assert.equal(finish.detail, undefined);
      await studio.quickPick(label);
      await studio.treeItem(['Joined', 'Relations', 'Items – Shelves']);
      await studio.openedEditor(/\.relation\.json$/);
      assert.deepEqual(await fetchRelationColumns(sandbox, 'Joined'), [
        ['Items.Shelf Id', 'Shelves.Shelf Id'],
      ]);

      // From a table, its column is asked for first.
      await studio.contextMenu([...datamodels, 'Joined', 'Source', 'Shelves'], 'New', 'Relation…');
      await studio.quickInput.message('Select a column of Shelves');
      assert.deepEqual(await studio.quickInput.labels(), ['Shelf Id', 'Aisle']);
      await studio.quickPick('Aisle');
      await studio.quickPick('Aisles');
      await studio.quickPick('Floor');
      assert.equal((await studio.quickInput.shows(label)).detail, 'The columns have different data types.');
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
        await studio.quickInput.title(title);
        await studio.quickInput.shows('Marketing');
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
      await studio.contextMenu(datamodels, 'New Datamodel…');
      await studio.inputBox('Refused');
      await studio.quickPick('Extract');
      await studio.notification(/403/);
      await assert.rejects(fetchDatamodel(sandbox, 'Refused'));
    });
  },
);

describeStudio(
  'new resources on an empty instance',
  async (owned) => {
    const sandbox = owned.use(await startHostSandbox({ seed: 'empty' }));
    return { sandbox, options: { env: sandbox.env } };
  },
  (test) => {
    test('a resource without a possible parent says what to create first', async ({ studio }) => {
      await studio.runCommand('Datamodel Studio: New Viewpoint…');
      await studio.notification('The connection has no datamodels. Create one first.');
      studio.messages.reset();
      await createDatamodelInExplorer(studio, 'Only', 'Extract');
      await studio.runCommand('Datamodel Studio: New Table…');
      await studio.notification('Only has no suitable dataset. Create one first.');
      await studio.runCommand('Datamodel Studio: New Rule…');
      await studio.notification('Only has no text or numeric columns to secure.');
      await studio.contextMenu([...datamodels, 'Only'], 'New', 'Dataset…');
      await studio.quickPick('Custom tables (SQL)');
      await studio.inputBox('Queries');
      await studio.treeItem(['Only', 'Queries']);
      await studio.runCommand('Datamodel Studio: New Custom Column…');
      await studio.notification('The dataset has no tables. Create one first.');
    });
  },
);
