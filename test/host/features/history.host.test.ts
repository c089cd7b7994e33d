import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getExpressionText } from '../../../src/contract/table.ts';
import { fetchRetailRules, fetchTable } from '../../editor/support/demo.ts';
import { setFaults } from '../../editor/support/faults.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { fetchViewpoint, getTextWithDescription } from '../../editor/support/viewpointDocument.ts';
import { advanceClock } from '../support/clock.ts';
import type { ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import {
  changeViewpoint,
  documentSettings,
  expectSaveRefused,
  openNewViewpoint,
  save,
} from '../support/documents.ts';
import { applyPlan, getSectionTexts, waitForPlan, undoLastChange } from '../support/plans.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

const orders = ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'] as const;
const leads = ['Sandbox', 'Datamodels', 'Marketing', 'Campaigns', 'Leads'] as const;

type PlanMessage = Extract<ToPlanPage, { type: 'plan' }>;

/** Undoes the last change, and waits for the status bar message that names the undone change. */
async function undoLast(studio: HostStudio, changeTitle: string): Promise<void> {
  await undoLastChange(studio, `Undo: ${changeTitle}`);
  await studio.waitForStatusBarItem(`Undone: ${changeTitle}`);
}

/** Changes the description of the viewpoint in the active editor, and saves it. */
async function saveDescription(
  studio: HostStudio,
  sandbox: JourneySandbox,
  [name, description]: readonly [string, string],
): Promise<void> {
  await save(await studio.replaceText(await getTextWithDescription(sandbox, description, name)));
}

const fetchDescription = async (sandbox: JourneySandbox, name: string): Promise<unknown> =>
  (await fetchViewpoint(sandbox, name)).description;

/** The column names of Orders. */
const getColumns = async (sandbox: JourneySandbox): Promise<readonly unknown[]> =>
  ((await fetchTable(sandbox, 'Retail', 'Orders')).table.columns ?? []).map(({ name }) => name);

/** The SQL of the custom table Customer Value. */
const fetchCustomerValueSql = async (sandbox: JourneySandbox): Promise<string> =>
  getExpressionText((await fetchTable(sandbox, 'Retail', 'Customer Value')).table.expression) ?? '';

describeStudio(
  'history',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    test('before any change, there is nothing to undo', async ({ studio }) => {
      await studio.runCommand('Datamodel Studio: Undo Last Change');
      await studio.waitForNotification('Nothing to undo.');
      await studio.runCommand('Datamodel Studio: Undo Change…');
      await studio.waitForNotification('The history is empty.');
      assert.deepEqual(await studio.tree.getChildLabels(undefined, 'datamodelStudio.history'), []);
    });

    test('the history is shown even if the editor is reading its rows again at that moment', async ({
      studio,
      sandbox,
    }) => {
      await openNewViewpoint(studio, sandbox, 'Shown Again');
      await saveDescription(studio, sandbox, ['Shown Again', 'Changed']);
      const view = studio.tree.getView('datamodelStudio.history');
      const reveal = view.reveal.bind(view);
      let attempts = 0;
      // Fails once, as in the editor at a moment in which it has dropped the rows.
      view.reveal = async (...args) => {
        attempts += 1;
        if (attempts === 1) {
          throw new Error('Cannot resolve tree item');
        }
        await reveal(...args);
      };
      try {
        await vscode.commands.executeCommand('datamodelStudio.history.show');
      } finally {
        view.reveal = reveal;
      }
      assert.equal(attempts, 2);
      assert.deepEqual(
        studio.messages.history.filter((text) => text.includes('tree item')),
        [],
      );
    });

    test('rows with the same title show what was changed, and when', async ({ studio, sandbox }) => {
      const name = 'Two Versions';
      await openNewViewpoint(studio, sandbox, name);
      await saveDescription(studio, sandbox, [name, 'First change']);
      {
        using _clock = advanceClock(2_000);
        await saveDescription(studio, sandbox, [name, 'Second change']);
      }
      const readRows = async () => {
        const rows = await studio.tree.getRows('datamodelStudio.history');
        return rows.filter(({ label }) => label === `Changed ${name}`);
      };
      const time = /^\d{1,2}:\d\d(?::\d\d)? [AP]M$/;
      const [second, first] = await readRows();
      assert.ok(first !== undefined && second !== undefined);
      const [firstParts, secondParts] = [first, second].map(({ description }) => description.split(' · '));
      assert.match(firstParts?.[0] ?? '', time);
      assert.match(secondParts?.[0] ?? '', time);
      assert.notEqual(firstParts?.[0], secondParts?.[0]);
      assert.deepEqual(
        [firstParts, secondParts].map((parts) => parts?.slice(1)),
        [
          ['changed', 'description'],
          ['changed', 'description'],
        ],
      );
      // The label is only the name, so that what differs isn't cut off behind words that all rows have.
      assert.equal(first.item.label, name);
      assert.match(
        first.item.accessibilityInformation?.label ?? '',
        /^Changed Two Versions, .* [AP]M · description$/,
      );
      assert.match(first.tooltip, /^Changed: description$/m);
      using _clock = advanceClock(24 * 60 * 60_000);
      const [later] = await readRows();
      assert.match(later?.description ?? '', /^[A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d\d/);
    });

    test('changes are undone one after the other, and a later change of another user is overwritten only on request', async ({
      studio,
      sandbox,
    }) => {
      const name = 'Undone';
      const changed = `Changed ${name}`;
      await openNewViewpoint(studio, sandbox, name);
      await saveDescription(studio, sandbox, [name, 'First change']);
      await saveDescription(studio, sandbox, [name, 'Second change']);
      await undoLast(studio, changed);
      assert.equal(await fetchDescription(sandbox, name), 'First change');
      await studio.waitForEditorText(/First change/);
      await undoLast(studio, changed);
      assert.equal(await fetchDescription(sandbox, name), 'First');
      await studio.waitForEditorText(/"First"/);

      await saveDescription(studio, sandbox, [name, 'Third change']);
      await changeViewpoint(sandbox, name, { description: 'Theirs' });
      studio.status.reset();
      await studio.runCommand('Datamodel Studio: Undo Last Change');
      const { page, plan } = await waitForPlan(studio, `Undo: ${changed}`);
      assert.deepEqual(plan.view.laterChanges, [
        {
          icon: 'eye',
          text: name,
          lines: ['description: Third change → Theirs'],
          canOverwrite: true,
          isOverwritten: false,
        },
      ]);
      assert.equal(plan.view.blockedReason, 'Nothing to undo if you keep all later changes.');
      page.post({ type: 'overwrite', change: 0, isOverwritten: true });
      const { view } = await page.waitForMessage<PlanMessage>(
        'plan',
        (message) => message.view.blockedReason === undefined,
      );
      assert.deepEqual(getSectionTexts({ type: 'plan', view }, 'Will be changed'), [name]);
      assert.equal(await fetchDescription(sandbox, name), 'Theirs');
      await applyPlan(studio, `Undo: ${changed}`);
      await studio.waitForStatusBarItem(`Undone: ${changed}`);
      assert.equal(await fetchDescription(sandbox, name), 'First');
      await studio.findTreeItem([`Undid the change to ${name}`]);
      await studio.tree.waitForItemText([changed], /undone/);
      // The version that was overwritten by the undo isn't lost either.
      await studio.runCommand('Datamodel Studio: Undo Change…');
      await studio.selectQuickPick(`Undid the change to ${name}`);
      await applyPlan(studio, 'Undo: ');
      await studio.waitForStatusBarItem(`Undone: Undid the change to ${name}`);
      assert.equal(await fetchDescription(sandbox, name), 'Theirs');
    });

    test('a change that another user makes while the page of an undo is open is shown before anything is sent', async ({
      studio,
      sandbox,
    }) => {
      const name = 'Overtaken';
      await openNewViewpoint(studio, sandbox, name);
      await saveDescription(studio, sandbox, [name, 'Mine']);
      await studio.runCommand('Datamodel Studio: Undo Last Change');
      const { page, plan } = await waitForPlan(studio, `Undo: Changed ${name}`);
      assert.deepEqual(plan.view.laterChanges, []);
      await changeViewpoint(sandbox, name, { description: 'Theirs' });
      page.post({ type: 'apply' });
      const updated = await page.waitForMessage<PlanMessage>('plan', ({ note }) => note !== undefined);
      assert.equal(
        updated.note,
        'The content on the server has changed in the meantime. Review the updated changes.',
      );
      assert.deepEqual(
        updated.view.laterChanges?.map(({ lines }) => lines),
        [['description: Mine → Theirs']],
      );
      page.post({ type: 'cancel' });
      assert.equal(await fetchDescription(sandbox, name), 'Theirs');
    });

    test('a deleted object is restored, deleted again and restored', async ({ studio, sandbox }) => {
      const findMatching = async (): Promise<readonly object[]> =>
        (await sandbox.request(
          'GET',
          `/api/v1/custom_data/query?query=${encodeURIComponent('{"app":"walk"}')}`,
        )) as readonly object[];
      const findWithoutIds = async (): Promise<readonly object[]> =>
        (await findMatching()).map((object) => ({ ...object, _id: '' }));
      await sandbox.request('POST', '/api/v1/custom_data', { app: 'walk', step: 'kept' });
      const before = await findWithoutIds();
      assert.equal(before.length, 1);
      const object = 'app: walk, step: kept';
      const row = ['Sandbox', 'Custom Data', object] as const;
      await studio.chooseFromContextMenu(['Sandbox', 'Custom Data'], 'Refresh');
      await studio.chooseFromContextMenu(row, 'Delete…');
      (await studio.findPage('datamodelStudio.plan')).post({ type: 'apply' });
      await studio.waitForTreeItemGone(row);
      assert.deepEqual(await findMatching(), []);
      await undoLast(studio, `Deleted ${object}`);
      await studio.findTreeItem(row);
      assert.deepEqual(await findWithoutIds(), before);

      await studio.chooseFromContextMenu([`Undid the change to ${object}`], 'Undo Change…');
      await applyPlan(studio, 'Undo: ');
      await studio.waitForTreeItemGone(row);
      assert.deepEqual(await findMatching(), []);
      await studio.tree.waitForItemText([`Deleted ${object}`], /^(?!.*undone)/);
      await undoLast(studio, `Deleted ${object}`);
      await studio.findTreeItem(row);
      assert.deepEqual(await findWithoutIds(), before);
    });

    test('a plan whose rules and viewpoints could not be read reports that and waits for confirmation', async ({
      studio,
      sandbox,
    }) => {
      await studio.chooseFromContextMenu(leads, 'Open as JSON');
      await studio.waitForEditor('Leads.table.json');
      const { document } = await studio.waitForEditorText(/"Lead Id"/);
      const { table } = await fetchTable(sandbox, 'Marketing', 'Leads');
      const columns = (table.columns ?? []).map((column) =>
        column.name === 'Segment' ? { ...column, name: 'Group' } : column,
      );
      await studio.replaceText(JSON.stringify({ ...table, columns }));
      await setFaults(
        sandbox,
        { kind: 'status', status: 403, methods: ['GET'], pathPrefix: '/api/elasticubes/' },
        { kind: 'status', status: 403, methods: ['GET'], pathPrefix: '/api/v1/infusion/viewpoints' },
      );
      assert.equal(await document.save(), false);
      await studio.waitForNotification(/Can't find references to Leads/);
      const page = await studio.findPage('datamodelStudio.plan');
      const { view } = await page.waitForMessage<PlanMessage>('plan');
      assert.match(view.summary, /Some items that might break couldn't be checked\./);
      assert.equal(view.tone, 'warning');
      const unchecked = view.sections.find(({ title }) => title === 'Not checked');
      assert.deepEqual(
        unchecked?.items.map(({ text }) => text),
        ['The data security rules', 'The viewpoints', 'Who gains or loses access'],
      );
      const now = await fetchTable(sandbox, 'Marketing', 'Leads');
      assert.ok(
        now.table.columns?.some((column) => column.name === 'Segment'),
        'Nothing was sent',
      );
      await setFaults(sandbox);
      page.post({ type: 'apply' });
      await studio.waitForStatusBarItem('Done: Save Leads');
      await studio.waitForEditor('Leads.table.json');
      const after = await fetchTable(sandbox, 'Marketing', 'Leads');
      assert.ok(after.table.columns?.some((column) => column.name === 'Group'));
    });

    test('the plan of a deleted column lists what will break, and the history restores the column', async ({
      studio,
      sandbox,
    }) => {
      const before = await getColumns(sandbox);
      await studio.chooseFromContextMenu([...orders, 'Store Id'], 'Delete…');
      const page = await studio.findPage('datamodelStudio.plan', 'Review Changes: Delete Store Id');
      const { view } = await page.waitForMessage<PlanMessage>('plan');
      const breaks = view.sections.find(({ title }) => title === 'Will break');
      const texts = breaks?.items.map(({ text }) => text) ?? [];
      assert.ok(texts.includes('Monthly Store Sales'));
      assert.ok(texts.includes('Orders.Store Id = Stores.Store Id'));
      assert.equal(view.applyLabel, 'Apply Anyway');
      assert.deepEqual(await getColumns(sandbox), before);
      page.post({ type: 'apply' });
      await studio.waitForTreeItemGone([...orders, 'Store Id']);
      assert.ok(!(await getColumns(sandbox)).includes('Store Id'));
      const children = await studio.tree.getChildLabels(['Deleted Store Id']);
      assert.deepEqual(children, ['Orders', 'Retail', 'PATCH']);

      await studio.runCommand('Datamodel Studio: Undo Last Change');
      const undo = await waitForPlan(studio, 'Undo: Deleted Store Id');
      assert.deepEqual(undo.plan.view.laterChanges, []);
      assert.match(undo.plan.view.footnotes?.[0] ?? '', /^New IDs are assigned to: .*Store Id/);
      assert.ok(!(await getColumns(sandbox)).includes('Store Id'));
      undo.page.post({ type: 'apply' });
      await studio.waitForStatusBarItem('Undone: Deleted Store Id');
      await studio.findTreeItem(['Undid the change to Store Id']);
      assert.deepEqual(await getColumns(sandbox), before);
      await studio.findTreeItem([...orders, 'Store Id']);
      await studio.tree.waitForItemText(['Deleted Store Id'], /undone/);
    });

    test('a renamed column updates SQL, rules and viewpoints, and is undone as one change', async ({
      studio,
      sandbox,
    }) => {
      await studio.chooseFromContextMenu([...orders, 'Status'], 'Rename…');
      await studio.submitInputBox('channel');
      await studio.quickInput.waitForMessage(/This name is already in use/);
      await studio.submitInputBox('State');
      await studio.quickInput.waitForRow('Customer Value');
      const prompt = studio.quickInput.current;
      const items = prompt?.getItems() ?? [];
      // The rules on one column differ in their parties and access only.
      const ruleDescriptions = items.filter(({ label }) => label === 'Orders.Status');
      assert.deepEqual(ruleDescriptions.map(({ description = '' }) => description).toSorted(), [
        'Retail · everyone else: all values',
        'Retail · user liam.doyle@sandbox.local: no values',
      ]);
      prompt?.choose(items.filter(({ picked }) => picked));
      const page = await studio.findPage('datamodelStudio.plan', 'Review Changes: Rename Status');
      const { view } = await page.waitForMessage<PlanMessage>('plan');
      assert.match(view.summary, /^After the next build, no one gains or loses access\./);
      const sections = new Map(view.sections.map(({ title, items: lines }) => [title, lines]));
      const changes = sections.get('Will be changed')?.filter(({ text }) => text === 'Orders.Status');
      assert.deepEqual(changes?.map(({ detail }) => detail).toSorted(), [
        'column: Status → State; Retail · everyone else: all values',
        'column: Status → State; Retail · user liam.doyle@sandbox.local: no values',
        'name: Status → State',
      ]);
      assert.deepEqual(
        sections.get('Next steps')?.map(({ text }) => text),
        ['Build Retail'],
      );
      page.post({ type: 'apply' });
      await studio.waitForStatusBarItem('Renamed Status to State');
      await studio.findTreeItem([...orders, 'State']);
      assert.match(await fetchCustomerValueSql(sandbox), /o\.\[State\] NOT IN/);
      const rules = await fetchRetailRules(sandbox);
      assert.deepEqual(
        rules
          .filter(({ table, column }) => table === 'Orders' && column?.startsWith('Stat'))
          .map(({ column }) => column),
        ['State', 'State'],
      );
      await undoLastChange(studio);
      await studio.waitForStatusBarItem(/Undone: .*Status/);
      await studio.findTreeItem([...orders, 'Status']);
      assert.match(await fetchCustomerValueSql(sandbox), /o\.\[Status\] NOT IN/);
    });

    test('the version of a document before a change is compared with the current version', async ({
      studio,
      sandbox,
    }) => {
      const name = 'Looked up';
      await openNewViewpoint(studio, sandbox, name);
      await saveDescription(studio, sandbox, [name, 'Changed']);
      const readSides = async (): Promise<readonly string[]> => {
        const { item } = await studio.findTreeItem([`Changed ${name}`, name]);
        await vscode.commands.executeCommand(item.command?.command ?? '', ...(item.command?.arguments ?? []));
        const { input } = await studio.waitForEditor(/^Looked up: Before .* ↔ Current$/);
        assert.ok(input instanceof vscode.TabInputTextDiff);
        const sides = [input.original, input.modified].map(async (uri) =>
          (await vscode.workspace.openTextDocument(uri)).getText(),
        );
        return Promise.all(sides);
      };
      const [before, now] = await readSides();
      assert.match(before ?? '', /"description": "First"/);
      assert.match(now ?? '', /"description": "Changed"/);
    });

    test('a change is selected in the palette and undone, or the state before it is restored over later changes', async ({
      studio,
      sandbox,
    }) => {
      const name = 'Picked';
      await openNewViewpoint(studio, sandbox, name);
      await saveDescription(studio, sandbox, [name, 'Once']);
      await studio.runCommand('Datamodel Studio: Undo Change…');
      await studio.quickInput.waitForTitle('Undo Change');
      await studio.quickInput.cancel();
      assert.equal(await fetchDescription(sandbox, name), 'Once');
      await studio.runCommand('Datamodel Studio: Undo Change…');
      await studio.selectQuickPick(`Changed ${name}`);
      await applyPlan(studio, `Undo: Changed ${name}`);
      await studio.waitForStatusBarItem(`Undone: Changed ${name}`);
      assert.equal(await fetchDescription(sandbox, name), 'First');

      await changeViewpoint(sandbox, name, { description: 'Theirs' });
      await studio.runCommand('Datamodel Studio: Restore Previous State…');
      await studio.quickInput.waitForTitle('Restore Previous State');
      studio.status.reset();
      await studio.selectQuickPick(`Undid the change to ${name}`);
      const { page } = await waitForPlan(studio, `Restore: Undid the change to ${name}`);
      page.post({ type: 'overwrite', change: 0, isOverwritten: true });
      await page.waitForMessage<PlanMessage>('plan', ({ view }) => view.blockedReason === undefined);
      page.post({ type: 'apply' });
      await studio.waitForStatusBarItem(`Restored: Undid the change to ${name}`);
      assert.equal(await fetchDescription(sandbox, name), 'Once');
    });

    test('a change that the server refused leaves nothing to restore', async ({ studio, sandbox }) => {
      const name = 'Refused';
      const document = await openNewViewpoint(studio, sandbox, name);
      await studio.replaceText(await getTextWithDescription(sandbox, 'Mine', name));
      await setFaults(sandbox, { kind: 'status', status: 403, methods: ['PUT'] });
      await expectSaveRefused(document);
      await studio.waitForSaveError(/403/);
      await setFaults(sandbox);
      await studio.runCommand('Datamodel Studio: Restore Previous State…');
      await studio.selectQuickPick(`Changed ${name}`);
      await studio.waitForNotification(`Nothing to restore: Changed ${name}`);
    });
  },
);
