import assert from 'node:assert/strict';
import { fetchDatamodel } from '../../editor/support/demo.ts';
import { setFaults } from '../../editor/support/faults.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { fetchViewpoint, getTextWithDescription } from '../../editor/support/viewpointDocument.ts';
import type { ToDiagram } from '../../../src/webviews/protocol/diagram.ts';
import type { ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import type { MatrixHostMessage } from '../../../src/webviews/protocol/ruleMatrix.ts';
import { addConnection } from '../support/connections.ts';
import type { HostStudio } from '../support/studio.ts';
import { expectSaveRefused, waitForSaved } from '../support/documents.ts';
import { cancelPlan, confirmPlan, saveUntilStopped, waitForPlan } from '../support/plans.ts';
import { readColumnRules, supportRulesPath } from '../support/rules.ts';
import { describeWithUnconnectedSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

type BusyMessage = Extract<ToPlanPage, { type: 'busy' }>;
type Table = Extract<ToDiagram, { type: 'data' }>['model']['tables'][number];

const desk = ['Shop', 'Datamodels', 'Support Desk'] as const;

async function addShop(
  studio: HostStudio,
  { url, adminToken: token }: JourneySandbox,
  role: 'production' | 'read-only' = 'production',
): Promise<void> {
  await addConnection(studio, { name: 'Shop', url, token, role });
}

/** Selects how long to unlock the connection: all that is asked once its name was typed on the page of a plan. */
async function selectDuration(studio: HostStudio): Promise<void> {
  await studio.quickInput.waitForTitle('Unlock Shop for Writing');
  await studio.selectQuickPick('5 minutes');
}

/** Answers the prompts that unlock the connection. */
async function unlock(studio: HostStudio): Promise<void> {
  await selectDuration(studio);
  await studio.quickInput.waitForMessage(/Type Shop to confirm/);
  await studio.submitInputBox('Shop');
}

const countBuilds = async (sandbox: JourneySandbox): Promise<number> =>
  ((await sandbox.request('GET', '/api/v2/builds')) as readonly unknown[]).length;

const countRelations = async (sandbox: JourneySandbox): Promise<number> => {
  const { relations } = (await fetchDatamodel(sandbox, 'Retail')) as {
    readonly relations: readonly unknown[];
  };
  return relations.length;
};

describeWithUnconnectedSandbox('commands on a locked connection', (test) => {
  test('the grid of rules on a read-only connection is read-only, with the reason', async ({
    studio,
    sandbox,
  }) => {
    await addShop(studio, sandbox, 'read-only');
    await studio.chooseFromContextMenu(desk, 'Data Security', 'Edit Rules in Grid…');
    const page = await studio.findPage('datamodelStudio.ruleMatrix', 'Rules: Support Desk');
    await page.waitForMessage('data');
    const { reason, canRetry } =
      await page.waitForMessage<Extract<MatrixHostMessage, { type: 'readOnly' }>>('readOnly');
    assert.equal(reason, 'Shop is read-only. To make changes, edit the connection and change its role.');
    assert.equal(canRetry, undefined);
  });

  test('a live datamodel is published once its connection is unlocked', async ({ studio, sandbox }) => {
    await addShop(studio, sandbox);
    const count = await countBuilds(sandbox);
    await studio.chooseFromContextMenu(desk, 'Publish…');
    await studio.quickInput.waitForTitle('Unlock Shop for Writing');
    await studio.quickInput.cancel();
    await studio.tree.waitForItemText('Shop', /production, locked/);
    assert.equal(await countBuilds(sandbox), count);

    await studio.chooseFromContextMenu(desk, 'Publish…');
    await unlock(studio);
    await studio.clickDialogAction('Publish');
    await studio.waitForStatusBarItem(/Support Desk published/);
    assert.equal(await countBuilds(sandbox), count + 1);
    // The user has to unlock the connection only once, and again after it was locked.
    await studio.chooseFromContextMenu(desk, 'Publish…');
    await studio.clickDialogAction('Cancel');
    await studio.chooseFromContextMenu('Shop', 'Lock Connection');
    await studio.tree.waitForItemText('Shop', /production, locked/);
    await studio.chooseFromContextMenu(desk, 'Publish…');
    await studio.quickInput.waitForTitle('Unlock Shop for Writing');
    assert.ok(!studio.messages.history.some((text) => /locked/.test(text)), 'nothing is refused');
  });

  test('a relation is created in the diagram with the selected columns once its connection is unlocked', async ({
    studio,
    sandbox,
  }) => {
    await addShop(studio, sandbox);
    const count = await countRelations(sandbox);
    await studio.chooseFromContextMenu(['Shop', 'Datamodels', 'Retail'], 'Show Diagram');
    const page = await studio.findPage('datamodelStudio.diagram', 'Diagram: Retail');
    const { model } = await page.waitForMessage<Extract<ToDiagram, { type: 'data' }>>('data');
    const getEnd = (tableName: string, columnName: string) => {
      const table = model.tables.find(({ name }: Table) => name === tableName);
      const column = table?.columns.find(({ name }) => name === columnName);
      assert.ok(table && column, `${tableName}.${columnName}`);
      return { table: table.id, column: column.id };
    };
    page.post({
      type: 'relate',
      ends: [getEnd('Employees', 'Employee Id'), getEnd('Stores', 'Store Id')],
    });
    await unlock(studio);
    await studio.quickInput.waitForRow('Employees.Employee Id = Stores.Store Id');
    await studio.selectQuickPick(' Create Relation');
    await waitFor(
      async () => (await countRelations(sandbox)) === count + 1,
      () => 'The relation is not created',
    );
  });

  test('a connection that was locked while a plan is open is unlocked when the plan is applied', async ({
    studio,
    sandbox,
  }) => {
    await addShop(studio, sandbox);
    const name = 'Revenue by Week';
    await studio.chooseFromContextMenu(['Shop', 'Viewpoints', name], 'Delete…');
    await unlock(studio);
    const page = await studio.findPage('datamodelStudio.plan', `Review Changes: Delete ${name}`);
    await page.waitForMessage('plan');
    await studio.chooseFromContextMenu('Shop', 'Lock Connection');
    await studio.tree.waitForItemText('Shop', /production, locked/);
    page.post({ type: 'apply' });
    await page.waitForMessage<BusyMessage>('busy', ({ isUnlocking }) => isUnlocking === true);
    await studio.quickInput.waitForTitle('Unlock Shop for Writing');
    await studio.quickInput.cancel();
    // The page keeps the typed name.
    await page.waitForMessage('idle');
    assert.equal((await fetchViewpoint(sandbox, name)).name, name);
    page.post({ type: 'apply' });
    await selectDuration(studio);
    await studio.waitForStatusBarItem(`Done: Delete ${name}`);
    await assert.rejects(fetchViewpoint(sandbox, name));
  });

  test('a document is saved once its connection is unlocked, and stays unsaved until then', async ({
    studio,
    sandbox,
  }) => {
    await addShop(studio, sandbox);
    const name = 'Revenue by Month';
    await studio.chooseFromContextMenu(['Shop', 'Viewpoints', name], 'Open as JSON');
    const { document } = await studio.waitForEditorText(/"Revenue by Month"/);
    await studio.replaceText(await getTextWithDescription(sandbox, 'Mine', name));
    await expectSaveRefused(document);
    await studio.quickInput.waitForTitle('Unlock Shop for Writing');
    await studio.quickInput.cancel();
    await waitFor(
      () => studio.quickInput.current === undefined,
      () => 'The question stays',
    );
    assert.equal(document.isDirty, true);
    assert.notEqual((await fetchViewpoint(sandbox, name)).description, 'Mine');

    await expectSaveRefused(document);
    await unlock(studio);
    await waitForSaved(document);
    assert.equal((await fetchViewpoint(sandbox, name)).description, 'Mine');
    assert.deepEqual(studio.fileWrites.errors, [], 'the editor shows no error');
  });

  test('the next save rolls an interrupted save back, once the rollback was reviewed and the connection unlocked from its page', async ({
    studio,
    sandbox,
  }) => {
    await addShop(studio, sandbox);
    const readRules = () => readColumnRules(sandbox, supportRulesPath, 'Agents.Team');
    const before = await readRules();
    await studio.chooseFromContextMenu([...desk, 'Data Security', 'Agents.Team'], 'Open as JSON');
    const { document } = await studio.waitForEditorText(/"First Line"/);
    await studio.replaceText(document.getText().replace('"First Line"', '"Third Line"'));
    await studio.chooseFromContextMenu('Shop', 'Unlock for Writing…');
    await unlock(studio);
    await studio.tree.waitForItemText('Shop', /production, unlocked/);
    await setFaults(sandbox, { kind: 'status', status: 403, methods: ['DELETE'] });
    await saveUntilStopped(studio, document);
    const change = [/^Changed the rules on Agents.Team/];
    await studio.tree.waitForItemText(change, /stopped, 1 request completed/);
    await setFaults(sandbox);
    await studio.chooseFromContextMenu('Shop', 'Lock Connection');
    await studio.tree.waitForItemText('Shop', /production, locked/);
    void studio.chooseFromContextMenu(change, 'Roll Back Interrupted Change…');
    const title = 'Roll Back: Changed the rules on Agents.Team';
    await cancelPlan(studio, (await waitForPlan(studio, title)).page);
    await expectSaveRefused(document);
    const { page, plan } = await waitForPlan(studio, title);
    assert.equal(plan.view.confirmation?.name, 'Shop');
    assert.deepEqual(plan.view.target, {
      text: 'Shop (production) › Support Desk › Data Security',
      isProduction: true,
    });
    // The name is typed on the page only.
    assert.equal(studio.quickInput.current, undefined);
    const rolledBack = confirmPlan(page);
    await selectDuration(studio);
    assert.equal((await rolledBack).confirmation, undefined);
    await studio.waitForStatusBarItem(/Rolled back: /);
    // The save goes on with its own review.
    await cancelPlan(studio, (await waitForPlan(studio, 'Review Changes: ')).page);
    assert.deepEqual(await readRules(), before);
    assert.equal(document.isDirty, true);
  });

  test('a command on a read-only connection says that it is read-only before it asks for anything', async ({
    studio,
    sandbox,
  }) => {
    await addShop(studio, sandbox, 'read-only');
    await studio.chooseFromContextMenu(['Shop', 'Datamodels'], 'New Datamodel…');
    const message = await studio.waitForNotification(
      'Shop is read-only. To make changes, edit the connection and change its role.',
    );
    assert.equal(studio.quickInput.current, undefined);
    message.answer('Edit Connection…');
    await studio.quickInput.waitForTitle('Edit Connection');
  });
});
