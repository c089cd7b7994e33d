import assert from 'node:assert/strict';
import { findAxeViolations } from '../support/axe.ts';
import { deleteFromTree } from '../support/deletion.ts';
import { fetchTable } from '../support/demo.ts';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import { waitForDirtyState, replaceEditorText, pressSave } from '../support/editorState.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import { waitForHistoryOutcome, setRefusals } from '../support/interruptedChanges.ts';
import type { Studio } from '../support/studio.ts';
import {
  setViewpointDescription,
  demoViewpointName,
  openViewpointAsText,
  textEditorSettings,
  fetchViewpoint,
  getDescribedText,
} from '../support/viewpointDocument.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
});

const leads = ['Sandbox', 'Datamodels', 'Marketing', 'Campaigns', 'Leads'] as const;
const hasChanged = `${demoViewpointName} has changed on the server since.`;

/** Saves the open viewpoint with another description. */
async function saveDescription(studio: Studio, sandbox: JourneySandbox, description: string): Promise<void> {
  await replaceEditorText(studio, await getDescribedText(sandbox, description));
  await waitForDirtyState(studio, true);
  await pressSave(studio);
  await waitForDirtyState(studio, false);
}

const descriptionNow = async (sandbox: JourneySandbox): Promise<unknown> =>
  (await fetchViewpoint(sandbox)).description;

/** Undo Last Change, from the palette. */
const undoLast = (studio: Studio): Promise<void> => studio.runCommand('Datamodel Studio: Undo Last Change');

const isUndone = `Undone: Changed ${demoViewpointName}`;

/** Waits until the status bar message of the previous undo is gone. */
async function statusGone({ page }: Studio, text: string): Promise<void> {
  await page
    .locator('.part.statusbar .statusbar-item:visible', { hasText: text })
    .first()
    .waitFor({ state: 'detached' });
}

journey(
  'the last change is undone, then the one before it; later changes of another user are not overwritten without asking',
  async ({ studio, sandbox }) => {
    await setViewpointDescription(sandbox, 'As it was');
    await openViewpointAsText(studio);
    await studio.editorShows(/"description":.?"As.it.was"/);
    await saveDescription(studio, sandbox, 'First change');
    await saveDescription(studio, sandbox, 'Second change');

    await undoLast(studio);
    await studio.statusBar(isUndone);
    assert.equal(await descriptionNow(sandbox), 'First change');
    await studio.editorShows(/First.change/);
    await statusGone(studio, isUndone);
    await undoLast(studio);
    await studio.statusBar(isUndone);
    assert.equal(await descriptionNow(sandbox), 'As it was');
    await studio.editorShows(/As.it.was/);

    await saveDescription(studio, sandbox, 'Third change');
    await setViewpointDescription(sandbox, 'Theirs');
    await undoLast(studio);
    const dialog = studio.page.locator('.monaco-dialog-box', { hasText: hasChanged });
    await dialog.waitFor();
    await studio.screenshot('undo-conflict');
    await studio.dialogAction('Cancel');
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await descriptionNow(sandbox), 'Theirs');

    await statusGone(studio, isUndone);
    await undoLast(studio);
    await dialog.waitFor();
    await studio.dialogAction('Restore Anyway');
    await studio.statusBar(isUndone);
    assert.equal(await descriptionNow(sandbox), 'As it was');
    await studio.runCommand('Datamodel Studio: Focus on History View');
    await studio.treeItem([`Restored ${demoViewpointName}`]);
    await waitForHistoryOutcome(studio, `Changed ${demoViewpointName}`, 'undone');
    // The version that was overwritten by the undo isn't lost either.
    await undoLast(studio);
    await studio.statusBar(`Undone: Restored ${demoViewpointName}`);
    assert.equal(await descriptionNow(sandbox), 'Theirs');
  },
);

journey('a deleted object is restored, deleted again and restored', async ({ studio, sandbox }) => {
  const matching = async (): Promise<readonly unknown[]> =>
    (await sandbox.request(
      'GET',
      `/api/v1/custom_data/query?query=${encodeURIComponent('{"app":"walk"}')}`,
    )) as readonly unknown[];
  await sandbox.request('POST', '/api/v1/custom_data', { app: 'walk', step: 'kept' });
  const [before] = await matching();
  const object = 'app: walk, step: kept';
  const row = ['Sandbox', 'Custom Data', object] as const;
  await studio.openView();
  await studio.contextMenu(['Sandbox', 'Custom Data'], 'Refresh');
  await deleteFromTree(studio, row);
  assert.deepEqual(await matching(), []);
  await undoLast(studio);
  await studio.statusBar(`Undone: Deleted ${object}`);
  await studio.treeItem(row);
  const said = (one: unknown) => ({ ...(one as object), _id: '' });
  assert.deepEqual((await matching()).map(said), [said(before)]);

  await studio.runCommand('Datamodel Studio: Focus on History View');
  await studio.contextMenu([`Undid the change to ${object}`], 'Undo This Change…');
  const apply = studio.webview().getByRole('button', { name: /^Apply/ });
  await apply.click();
  await studio.treeItemGone(row);
  assert.deepEqual(await matching(), []);
  await waitForHistoryOutcome(studio, `Deleted ${object}`, /^(?!.*undone)/);
  await statusGone(studio, 'Undone: ');
  await undoLast(studio);
  await studio.statusBar(`Undone: Deleted ${object}`);
  await studio.treeItem(row);
  assert.deepEqual((await matching()).map(said), [said(before)]);
});

journey(
  'a plan whose rules and viewpoints could not be read reports that and waits for confirmation',
  async ({ studio, sandbox }) => {
    await studio.openView();
    await studio.contextMenu(leads, 'Open as JSON');
    await studio.openedEditor('Leads.table.json');
    await studio.editorShows(/"Lead.Id"/);
    const { table } = await fetchTable(sandbox, 'Marketing', 'Leads');
    const columns = (table.columns ?? []).map((column) =>
      column.name === 'Segment' ? { ...column, name: 'Group' } : column,
    );
    await replaceEditorText(studio, JSON.stringify({ ...table, columns }));
    await waitForDirtyState(studio, true);
    await setRefusals(
      sandbox,
      { kind: 'status', status: 403, methods: ['GET'], pathPrefix: '/api/elasticubes/' },
      { kind: 'status', status: 403, methods: ['GET'], pathPrefix: '/api/v1/infusion/viewpoints' },
    );
    await pressSave(studio);
    await studio.notification(/What it might break could not all be looked at/);
    await studio.notification(/It could not be found out who uses Leads/);
    const page = studio.webview();
    await page.getByText('Not all that might stop working could be looked at.').waitFor();
    await page.getByText('The data security rules').waitFor();
    await page.getByText('The viewpoints').waitFor();
    for (const theme of ['light', 'dark', 'hc'] as const) {
      await studio.setTheme(theme);
      await page.getByText('The viewpoints').waitFor();
      await studio.screenshot(`plan-unchecked-${theme}`);
      assert.deepEqual(await findAxeViolations(page), [], theme);
    }
    const now = await fetchTable(sandbox, 'Marketing', 'Leads');
    assert.ok(
      now.table.columns?.some((column) => column.name === 'Segment'),
      'Nothing was sent',
    );
    await setRefusals(sandbox);
    await page.getByRole('button', { name: 'Apply' }).click();
    await studio.openedEditor('Leads.table.json');
  },
);
