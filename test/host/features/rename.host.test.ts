import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getExpressionText } from '../../../src/contract/table.ts';
import { fetchTable } from '../../editor/support/demo.ts';
import { fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { documentSettings, expectSaveRefused, save, waitForSaved } from '../support/documents.ts';
import { setFaults } from '../../editor/support/faults.ts';
import { useFaults } from '../support/faults.ts';
import { createTestDatamodel } from '../support/testDatamodel.ts';
import {
  endInterruptedChange,
  applyPlan,
  cancelPlan,
  getSectionTexts,
  undoLastChange,
  waitForPlan,
  waitForProgress,
} from '../support/plans.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const renameCommand = 'datamodelStudio.rename.start';

/** Creates a datamodel whose table Items is used by the custom tables Labels and All Items, and by a rule. */
async function createUsedTable(studio: HostStudio, sandbox: JourneySandbox, title: string) {
  const datamodel = await createTestDatamodel(
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
  await studio.chooseFromContextMenu('Sandbox', 'Refresh');
  const items = ['Sandbox', 'Datamodels', title, 'Source', 'Items'] as const;
  await studio.findTreeItem(items);
  const readSql = async (table: string): Promise<string | undefined> =>
    getExpressionText((await fetchTable(sandbox, title, table)).table.expression);
  const readRuleColumns = async (): Promise<readonly unknown[]> =>
    ((await sandbox.request('GET', rules)) as readonly { table: string; column: string }[]).map(
      ({ table, column }) => `${table}.${column}`,
    );
  return { datamodel, items, readSql, readRuleColumns };
}

/** Renames the column Label in the JSON of the table Items, and saves it, which asks for the references to update. */
async function saveRenamedColumn(
  studio: HostStudio,
  items: Awaited<ReturnType<typeof createUsedTable>>['items'],
): Promise<vscode.TextDocument> {
  await studio.chooseFromContextMenu(items, 'Open as JSON');
  await studio.waitForEditor('Items.table.json');
  const { document } = await studio.waitForEditorText('"Label"');
  await studio.replaceText(document.getText().replace('"name": "Label"', '"name": "Title"'));
  await expectSaveRefused(document);
  await studio.quickInput.waitForTitle('Rename Label to Title');
  return document;
}

describeStudio(
  'rename',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    test('the rules of a cube set are preselected, but not if they may protect another datamodel', async ({
      studio,
      sandbox,
    }) => {
      await studio.chooseFromContextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
      await studio.submitInputBox('Regional Sales');
      await studio.submitInputBox('set');
      await studio.findTreeItem(['Sandbox', 'Cube Sets', 'Regional Sales']);
      const region = ['Sandbox', 'Datamodels', 'Retail', 'Master Data', 'Regions', 'Region'];
      const getCubeSetItems = async () => {
        await studio.chooseFromContextMenu(region, 'Rename…');
        await studio.submitInputBox('Area');
        await studio.quickInput.waitForRow('Regions.Region');
        const items = studio.quickInput.current?.getItems() ?? [];
        await studio.quickInput.cancel();
        return items.filter(({ description = '' }) => description.startsWith('Regional Sales'));
      };
      const items = await getCubeSetItems();
      assert.deepEqual(
        items.map(({ picked, detail }) => [picked, detail]),
        items.map(() => [true, undefined]),
      );
      assert.equal(items.length, 4);

      await createTestDatamodel(sandbox, 'Europe', { Regions: { Region: 'text' } });
      await studio.chooseFromContextMenu('Sandbox', 'Refresh');
      const detail =
        'This column is also in: Europe. If you update the rule, it no longer protects the column there.';
      assert.deepEqual(
        (await getCubeSetItems()).map((item) => [item.picked, item.detail]),
        items.map(() => [false, detail]),
      );
    });

    test('without a selection, the command says what to select', async ({ studio }) => {
      void vscode.commands.executeCommand(renameCommand);
      await studio.waitForNotification(
        'In the Connections view, select a table, column, or viewpoint to rename.',
      );
    });

    test('the rename of a viewpoint changes nothing else, and is undone', async ({ studio, sandbox }) => {
      const row = ['Sandbox', 'Viewpoints', 'Revenue by Region'];
      const before = await fetchViewpoint(sandbox);
      const [otherName = ''] = (await studio.tree.getChildLabels(['Sandbox', 'Viewpoints'])).filter(
        (name) => name !== 'Revenue by Region',
      );
      await studio.chooseFromContextMenu(row, 'Rename…');
      await studio.quickInput.waitForTitle('Rename Revenue by Region');
      for (const [name, problem] of [
        [' ', 'Enter a name.'],
        ['Revenue by Region', 'This is the current name.'],
        [otherName, `A viewpoint named ${otherName} already exists.`],
      ] as const) {
        await studio.submitInputBox(name);
        await studio.quickInput.waitForMessage(problem);
      }
      await studio.quickInput.cancel();

      // F2 passes no row: the selected one is renamed.
      await studio.openExplorer();
      await studio.tree.select([row]);
      void vscode.commands.executeCommand(renameCommand);
      await studio.submitInputBox(' Revenue by Area ');
      await studio.waitForStatusBarItem('Renamed Revenue by Region to Revenue by Area');
      await studio.findTreeItem(['Sandbox', 'Viewpoints', 'Revenue by Area']);
      const renamed = await fetchViewpoint(sandbox, 'Revenue by Area');
      assert.deepEqual(
        [renamed.id, renamed.details, renamed.visibility],
        [before.id, before.details, before.visibility],
      );

      await undoLastChange(studio);
      await studio.findTreeItem(row);
      assert.equal((await fetchViewpoint(sandbox)).id, before.id);
    });

    test('a name that the server refuses is reported', async ({ studio, sandbox }) => {
      // Another user has taken the name since the list was loaded.
      await studio.findTreeItem(['Sandbox', 'Viewpoints', 'Revenue by Region']);
      await sandbox.request('POST', '/api/v1/infusion/viewpoints', { name: 'Just Taken', description: '' });
      await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', 'Revenue by Region'], 'Rename…');
      await studio.submitInputBox('Just Taken');
      await studio.waitForNotification(/Just Taken/);
      await studio.findTreeItem(['Sandbox', 'Viewpoints', 'Revenue by Region']);
    });

    test("renaming a datamodel or dataset shows a message that the platform can't rename it", async ({
      studio,
    }) => {
      await studio.openExplorer();
      for (const [name, ...parents] of [['Retail'], ['Sales', 'Retail']] as const) {
        await studio.tree.select([['Sandbox', 'Datamodels', ...parents, name]]);
        void vscode.commands.executeCommand(renameCommand);
        await studio.waitForNotification(
          `The platform can't rename ${name}. It can rename tables, columns, and viewpoints.`,
        );
      }
    });

    test('a reviewed change that is being applied is canceled before the next request, and can be finished', async ({
      studio,
      sandbox,
    }) => {
      const { items, readSql, readRuleColumns } = await createUsedTable(studio, sandbox, 'Canceled');
      await studio.chooseFromContextMenu(items, 'Rename…');
      await studio.submitInputBox('Articles');
      await studio.quickInput.waitForTitle('Rename Items to Articles');
      await studio.quickInput.accept();
      const { page } = await waitForPlan(studio);
      // The first write succeeds; the server answers the second one that it is busy.
      await setFaults(sandbox, { kind: 'tooManyRequests', retryAfter: 60, methods: ['PATCH'], every: 2 });
      page.post({ type: 'apply' });
      await waitForProgress(page);
      page.post({ type: 'cancel' });
      await studio.waitForNotification(/Stopped: .+\. 1 request was completed\. You canceled the change\./);
      await setFaults(sandbox);
      await studio.tree.waitForItemText([/^Renamed Items/], /canceled, 1 request completed/);
      await endInterruptedChange(studio, /^Renamed Items/, 'Finish');
      await studio.waitForStatusBarItem('Finished: Renamed Items');
      assert.equal(await readSql('Labels'), 'SELECT [Label] FROM [Articles]');
      assert.deepEqual(await readRuleColumns(), ['Articles.Label']);
    });

    test('a table is renamed in SQL and rules', async ({ studio, sandbox }) => {
      const { items, readSql, readRuleColumns } = await createUsedTable(studio, sandbox, 'Renamed');
      await studio.chooseFromContextMenu(items, 'Rename…');
      await studio.quickInput.waitForTitle('Rename Source.Items');
      for (const [name, problem] of [
        [' ', 'Enter a name.'],
        ['Items ', 'The name is unchanged.'],
        [' LABELS', "This name is already in use. Names in SQL aren't case-sensitive."],
      ] as const) {
        await studio.submitInputBox(name);
        await studio.quickInput.waitForMessage(problem);
      }
      await studio.submitInputBox(' Articles ');
      await studio.quickInput.waitForTitle('Rename Items to Articles');
      await studio.quickInput.waitForMessage('3 references will be updated. Unselected ones will break.');
      assert.deepEqual(await studio.quickInput.getLabels(), [
        'SQL of custom tables',
        'Labels',
        'All Items',
        'Data security rules',
        'Items.Label',
      ]);
      await studio.quickInput.accept();
      await applyPlan(studio, 'Review Changes: Rename Items');
      await studio.waitForStatusBarItem('Renamed Items to Articles');
      await studio.findTreeItem(['Renamed', 'Source', 'Articles']);
      assert.equal(await readSql('Labels'), 'SELECT [Label] FROM [Articles]');
      assert.equal(await readSql('All Items'), 'SELECT * FROM [Articles]');
      assert.deepEqual(await readRuleColumns(), ['Articles.Label']);
    });

    test('a SQL document in a hidden tab has no problems after a rename has changed it on the server', async ({
      studio,
      sandbox,
    }) => {
      const { items } = await createUsedTable(studio, sandbox, 'Hidden');
      await studio.chooseFromContextMenu(
        ['Sandbox', 'Datamodels', 'Hidden', 'Custom Tables', 'Labels'],
        'Open SQL',
      );
      const { document } = await studio.waitForEditorText('SELECT [Label] FROM [Items]');
      await studio.chooseFromContextMenu(
        ['Sandbox', 'Datamodels', 'Hidden', 'Custom Tables', 'All Items'],
        'Open SQL',
      );
      const { document: shownDocument } = await studio.waitForEditorText('SELECT * FROM [Items]');
      await studio.chooseFromContextMenu(items, 'Rename…');
      await studio.submitInputBox('Articles');
      await studio.quickInput.waitForTitle('Rename Items to Articles');
      await studio.quickInput.accept();
      await applyPlan(studio, 'Review Changes: Rename Items');
      await studio.waitForStatusBarItem('Renamed Items to Articles');
      // Once the problem of a new mistake is shown, the names of the datamodel were loaded again.
      await studio.waitForEditorText('SELECT * FROM [Articles]');
      const edit = new vscode.WorkspaceEdit();
      edit.replace(shownDocument.uri, new vscode.Range(0, 0, 1, 0), 'SELECT * FROM [Items]');
      await vscode.workspace.applyEdit(edit);
      await waitFor(
        () =>
          vscode.languages.getDiagnostics(shownDocument.uri).some(({ message }) => message.includes('Items')),
        () => 'The mistake is not reported',
      );
      assert.equal(document.getText(), 'SELECT [Label] FROM [Items]');
      assert.deepEqual(vscode.languages.getDiagnostics(document.uri), []);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    test('deselected references stop working, which the plan shows before anything is sent', async ({
      studio,
      sandbox,
    }) => {
      const { items, readSql, readRuleColumns } = await createUsedTable(studio, sandbox, 'Partly');
      const rename = async (): Promise<void> => {
        await studio.chooseFromContextMenu([...items, 'Label'], 'Rename…');
        await studio.submitInputBox('Title');
        await studio.quickInput.pickMany([/^Items\.Label/]);
      };
      await rename();
      const canceled = await waitForPlan(studio, 'Review Changes: Rename Label');
      assert.equal(canceled.plan.view.applyLabel, 'Apply Anyway');
      assert.deepEqual(getSectionTexts(canceled.plan, 'Will break'), ['Labels']);
      await cancelPlan(studio, canceled.page);
      await studio.findTreeItem([...items, 'Label']);
      assert.deepEqual(await readRuleColumns(), ['Items.Label']);

      await rename();
      (await waitForPlan(studio, 'Review Changes: Rename Label')).page.post({ type: 'apply' });
      await studio.findTreeItem([...items, 'Title']);
      assert.deepEqual(await readRuleColumns(), ['Items.Title']);
      assert.equal(await readSql('Labels'), 'SELECT [Label] FROM [Items]');
    });

    test('a column without references is renamed after a review, and Escape at any step changes nothing', async ({
      studio,
      sandbox,
    }) => {
      const { items } = await createUsedTable(studio, sandbox, 'Unused');
      const getNames = async (): Promise<readonly unknown[]> =>
        ((await fetchTable(sandbox, 'Unused', 'Items')).table.columns ?? []).map(({ name }) => name);
      await studio.chooseFromContextMenu([...items, 'Spare'], 'Rename…');
      await studio.quickInput.waitForTitle('Rename Items.Spare');
      await studio.quickInput.cancel();
      await studio.chooseFromContextMenu([...items, 'Spare'], 'Rename…');
      await studio.submitInputBox('Extra');
      const canceled = await waitForPlan(studio, 'Review Changes: Rename Spare');
      assert.deepEqual(getSectionTexts(canceled.plan, 'Will break'), []);
      await cancelPlan(studio, canceled.page);
      assert.deepEqual(await getNames(), ['Id', 'Label', 'Spare']);

      // F2 passes no row: the selected one is renamed.
      await studio.openExplorer();
      await studio.tree.select([[...items, 'Spare']]);
      void vscode.commands.executeCommand(renameCommand);
      await studio.submitInputBox('Extra');
      await applyPlan(studio, 'Review Changes: Rename Spare');
      await studio.waitForStatusBarItem('Renamed Spare to Extra');
      assert.deepEqual(await getNames(), ['Id', 'Label', 'Extra']);
    });

    test('a table that the server no longer has, and a server that fails, are reported', async ({
      studio,
      sandbox,
    }) => {
      const { items, datamodel } = await createUsedTable(studio, sandbox, 'Lost');
      const row = await studio.findTreeItem([...items, 'Label']);
      {
        await using _faults = await useFaults(sandbox, {
          kind: 'status',
          status: 403,
          pathPrefix: `/api/v2/datamodels/${datamodel.oid}`,
        });
        studio.tree.chooseFromContextMenuOfRow(row, 'Rename…');
        await studio.waitForNotification(/403/);
      }
      await sandbox.request('DELETE', (await fetchTable(sandbox, 'Lost', 'Items')).path);
      studio.tree.chooseFromContextMenuOfRow(row, 'Rename…');
      await studio.submitInputBox('Other');
      await studio.quickInput.waitForMessage('This item no longer exists on the server.');
      await studio.quickInput.cancel();
      await sandbox.request('DELETE', `/api/v2/datamodels/${datamodel.oid}`);
      studio.messages.reset();
      studio.tree.chooseFromContextMenuOfRow(row, 'Rename…');
      await studio.waitForNotification('Label no longer exists on the server.');
    });

    test('a save that renames a column waits until the user has selected the references to update', async ({
      studio,
      sandbox,
    }) => {
      const { items, readSql } = await createUsedTable(studio, sandbox, 'Saved');
      const document = await saveRenamedColumn(studio, items);
      await studio.quickInput.cancel();
      assert.equal(document.isDirty, true);
      assert.equal(await readSql('Labels'), 'SELECT [Label] FROM [Items]');
      await expectSaveRefused(document);
      await studio.quickInput.waitForTitle('Rename Label to Title');
      await studio.quickInput.accept();
      // The document of the refused save counts as saved for a moment, so the write itself is awaited.
      await waitFor(
        async () => (await readSql('Labels')) === 'SELECT [Title] AS [Label] FROM [Items]',
        () => 'The SQL of Labels has no new name',
      );
      await waitForSaved(document);
    });

    test('references that are deselected in a save keep the old name, which its plan shows', async ({
      studio,
      sandbox,
    }) => {
      const { items, readSql, readRuleColumns } = await createUsedTable(studio, sandbox, 'PartlySaved');
      const document = await saveRenamedColumn(studio, items);
      await studio.quickInput.pickMany([/^Items\.Label/]);
      const { plan } = await waitForPlan(studio, 'Review Changes: Save Items');
      assert.deepEqual(getSectionTexts(plan, 'Will break'), ['Labels']);
      assert.deepEqual(plan.view.footnotes, ["References in SQL files in the workspace aren't updated."]);
      await applyPlan(studio, 'Review Changes: Save Items');
      await waitFor(
        async () => (await readRuleColumns()).join() === 'Items.Title',
        () => 'The rule has no new name',
      );
      await waitForSaved(document);
      assert.equal(await readSql('Labels'), 'SELECT [Label] FROM [Items]');
    });

    test('a save of several requests that is canceled closes its plan, and the next save finishes it', async ({
      studio,
      sandbox,
    }) => {
      const { items, readSql } = await createUsedTable(studio, sandbox, 'CanceledSave');
      const document = await saveRenamedColumn(studio, items);
      await studio.quickInput.pickMany(['Labels']);
      const { page } = await waitForPlan(studio, 'Review Changes: Save Items');
      await setFaults(sandbox, { kind: 'tooManyRequests', retryAfter: 60, methods: ['PATCH'], every: 2 });
      page.post({ type: 'apply' });
      await waitForProgress(page);
      await cancelPlan(studio, page);
      await studio.waitForSaveError(/^Requests completed: 1 of \d\. You canceled the change\. The next save/);
      assert.equal(document.isDirty, true);
      await setFaults(sandbox);
      await save(document);
      assert.equal(await readSql('Labels'), 'SELECT [Title] AS [Label] FROM [Items]');
    });
  },
);
