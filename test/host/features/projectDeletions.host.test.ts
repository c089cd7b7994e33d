import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { JournalFile } from '../../../src/changes/journal/journalFile.ts';
import type { PlanView, ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import {
  fetchDatamodel,
  fetchRetailRules,
  fetchTable,
  getDatamodelTables,
} from '../../editor/support/demo.ts';
import { addConnection } from '../support/connections.ts';
import type { HostedPage } from '../support/pages.ts';
import { Patches } from '../support/patches.ts';
import { applyPlan, getSectionTexts, waitForClosed, waitForPlan } from '../support/plans.ts';
import {
  editOrdersDescription,
  label,
  ordersPath,
  preparePulledProjects,
} from '../support/pulledProjects.ts';
import { TestProject } from '../support/projects.ts';
import type { SourceControls } from '../support/sourceControls.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

type PlanMessage = Extract<ToPlanPage, { type: 'plan' }>;

const rulesPath = 'datamodels/Retail/rules/Regions.Region.rules.json';
const planTitle = 'Plan: analytics to Shop';
const applyTitle = 'Apply analytics to Shop';
const limitedTitle = 'Apply analytics (Retail) to Shop';
const deletedTitle = 'Deleted in the project, kept on the instance';

/** Selects the kinds of items to delete on the page of a plan, and returns the plan with their deletion. */
async function includeDeletions(
  studio: HostStudio,
  page: HostedPage,
  ...kinds: readonly string[]
): ReturnType<typeof waitForPlan> {
  const { title } = page;
  page.post({ type: 'alternative' });
  await studio.quickInput.pickMany(kinds);
  await waitForClosed(studio, page);
  return await waitForPlan(studio, title);
}

/** Confirms a plan, and returns what its page shows of the result. */
async function confirm(page: HostedPage): Promise<PlanView> {
  page.post({ type: 'apply' });
  const { view } = await page.waitForMessage<PlanMessage>(
    'plan',
    (message) => message.view.isResult === true,
  );
  return view;
}

/** Undoes the apply, so that the instance is as before. */
async function undoApply(studio: HostStudio): Promise<string> {
  const undoTitle = 'Undo: Applied the project analytics';
  await studio.runCommand('View: Close All Editors');
  await studio.chooseFromContextMenu([/^Applied the project analytics/], 'Undo Change…');
  const { plan } = await waitForPlan(studio, undoTitle);
  await applyPlan(studio, undoTitle);
  return plan.view.summary;
}

/** Adds a table that no pull has seen. */
async function addUnpulledTable(sandbox: Parameters<typeof fetchTable>[0]): Promise<void> {
  const { path } = await fetchTable(sandbox, 'Retail', 'Returns');
  await sandbox.request('POST', path.slice(0, path.lastIndexOf('/')), {
    name: 'Theirs',
    id: 'returns.csv',
    type: 'base',
    columns: [{ id: 'Id', name: 'Id', type: 8 }],
  });
}

/** Deletes the folder of a datamodel, and opens the plan of an apply that is limited to it. */
async function applyDeletedDatamodel(
  studio: HostStudio,
  project: TestProject,
  sourceControls: SourceControls,
): ReturnType<typeof waitForPlan> {
  await vscode.workspace.fs.delete(project.getUri('datamodels/Retail'), { recursive: true });
  const row = await waitFor(
    () => sourceControls.getRows(label)['Changed Here']?.find((path) => path.includes('/Retail')),
    () => `The deleted files are not shown: ${JSON.stringify(sourceControls.getRows(label))}`,
  );
  const path = row.slice(row.indexOf('/') + 1);
  void vscode.commands.executeCommand('datamodelStudio.menus.projects.apply', project.getUri(path));
  return await waitForPlan(studio, limitedTitle);
}

describeStudio('deleting what a project no longer has', preparePulledProjects, (test) => {
  test('a plan names what stays on the instance, and an apply deletes it if the user selects that, until the apply is undone', async ({
    studio,
    sandbox,
    sourceControls,
    pullRetail,
  }) => {
    await using project = await pullRetail(studio);
    const rules = await fetchRetailRules(sandbox);
    await project.delete(rulesPath);
    void studio.runCommand('Datamodel Studio: Plan Project…');
    const { page, plan } = await waitForPlan(studio, planTitle);
    assert.equal(plan.view.summary, 'No changes. Only on the instance, kept: rules on 1 column.');
    assert.deepEqual(getSectionTexts(plan, deletedTitle), ['Regions.Region']);
    assert.equal(plan.view.followUp, undefined);
    assert.equal(plan.view.alternative, 'Include Deletions…');

    page.post({ type: 'alternative' });
    const row = await studio.quickInput.waitForRow('Data security rules');
    assert.deepEqual([row.description, row.detail, row.picked], ['1', 'Retail › Regions.Region', false]);
    assert.match(studio.quickInput.current?.getMessage() ?? '', /^Select what to delete on Shop\./);
    await studio.quickInput.accept();
    assert.ok(studio.pages.open.includes(page), 'The page stays open if nothing is selected');

    const included = await includeDeletions(studio, page, 'Data security rules');
    assert.match(
      included.plan.view.summary,
      /^Everyone else gains all values of Regions\.Region .*Will be deleted: rules on 1 column\.$/,
    );
    assert.deepEqual(new Set(getSectionTexts(included.plan, 'Will be deleted')), new Set(['Regions.Region']));
    assert.deepEqual(getSectionTexts(included.plan, deletedTitle), []);
    assert.equal(included.plan.view.alternative, 'Change Deletions…');
    assert.deepEqual(await fetchRetailRules(sandbox), rules);

    included.page.post({ type: 'followUp' });
    const applying = await waitForPlan(studio, applyTitle);
    assert.equal(applying.plan.view.applyLabel, 'Apply with Deletions');
    const result = await confirm(applying.page);
    assert.match(result.summary, /^Done\. The instance matches the project\. /);
    assert.equal(result.alternative, undefined);
    const isOnRegion = ({ table, column }: { readonly table: string; readonly column: string }): boolean =>
      table === 'Regions' && column === 'Region';
    assert.deepEqual((await fetchRetailRules(sandbox)).filter(isOnRegion), []);
    await sourceControls.waitForRows(label, {});
    applying.page.post({ type: 'cancel' });

    void studio.runCommand('Datamodel Studio: Plan Project…');
    const again = await waitForPlan(studio, planTitle);
    assert.equal(again.plan.view.summary, 'No changes.');
    assert.equal(again.plan.view.alternative, undefined);
    assert.match(
      await undoApply(studio),
      / The project files aren't changed\. The next apply would make these changes again, but the deletions only if you include them\. .* it would update to match the instance: Regions\.Region \(Data security rules in Retail\)\.$/,
    );
    assert.equal(
      (await fetchRetailRules(sandbox)).filter(isOnRegion).length,
      rules.filter(isOnRegion).length,
    );
  });

  test('an apply deletes selected tables and columns with what depends on them, and the selection names those that were never pulled', async ({
    studio,
    sandbox,
    pullRetail,
  }) => {
    await using project = await pullRetail(studio);
    const before = await fetchDatamodel(sandbox, 'Retail');
    await project.delete('datamodels/Retail/tables/Returns.table.json');
    const relations = await vscode.workspace.findFiles('analytics/datamodels/Retail/relations/*Returns*');
    assert.ok(relations.length > 0);
    for (const uri of relations) {
      await vscode.workspace.fs.delete(uri);
    }
    const calendarPath = 'datamodels/Retail/tables/Calendar.table.json';
    const calendar = JSON.parse(await project.read(calendarPath)) as {
      readonly columns: readonly { readonly name: string }[];
    };
    const columns = calendar.columns.filter(({ name }) => name !== 'Is Weekend');
    assert.equal(columns.length, calendar.columns.length - 1);
    await project.save(calendarPath, JSON.stringify({ ...calendar, columns }));
    await addUnpulledTable(sandbox);

    void studio.runCommand('Datamodel Studio: Apply Project…');
    const { page, plan } = await waitForPlan(studio, applyTitle);
    assert.equal(plan.view.applyLabel, 'Apply');
    assert.equal(plan.view.blockedReason, 'Nothing to change.');
    assert.deepEqual(getSectionTexts(plan, 'Only on the instance, kept'), ['Theirs']);
    page.post({ type: 'alternative' });
    const row = await studio.quickInput.waitForRow('Tables');
    assert.equal(row.detail, 'Retail › Theirs (never pulled), Retail › Returns');
    studio.quickInput.current?.cancel();
    const included = await includeDeletions(studio, page, 'Tables', 'Columns');
    assert.equal(included.plan.view.applyLabel, 'Apply with Deletions');
    assert.match(
      included.plan.view.summary,
      /^Access to everything that isn't deleted stays the same\. .* Will be deleted: 2 tables, 1 column, 1 relation\. 1 item will be overwritten, deleted, or created again, /,
    );
    assert.deepEqual(getSectionTexts(included.plan, 'Never pulled, and will be overwritten or deleted'), [
      'Theirs',
    ]);
    assert.ok(getSectionTexts(included.plan, 'Will be deleted').includes('Calendar.Is Weekend'));
    assert.ok(getSectionTexts(included.plan, 'Will break').length > 0, included.plan.view.summary);
    // The choice can be changed: then, the plan deletes less.
    const changed = await includeDeletions(studio, included.page, 'Columns');
    assert.match(
      changed.plan.view.summary,
      / Will be deleted: 1 column\. Only on the instance, kept: 2 tables/,
    );
    const again = await includeDeletions(studio, changed.page, 'Tables', 'Columns');
    const result = await confirm(again.page);
    assert.match(result.summary, /^Done\. The instance matches the project\. /);
    const names = getDatamodelTables(await fetchDatamodel(sandbox, 'Retail')).map(({ name }) => name);
    assert.deepEqual(
      names,
      getDatamodelTables(before)
        .map(({ name }) => name)
        .filter((name) => name !== 'Returns'),
    );
    await undoApply(studio);
    const { path } = await fetchTable(sandbox, 'Retail', 'Theirs');
    await sandbox.request('DELETE', path);
  });

  test('deletions that were selected in a limited plan stay within its limits when the plan is made again', async ({
    studio,
    sandbox,
    pullRetail,
    sourceControls,
  }) => {
    await using project = await pullRetail(studio);
    const theirs = await sandbox.request('POST', '/api/v2/datamodels', { title: 'Theirs', type: 'extract' });
    await project.write(
      'datamodel-studio.json',
      '{"version": 1, "manage": {"datamodels": ["Retail", "Theirs"], "viewpoints": []}}',
    );
    const { page } = await applyDeletedDatamodel(studio, project, sourceControls);
    const included = await includeDeletions(studio, page, 'Datamodels');
    assert.ok((await confirm(included.page)).summary.startsWith('Done. '));
    await studio.chooseFromContextMenu([/^Applied the project analytics/], 'Undo Change…');
    await applyPlan(studio, 'Undo: Applied the project analytics');
    await included.page.waitForMessage<PlanMessage>('plan', ({ view }) => view.followUp === 'Plan Again');
    included.page.post({ type: 'followUp' });
    await waitForClosed(studio, included.page);
    const again = await waitForPlan(studio, limitedTitle);
    const deleted = getSectionTexts(again.plan, 'Will be deleted');
    assert.ok(deleted.includes('Retail') && !deleted.includes('Theirs'), deleted.join());
    again.page.post({ type: 'cancel' });
    await sandbox.request('DELETE', `/api/v2/datamodels/${(theirs as { readonly oid: string }).oid}`);
  });

  test('a plan that would delete more than was selected deletes nothing of that kind, and says so', async ({
    studio,
    sandbox,
    pullRetail,
  }) => {
    await using project = await pullRetail(studio);
    await project.delete('datamodels/Retail/tables/Returns.table.json');
    await project.delete(rulesPath);
    for (const uri of await vscode.workspace.findFiles('analytics/datamodels/Retail/relations/*Returns*')) {
      await vscode.workspace.fs.delete(uri);
    }
    void studio.runCommand('Datamodel Studio: Plan Project…');
    const { page } = await waitForPlan(studio, planTitle);
    const included = await includeDeletions(studio, page, 'Tables', 'Data security rules');
    assert.ok(getSectionTexts(included.plan, 'Will be deleted').includes('Returns'));
    await addUnpulledTable(sandbox);
    included.page.post({ type: 'followUp' });
    const applying = await waitForPlan(studio, applyTitle);
    assert.match(
      applying.plan.view.summary,
      /More would be deleted than you have selected, so these are kept for now: Tables\. .*Will be deleted: rules on 1 column\./,
    );
    assert.deepEqual(new Set(getSectionTexts(applying.plan, 'Will be deleted')), new Set(['Regions.Region']));
    // Once the user was shown the additional items, the selection includes them.
    const again = await includeDeletions(studio, applying.page, 'Tables');
    assert.doesNotMatch(again.plan.view.summary, /More would be deleted/);
    assert.ok(getSectionTexts(again.plan, 'Will be deleted').includes('Theirs'));
    again.page.post({ type: 'cancel' });
    await sandbox.request('DELETE', (await fetchTable(sandbox, 'Retail', 'Theirs')).path);
  });

  test('if a plan would delete more than was selected, the user is asked about its errors only once', async ({
    studio,
    sandbox,
    pullRetail,
  }) => {
    await using project = await pullRetail(studio);
    await project.delete('datamodels/Retail/tables/Returns.table.json');
    for (const uri of await vscode.workspace.findFiles('analytics/datamodels/Retail/relations/*Returns*')) {
      await vscode.workspace.fs.delete(uri);
    }
    void studio.runCommand('Datamodel Studio: Plan Project…');
    const { page } = await waitForPlan(studio, planTitle);
    const included = await includeDeletions(studio, page, 'Tables');
    await addUnpulledTable(sandbox);
    await project.write(
      'datamodels/Retail/tables/Store Ranking.datamodel.sql',
      'SELECT Nothing FROM Stores\n',
    );
    included.page.post({ type: 'followUp' });
    await studio.clickDialogAction('Ignore Errors');
    const { page: applying, plan } = await waitForPlan(studio, applyTitle);
    assert.match(plan.view.summary, /More would be deleted than you have selected/);
    assert.ok(getSectionTexts(plan, 'Ignored errors').length > 0);
    applying.post({ type: 'cancel' });
    await sandbox.request('DELETE', (await fetchTable(sandbox, 'Retail', 'Theirs')).path);
  });

  test('a plan can still be applied to its instance after another environment was selected', async ({
    studio,
    sandbox,
    pullRetail,
    sourceControls,
  }) => {
    await using project = await pullRetail(studio);
    await project.write(
      'environments/zother.json',
      JSON.stringify({ url: 'https://other.example.com', role: 'production' }),
    );
    const { page } = await applyDeletedDatamodel(studio, project, sourceControls);
    await studio.runCommand('Datamodel Studio: Select Project Environment…');
    await studio.selectQuickPick('zother');
    await sourceControls.find('zother (production)');
    const included = await includeDeletions(studio, page, 'Datamodels');
    const { summary } = await confirm(included.page);
    assert.match(summary, /^Done\. The instance matches the project in Retail\. /);
    assert.ok(!JSON.stringify(await sandbox.request('GET', '/api/v2/datamodels')).includes('"Retail"'));
    await undoApply(studio);
  });

  test('rules that are kept because their column is kept are shown with this reason', async ({
    studio,
    pullRetail,
  }) => {
    await using project = await pullRetail(studio);
    await project.delete(rulesPath);
    const regionsPath = 'datamodels/Retail/tables/Regions.table.json';
    const regions = JSON.parse(await project.read(regionsPath)) as {
      readonly columns: readonly { readonly name: string }[];
    };
    const columns = regions.columns.filter(({ name }) => name !== 'Region');
    assert.equal(columns.length, regions.columns.length - 1);
    await project.save(regionsPath, JSON.stringify({ ...regions, columns }));
    void studio.runCommand('Datamodel Studio: Plan Project…');
    const { page, plan } = await waitForPlan(studio, planTitle);
    const getDetail = ({ view }: PlanMessage): string | undefined =>
      view.sections
        .find(({ title }) => title === deletedTitle)
        ?.items.find(({ detail }) => detail?.includes('rules') === true)?.detail;
    assert.doesNotMatch(getDetail(plan) ?? 'Kept', /Kept/);
    const included = await includeDeletions(studio, page, 'Data security rules');
    assert.match(
      getDetail(included.plan) ?? '',
      / · Kept, because its column is kept, and more of it would be visible without rules\.$/,
    );
    included.page.post({ type: 'cancel' });
  });

  test('the plan to delete a datamodel names what another user has added to the datamodel', async ({
    studio,
    sandbox,
    pullRetail,
  }) => {
    await using project = await pullRetail(studio);
    await vscode.workspace.fs.delete(project.getUri('datamodels/Retail'), { recursive: true });
    await addUnpulledTable(sandbox);
    void studio.runCommand('Datamodel Studio: Plan Project…');
    const { page } = await waitForPlan(studio, planTitle);
    page.post({ type: 'alternative' });
    const row = await studio.quickInput.waitForRow('Datamodels');
    assert.equal(row.detail, 'Retail (changed on the server)');
    studio.quickInput.current?.cancel();
    const { plan, page: included } = await includeDeletions(studio, page, 'Datamodels');
    assert.deepEqual(
      [
        getSectionTexts(
          plan,
          'Changed on the server since the last pull, and will be overwritten, deleted, or created again',
        ),
        getSectionTexts(plan, 'Never pulled, and will be overwritten or deleted'),
      ],
      [['Retail'], ['Theirs']],
    );
    assert.match(
      plan.view.summary,
      / 2 items will be overwritten, deleted, or created again, although their current state on the server was never pulled\./,
    );
    included.post({ type: 'cancel' });
    await sandbox.request('DELETE', (await fetchTable(sandbox, 'Retail', 'Theirs')).path);
  });

  test('the result of an apply offers the deletions that are left, even if the page of the plan was closed', async ({
    studio,
    pullRetail,
    setOrdersDescription,
  }) => {
    await using _orders = await setOrdersDescription('One row per order');
    await using project = await pullRetail(studio);
    await project.delete(rulesPath);
    await editOrdersDescription(project);
    void studio.runCommand('Datamodel Studio: Apply Project…');
    const { page } = await waitForPlan(studio, applyTitle);
    const result = await confirm(page);
    assert.match(result.summary, /^Done\. Only on the instance, kept: rules on 1 column\. /);
    const included = await includeDeletions(studio, page, 'Data security rules');
    assert.ok(getSectionTexts(included.plan, 'Will be deleted').includes('Regions.Region'));
    included.page.post({ type: 'cancel' });
    await waitForClosed(studio, included.page);

    await project.saveEdit(ordersPath, '"Mine"', '"Later"');
    void studio.runCommand('Datamodel Studio: Apply Project…');
    const closed = await waitForPlan(studio, applyTitle);
    using patches = new Patches();
    const append = Reflect.get(JournalFile.prototype, 'append');
    patches.replace(
      JournalFile.prototype,
      'append',
      () =>
        async function (this: JournalFile, line: Parameters<typeof append>[0]): Promise<void> {
          if (line.line === 'begin') {
            closed.page.panel.dispose();
          }
          await append.call(this, line);
        },
    );
    closed.page.post({ type: 'apply' });
    const notification = await studio.waitForNotification(
      /^Apply analytics to Shop: Done\. Only on the instance/,
    );
    notification.answer('Include Deletions…');
    await studio.quickInput.pickMany(['Data security rules']);
    const offered = await waitForPlan(studio, applyTitle);
    assert.equal(offered.plan.view.applyLabel, 'Apply with Deletions');
  });

  test('deletions in production are applied only once the name of the connection is typed', async ({
    studio,
    sandbox,
    sourceControls,
  }) => {
    await waitFor(
      () => sourceControls.labels.length === 0,
      () => `Still shown: ${sourceControls.labels.join(', ')}`,
    );
    await addConnection(studio, {
      name: 'Live',
      url: sandbox.url,
      token: sandbox.adminToken,
      role: 'production',
    });
    await using project = await TestProject.createInWorkspace('analytics');
    await studio.runCommand('Datamodel Studio: Pull into Folder…');
    await studio.selectQuickPick('analytics');
    await studio.submitInputBox('test');
    (await studio.waitForNotification(/^Pulled Live into analytics/)).answer(undefined);
    await sourceControls.find('test (production)');
    await project.delete(rulesPath);
    void studio.runCommand('Datamodel Studio: Apply Project…');
    // The plan is read first, and the connection is unlocked only when it's applied.
    const { page, plan } = await waitForPlan(studio, 'Apply analytics to Live');
    const confirmation = {
      prompt: 'This is a production instance. Type Live to confirm.',
      name: 'Live',
    };
    assert.deepEqual(plan.view.confirmation, confirmation);
    const included = await includeDeletions(studio, page, 'Data security rules');
    assert.equal(included.plan.view.applyLabel, 'Apply with Deletions');
    assert.deepEqual(included.plan.view.confirmation, confirmation);
    included.page.post({ type: 'apply' });
    await studio.quickInput.waitForTitle('Unlock Live for Writing');
    studio.quickInput.current?.cancel();
    assert.ok(studio.pages.open.includes(included.page), 'The plan stays open');
    included.page.panel.dispose();
  });

  test('an apply that is limited to deleted files may delete everything that it is limited to', async ({
    studio,
    sandbox,
    pullRetail,
    sourceControls,
  }) => {
    await using project = await pullRetail(studio);
    const { page } = await applyDeletedDatamodel(studio, project, sourceControls);
    const included = await includeDeletions(studio, page, 'Datamodels');
    assert.match(
      included.plan.view.summary,
      / Will be deleted: 1 datamodel, \d datasets, \d+ tables, \d+ relations, rules on \d+ columns\.$/,
    );
    const result = await confirm(included.page);
    assert.match(
      result.summary,
      /^Done\. The instance matches the project in Retail\. /,
      JSON.stringify(result),
    );
    assert.ok(!JSON.stringify(await sandbox.request('GET', '/api/v2/datamodels')).includes('"Retail"'));
    await sourceControls.waitForRows(label, {});
  });
});
