import assert from 'node:assert/strict';
import type { Datamodel, Dataset } from '../../../src/contract/datamodel.ts';
import { fetchDatamodel, fetchTable } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { textEditorSettings } from '../../editor/support/viewpointDocument.ts';
import { createTestDatamodel } from '../support/testDatamodel.ts';
import { applyPlan, getSectionTexts, waitForPlan, undoLastChange } from '../support/plans.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const tables = {
  Visits: { Store: 'integer', Day: 'date', Note: 'text' },
  Stores: { Store: 'integer', Town: 'text' },
  Shifts: { Clerk: 'text', Day: 'date', Hours: 'integer', Store: 'integer' },
  Towns: { Name: 'text' },
} as const;

/** Creates a datamodel for one test, and shows it in the tree. */
async function createShop(studio: HostStudio, sandbox: JourneySandbox, title: string): Promise<Datamodel> {
  const datamodel = await createTestDatamodel(sandbox, title, tables);
  await studio.chooseFromContextMenu('Sandbox', 'Refresh');
  return datamodel;
}

const getPath = (title: string, ...names: readonly string[]): readonly string[] => [
  'Sandbox',
  'Datamodels',
  title,
  'Source',
  ...names,
];

const fetchDataset = async (sandbox: JourneySandbox, title: string): Promise<Dataset> => {
  const [dataset] = (await fetchDatamodel(sandbox, title)).datasets ?? [];
  assert.ok(dataset);
  return dataset;
};

/** The columns that the relations of a datamodel join, as `Table.Column`. */
async function fetchRelations(sandbox: JourneySandbox, title: string): Promise<readonly string[]> {
  const { relations, datasets } = await fetchDatamodel(sandbox, title);
  const all = (datasets ?? []).flatMap(({ schema }) => schema?.tables ?? []);
  return (relations ?? []).map(({ columns }) =>
    (columns ?? [])
      .map((end) => {
        const table = all.find(({ oid }) => oid === end.table);
        const column = table?.columns?.find(({ oid }) => oid === end.column);
        return `${table?.name}.${column?.name}`;
      })
      .join(' = '),
  );
}

/** Relates columns of the same name in two tables. */
async function relate(
  sandbox: JourneySandbox,
  datamodel: Datamodel,
  names: readonly string[],
): Promise<void> {
  const [dataset] = datamodel.datasets ?? [];
  const columns = names.map((name) => {
    const table = dataset?.schema?.tables?.find((candidate) => candidate.name === name);
    const column = table?.columns?.find((candidate) => candidate.name === 'Store');
    return { dataset: dataset?.oid, table: table?.oid, column: column?.oid };
  });
  await sandbox.request('POST', `/api/v2/datamodels/${datamodel.oid}/schema/relations`, { columns });
}

for (const profile of ['guide', 'contract'] as const) {
  describeStudio(
    `details of tables, datasets and relations (${profile})`,
    async (disposables) => {
      const sandbox = disposables.use(await startHostSandbox({ profile }));
      return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
    },
    (test) => {
      test('the description of a table and of a column is edited, and undone', async ({
        studio,
        sandbox,
      }) => {
        await createShop(studio, sandbox, 'Described');
        const waitForTexts = (expected: readonly unknown[]) =>
          waitFor(
            async () => {
              const { table } = await fetchTable(sandbox, 'Described', 'Visits');
              const note = table.columns?.find(({ name }) => name === 'Note');
              const texts = [table.description || null, note?.description || null];
              return JSON.stringify(texts) === JSON.stringify(expected) ? texts : undefined;
            },
            () => `The descriptions are not ${expected.join(', ')}`,
          );
        await studio.chooseFromContextMenu(getPath('Described', 'Visits'), 'Edit', 'Description…');
        await studio.quickInput.waitForTitle('Description of Visits');
        await studio.submitInputBox('One row per visit');
        await waitForTexts(['One row per visit', null]);
        await studio.chooseFromContextMenu(getPath('Described', 'Visits', 'Note'), 'Edit Description…');
        await studio.quickInput.waitForTitle('Description of Note');
        await studio.submitInputBox('What the clerk wrote');
        await waitForTexts(['One row per visit', 'What the clerk wrote']);
        const { table } = await fetchTable(sandbox, 'Described', 'Visits');
        assert.deepEqual(
          table.columns?.map(({ name }) => name),
          ['Store', 'Day', 'Note'],
        );
        // The server has the text before the change is complete, and only a complete change can be undone.
        await studio.tree.waitForItemText([/^Changed the description of Note/], /^(?!.*in progress)/);
        await undoLastChange(studio);
        await studio.waitForStatusBarItem(/Undone: Changed the description of Note/);
        await waitForTexts(['One row per visit', null]);
        await studio.chooseFromContextMenu(getPath('Described', 'Visits'), 'Edit', 'Description…');
        await studio.quickInput.waitForTitle('Description of Visits');
        assert.equal(studio.quickInput.current?.getValue(), 'One row per visit');
        await studio.submitInputBox('');
        await waitForTexts([null, null]);
      });

      test('Edit Connector Options opens the JSON of the table, with the options selected', async ({
        studio,
        sandbox,
      }) => {
        await createShop(studio, sandbox, 'Optional');
        await studio.chooseFromContextMenu(getPath('Optional', 'Towns'), 'Edit', 'Connector Options');
        await studio.waitForEditor('Towns.table.json');
        const editor = await studio.waitForEditorText(/"configOptions"/);
        await waitFor(
          () => !editor.selection.isEmpty,
          () => 'Nothing is selected',
        );
        const { document } = editor;
        assert.equal(document.getText(editor.selection), 'null');
        const line = document.lineAt(editor.selection.start.line).text;
        assert.match(line, /^\s*"configOptions": null/);
      });

      test('a column is added to a relation, and columns of the same name and type are offered first', async ({
        studio,
        sandbox,
      }) => {
        const datamodel = await createShop(studio, sandbox, 'Related');
        await relate(sandbox, datamodel, ['Visits', 'Stores']);
        await studio.chooseFromContextMenu('Sandbox', 'Refresh');
        const relations = ['Sandbox', 'Datamodels', 'Related', 'Relations'];
        await studio.chooseFromContextMenu([...relations, 'Visits – Stores'], 'Add Column to Relation…');
        await studio.quickInput.waitForTitle('Add Column to Visits.Store = Stores.Store');
        await studio.quickInput.waitForMessage('Select the table to add');
        await studio.quickInput.waitForRow('Shifts\nStore');
        assert.deepEqual(await studio.quickInput.getLabels(), ['Shifts', 'Towns']);
        await studio.selectQuickPick('Shifts');
        await studio.quickInput.waitForMessage('Select a column of Shifts');
        assert.deepEqual(await studio.quickInput.getLabels(), ['Store', 'Hours', 'Clerk', 'Day']);
        await studio.quickInput.waitForRow(/^Clerk\n.*\nThe columns have different data types/);
        await studio.selectQuickPick('Store');
        await studio.findTreeItem([...relations, 'Visits – Stores – Shifts']);
        assert.deepEqual(await fetchRelations(sandbox, 'Related'), [
          'Visits.Store = Stores.Store = Shifts.Store',
        ]);
        await undoLastChange(studio);
        await studio.waitForStatusBarItem(/Undone: Added a column to relation Visits – Stores – Shifts/);
        assert.deepEqual(await fetchRelations(sandbox, 'Related'), ['Visits.Store = Stores.Store']);
      });

      test('a dataset gets the connection of another dataset after the plan was reviewed', async ({
        studio,
        sandbox,
      }) => {
        const { oid } = await createShop(studio, sandbox, 'Moved');
        const parameters = { ApiVersion: '2', Server: 'db.example', Database: 'shop', Password: 'hush-1' };
        await sandbox.request('POST', `/api/v2/datamodels/${oid}/schema/datasets`, {
          name: 'Warehouse',
          type: 'extract',
          connection: { provider: 'PostgreSQL', schema: 'shop', parameters },
        });
        await studio.chooseFromContextMenu('Sandbox', 'Refresh');
        await studio.chooseFromContextMenu(getPath('Moved'), 'Change Dataset Connection…');
        await studio.quickInput.waitForTitle('Change Connection of Source');
        await studio.quickInput.waitForRow(/^PostgreSQL\ndb\.example\/shop\nUsed by Moved › Warehouse$/);
        await studio.selectQuickPick('PostgreSQL');
        await studio.quickInput.waitForTitle('Secrets of Source');
        assert.equal(studio.quickInput.current?.isPassword, true);
        await studio.submitInputBox('hush-2');
        const { plan } = await waitForPlan(studio, 'Review Changes: Change the connection of Source');
        assert.deepEqual(getSectionTexts(plan, 'Will be changed'), ['Source']);
        assert.ok(!JSON.stringify(plan).includes('hush'));
        assert.equal((await fetchDataset(sandbox, 'Moved')).connection?.provider, 'CSV');
        await applyPlan(studio, 'Review Changes: Change the connection of Source');
        const { connection } = await fetchDataset(sandbox, 'Moved');
        assert.deepEqual(
          [connection?.provider, connection?.parameters],
          ['PostgreSQL', { ...parameters, Password: 'hush-2' }],
        );
        await undoLastChange(studio);
        await studio.waitForStatusBarItem(/Undone: Changed the connection of Source/);
        assert.equal((await fetchDataset(sandbox, 'Moved')).connection?.provider, 'CSV');
      });

      test('a dataset gets a new connection', async ({ studio, sandbox }) => {
        await createShop(studio, sandbox, 'Renewed');
        await studio.chooseFromContextMenu(getPath('Renewed'), 'Change Dataset Connection…');
        await studio.selectQuickPick('New Connection…');
        await studio.quickInput.waitForMessage('Select a connector');
        await studio.selectQuickPick('CSV files');
        await studio.submitInputBox('new/visits.csv');
        await applyPlan(studio, 'Review Changes: Change the connection of Source');
        const { connection } = await fetchDataset(sandbox, 'Renewed');
        assert.equal(connection?.schema, 'new/visits.csv');
      });
    },
  );
}
