import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getExpressionText } from '../../../src/contract/table.ts';
import { fetchTable } from '../../editor/support/demo.ts';
import { fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { documentSettings, expectSaveRefused, waitForSaved } from '../support/documents.ts';
import { useFaults } from '../support/faults.ts';
import { createOwnDatamodel } from '../support/ownDatamodel.ts';
import { applyPlan, getSectionTexts, openPlan, undoLastChange } from '../support/plans.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

const renameCommand = 'datamodelStudio.rename.start';

/** Creates a datamodel whose table Items is used by the custom tables Labels and All Items, and by a rule. */
async function createUsedTable(studio: HostStudio, sandbox: JourneySandbox, title: string) {
  const datamodel = await createOwnDatamodel(
    sandbox,
    title,
    { Items: { Id: 'integer', Label: 'text', Spare: 'text' } },
    { Labels: 'SELECT [Label] FROM [Items]', 'All Items': 'SELECT * FROM [Items]' },
  );
  const rules = `/api/elasticubes/LocalHost/${title}/datasecurity`;
  await sandbox.request('POST', rules, [
    {
      server: 'LocalHost',
      elasticube: title,
      table: 'Items',
      column: 'Label',
      datatype: 'text',
      members: ['A'],
      allMembers: null,
      exclusionary: false,
      shares: [{ type: 'default' }],
    },
  ]);
  await studio.contextMenu('Sandbox', 'Refresh');
  const items = ['Sandbox', 'Datamodels', title, 'Source', 'Items'] as const;
  await studio.treeItem(items);
  const readSql = async (table: string): Promise<string | undefined> =>
    getExpressionText((await fetchTable(sandbox, title, table)).table.expression);
  const readRuleColumns = async (): Promise<readonly unknown[]> =>
    ((await sandbox.request('GET', rules)) as readonly { table: string; column: string }[]).map(
      ({ table, column }) => `${table}.${column}`,
    );
  return { datamodel, items, readSql, readRuleColumns };
}

describeStudio(
  'rename',
  async (owned) => {
    const sandbox = owned.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    test('the rules of a cube set are preselected, but not if they may protect another datamodel', async ({
      studio,
      sandbox,
    }) => {
      await studio.contextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
      await studio.inputBox('Regional Sales');
      await studio.inputBox('set');
      await studio.treeItem(['Sandbox', 'Cube Sets', 'Regional Sales']);
      const region = ['Sandbox', 'Datamodels', 'Retail', 'Master Data', 'Regions', 'Region'];
      const getCubeSetItems = async () => {
        await studio.contextMenu(region, 'Rename…');
        await studio.inputBox('Area');
        await studio.quickInput.shows('Regions.Region');
        const items = studio.quickInput.current?.items() ?? [];
        await studio.quickInput.cancel();
        return items.filter(({ description = '' }) => description.startsWith('Regional Sales'));
      };
      const items = await getCubeSetItems();
      assert.deepEqual(
        items.map(({ picked, detail }) => [picked, detail]),
        items.map(() => [true, undefined]),
      );
      assert.equal(items.length, 4);

      await createOwnDatamodel(sandbox, 'Europe', { Regions: { Region: 'text' } });
      await studio.contextMenu('Sandbox', 'Refresh');
      const detail = 'Europe also has this column. A renamed rule no longer protects it there.';
      assert.deepEqual(
        (await getCubeSetItems()).map((item) => [item.picked, item.detail]),
        items.map(() => [false, detail]),
      );
    });

    test('without a selection, the command says what to select', async ({ studio }) => {
      void vscode.commands.executeCommand(renameCommand);
      await studio.notification('Select a table, column, or viewpoint in the explorer to rename it.');
    });

    test('a viewpoint is renamed alone, and undone', async ({ studio, sandbox }) => {
      const row = ['Sandbox', 'Viewpoints', 'Revenue by Region'];
      const before = await fetchViewpoint(sandbox);
      const [otherName = ''] = (await studio.tree.children(['Sandbox', 'Viewpoints'])).filter(
        (name) => name !== 'Revenue by Region',
      );
      await studio.contextMenu(row, 'Rename…');
      await studio.quickInput.title('Rename Revenue by Region');
      for (const [name, problem] of [
        [' ', 'Enter a name.'],
        ['Revenue by Region', 'This is the current name.'],
        [otherName, `A viewpoint named ${otherName} already exists.`],
      ] as const) {
        await studio.inputBox(name);
        await studio.quickInput.message(problem);
      }
      await studio.quickInput.cancel();

      // F2 passes no row: the selected one is renamed.
      await studio.openView();
      await studio.tree.select([row]);
      void vscode.commands.executeCommand(renameCommand);
      await studio.inputBox(' Revenue by Area ');
      await studio.statusBar('Renamed Revenue by Region to Revenue by Area');
      await studio.treeItem(['Sandbox', 'Viewpoints', 'Revenue by Area']);
      const renamed = await fetchViewpoint(sandbox, 'Revenue by Area');
      assert.deepEqual(
        [renamed.id, renamed.details, renamed.visibility],
        [before.id, before.details, before.visibility],
      );

      await undoLastChange(studio);
      await studio.treeItem(row);
      assert.equal((await fetchViewpoint(sandbox)).id, before.id);
    });

    test('a name that the server refuses is reported', async ({ studio, sandbox }) => {
      // Another user has taken the name since the list was loaded.
      await studio.treeItem(['Sandbox', 'Viewpoints', 'Revenue by Region']);
      await sandbox.request('POST', '/api/v1/infusion/viewpoints', { name: 'Just Taken', description: '' });
      await studio.contextMenu(['Sandbox', 'Viewpoints', 'Revenue by Region'], 'Rename…');
      await studio.inputBox('Just Taken');
      await studio.notification(/Just Taken/);
      await studio.treeItem(['Sandbox', 'Viewpoints', 'Revenue by Region']);
    });

    test("a datamodel and a dataset, which the platform can't rename, are named in the message", async ({
      studio,
    }) => {
      await studio.openView();
      for (const [name, ...parents] of [['Retail'], ['Sales', 'Retail']] as const) {
        await studio.tree.select([['Sandbox', 'Datamodels', ...parents, name]]);
        void vscode.commands.executeCommand(renameCommand);
        await studio.notification(
          `The platform can't rename ${name}. It can rename tables, columns, and viewpoints.`,
        );
      }
    });

    test('a table is renamed in SQL and rules', async ({ studio, sandbox }) => {
      const { items, readSql, readRuleColumns } = await createUsedTable(studio, sandbox, 'Renamed');
      await studio.contextMenu(items, 'Rename…');
      await studio.quickInput.title('Rename Source.Items');
      for (const [name, problem] of [
        [' ', 'Enter a name.'],
        ['Items', 'The name is unchanged.'],
        ['LABELS', 'This name is already in use. Names in SQL are not case-sensitive.'],
      ] as const) {
        await studio.inputBox(name);
        await studio.quickInput.message(problem);
      }
      await studio.inputBox('Articles');
      await studio.quickInput.title('Rename Items to Articles');
      await studio.quickInput.message('3 references will be updated. Unselected ones will break.');
      assert.deepEqual(await studio.quickInput.labels(), [
        'SQL of custom tables',
        'Labels',
        'All Items',
        'Data security rules',
        'Items.Label',
      ]);
      await studio.quickInput.accept();
      await applyPlan(studio, 'Review Changes: Rename Items');
      await studio.statusBar('Renamed Items to Articles');
      await studio.treeItem(['Renamed', 'Source', 'Articles']);
      assert.equal(await readSql('Labels'), 'SELECT [Label] FROM [Articles]');
      assert.equal(await readSql('All Items'), 'SELECT * FROM [Articles]');
      assert.deepEqual(await readRuleColumns(), ['Articles.Label']);
    });

    test('deselected references stop working, which the plan shows before anything is sent', async ({
      studio,
      sandbox,
    }) => {
      const { items, readSql, readRuleColumns } = await createUsedTable(studio, sandbox, 'Partly');
      const rename = async (): Promise<void> => {
        await studio.contextMenu([...items, 'Label'], 'Rename…');
        await studio.inputBox('Title');
        await studio.quickInput.pickMany([/^Items\.Label/]);
      };
      await rename();
      const canceled = await openPlan(studio, 'Review Changes: Rename Label');
      assert.equal(canceled.plan.view.applyLabel, 'Apply Anyway');
      assert.deepEqual(getSectionTexts(canceled.plan, 'Will break'), ['Labels']);
      canceled.page.post({ type: 'cancel' });
      await studio.treeItem([...items, 'Label']);
      assert.deepEqual(await readRuleColumns(), ['Items.Label']);

      await rename();
      (await openPlan(studio, 'Review Changes: Rename Label')).page.post({ type: 'apply' });
      await studio.treeItem([...items, 'Title']);
      assert.deepEqual(await readRuleColumns(), ['Items.Title']);
      assert.equal(await readSql('Labels'), 'SELECT [Label] FROM [Items]');
    });

    test('a name that nothing uses is changed alone; Escape at any step changes nothing', async ({
      studio,
      sandbox,
    }) => {
      const { items } = await createUsedTable(studio, sandbox, 'Unused');
      const getNames = async (): Promise<readonly unknown[]> =>
        ((await fetchTable(sandbox, 'Unused', 'Items')).table.columns ?? []).map(({ name }) => name);
      await studio.contextMenu([...items, 'Spare'], 'Rename…');
      await studio.quickInput.title('Rename Items.Spare');
      await studio.quickInput.cancel();
      await studio.contextMenu([...items, 'Spare'], 'Rename…');
      await studio.inputBox('Extra');
      const canceled = await openPlan(studio, 'Review Changes: Rename Spare');
      assert.deepEqual(getSectionTexts(canceled.plan, 'Will break'), []);
      canceled.page.post({ type: 'cancel' });
      assert.deepEqual(await getNames(), ['Id', 'Label', 'Spare']);

      // F2 passes no row: the selected one is renamed.
      await studio.openView();
      await studio.tree.select([[...items, 'Spare']]);
      void vscode.commands.executeCommand(renameCommand);
      await studio.inputBox('Extra');
      await applyPlan(studio, 'Review Changes: Rename Spare');
      await studio.statusBar('Renamed Spare to Extra');
      assert.deepEqual(await getNames(), ['Id', 'Label', 'Extra']);
    });

    test('a table that the server no longer has, and a server that fails, are reported', async ({
      studio,
      sandbox,
    }) => {
      const { items, datamodel } = await createUsedTable(studio, sandbox, 'Lost');
      const row = await studio.treeItem([...items, 'Label']);
      {
        await using _faults = await useFaults(sandbox, {
          kind: 'status',
          status: 403,
          pathPrefix: `/api/v2/datamodels/${datamodel.oid}`,
        });
        studio.tree.chooseFromMenu(row, 'Rename…');
        await studio.notification(/403/);
      }
      await sandbox.request('DELETE', (await fetchTable(sandbox, 'Lost', 'Items')).path);
      studio.tree.chooseFromMenu(row, 'Rename…');
      await studio.inputBox('Other');
      await studio.quickInput.message('It no longer exists on the server.');
      await studio.quickInput.cancel();
      await sandbox.request('DELETE', `/api/v2/datamodels/${datamodel.oid}`);
      studio.messages.reset();
      studio.tree.chooseFromMenu(row, 'Rename…');
      await studio.notification('Label no longer exists on the server.');
    });

    test('a save that renames a column waits for the choice of what follows it', async ({
      studio,
      sandbox,
    }) => {
      const { items, readSql } = await createUsedTable(studio, sandbox, 'Saved');
      await studio.contextMenu(items, 'Open as JSON');
      await studio.openedEditor('Items.table.json');
      const { document } = await studio.editorShows('"Label"');
      await studio.replaceText(document.getText().replace('"name": "Label"', '"name": "Title"'));
      await expectSaveRefused(document);
      await studio.quickInput.title('Rename Label to Title');
      await studio.quickInput.cancel();
      assert.equal(document.isDirty, true);
      assert.equal(await readSql('Labels'), 'SELECT [Label] FROM [Items]');
      await expectSaveRefused(document);
      await studio.quickInput.title('Rename Label to Title');
      await studio.quickInput.accept();
      await waitForSaved(document);
      assert.equal(await readSql('Labels'), 'SELECT [Title] AS [Label] FROM [Items]');
    });

    test('references that are deselected in a save keep the old name, which its plan shows', async ({
      studio,
      sandbox,
    }) => {
      const { items, readSql, readRuleColumns } = await createUsedTable(studio, sandbox, 'PartlySaved');
      await studio.contextMenu(items, 'Open as JSON');
      await studio.openedEditor('Items.table.json');
      const { document } = await studio.editorShows('"Label"');
      await studio.replaceText(document.getText().replace('"name": "Label"', '"name": "Title"'));
      await expectSaveRefused(document);
      await studio.quickInput.title('Rename Label to Title');
      await studio.quickInput.pickMany([/^Items\.Label/]);
      const { plan } = await openPlan(studio, 'Review Changes: Save Items');
      assert.deepEqual(getSectionTexts(plan, 'Will break'), ['Labels']);
      assert.deepEqual(plan.view.footnotes, ["SQL files in the workspace aren't renamed."]);
      await applyPlan(studio, 'Review Changes: Save Items');
      await waitForSaved(document);
      assert.equal(await readSql('Labels'), 'SELECT [Label] FROM [Items]');
      assert.deepEqual(await readRuleColumns(), ['Items.Title']);
    });
  },
);
