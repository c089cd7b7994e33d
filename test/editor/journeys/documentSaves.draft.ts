import assert from 'node:assert/strict';
import type { Datamodel } from '../../../src/contract/datamodel.ts';
import type { Viewpoint } from '../../../src/contract/viewpoint.ts';
import { journey } from '../support/journey.ts';
import { type TestSandbox, openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';
import { isDirty, replaceText, save } from '../support/savedState.ts';

const name = 'Revenue by Region';
/** Forms have journeys of their own; what is put in at once is not to be indented and closed as if it were typed. */
const settings = {
  'datamodelStudio.documents.openAs': 'text',
  'editor.autoIndent': 'none',
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
};

async function viewpointOf(sandbox: TestSandbox): Promise<Viewpoint> {
  const { id } = await listed(sandbox);
  return (await sandbox.request('GET', `/api/v1/infusion/viewpoints/${id}`)) as Viewpoint;
}

async function listed(sandbox: TestSandbox): Promise<Viewpoint> {
  const search = encodeURIComponent(JSON.stringify({ name }));
  const answer = await sandbox.request('GET', `/api/v1/infusion/viewpoints?search=${search}`);
  const lists = Array.isArray(answer) ? [answer] : Object.values(answer as object);
  const found = (lists.find(Array.isArray) as Viewpoint[]).find((one) => one.name === name);
  assert.ok(found);
  return found;
}

const describe = async (sandbox: TestSandbox, description: string): Promise<void> => {
  const { id } = await listed(sandbox);
  await sandbox.request('PUT', `/api/v1/infusion/viewpoints/${id}`, { description });
};

/** On one line: the editor would indent typed lines, as if a person broke them. */
const withDescription = async (sandbox: TestSandbox, description: string): Promise<string> =>
  JSON.stringify({ ...(await viewpointOf(sandbox)), description });

async function openViewpoint(studio: Studio): Promise<void> {
  await studio.openView();
  await studio.tree.click(['Sandbox', 'Viewpoints', name]);
  await studio.openedEditor(`${name}.viewpoint.json`);
  await studio.editorShows(/"description"/);
}

journey(
  'a document is changed and saved; what cannot be saved stays and says why',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({ env: sandbox.env, settings });
    await openViewpoint(studio);
    await replaceText(studio, await withDescription(sandbox, 'Saved by hand'));
    await isDirty(studio, true);
    await save(studio);
    await isDirty(studio, false);
    assert.equal((await viewpointOf(sandbox)).description, 'Saved by hand');

    await replaceText(studio, '{ "name": ');
    await save(studio);
    await studio.notification(/not valid JSON/);
    await isDirty(studio, true);
    assert.equal((await viewpointOf(sandbox)).description, 'Saved by hand');
    await studio.screenshot('document-refused');

    // The comment stays, and the server does not get it.
    await replaceText(studio, `/* mine */ ${await withDescription(sandbox, 'With a comment')}`);
    await save(studio);
    await studio.notification(/keeps no comments/);
    await isDirty(studio, false);
    await studio.editorShows(/mine/);
    assert.equal((await viewpointOf(sandbox)).description, 'With a comment');
  },
);

journey('the SQL of a custom table is saved, and its table tells the same', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env, settings });
  await studio.openView();
  const table = ['Sandbox', 'Datamodels', 'Retail', 'Custom Tables', 'Customer Value'] as const;
  await studio.contextMenu(table, 'Open SQL Expression');
  await studio.openedEditor('Customer Value.datamodel.sql');
  const lines = await studio.editorShows(/SELECT/i);
  await lines.click();
  await studio.page.keyboard.press('Control+End');
  await studio.page.keyboard.insertText('\n-- looked at');
  await isDirty(studio, true);
  await save(studio);
  await isDirty(studio, false);
  const models = (await sandbox.request('GET', '/api/v2/datamodels')) as Datamodel[];
  assert.match(JSON.stringify(models), /-- looked at/);
  await studio.contextMenu(table, 'Open as JSON');
  await studio.openedEditor('Customer Value.table.json');
  await studio.editorShows(/looked.at/);
});

journey('names stand beside the oids of a relation', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env, settings });
  await studio.openView();
  await studio.tree.click([
    'Sandbox',
    'Datamodels',
    'Retail',
    'Relations',
    /^Orders – Customers|^Customers – Orders/,
  ]);
  await studio.openedEditor(/\.relation\.json/);
  await studio.editorShows(/Customer.Id/);
  await studio.screenshot('document-relation');
});

journey(
  'somebody changed it meanwhile: the editor asks, or we do, and nothing is lost',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio({ env: sandbox.env, settings });
    await describe(sandbox, 'First');
    await openViewpoint(studio);

    await replaceText(studio, await withDescription(sandbox, 'Mine'));
    await describe(sandbox, 'Somebody else was here');
    await save(studio);
    await studio.notification(/content of the file is newer/);
    assert.equal((await viewpointOf(sandbox)).description, 'Somebody else was here');
    await studio.notificationAction(/content of the file is newer/, 'Compare');
    await studio.editorShows(/Somebody.else.was.here/);
    await studio.screenshot('conflict-editor-compare');
    await studio.page.keyboard.press('Control+w');
    await studio.openedEditor(`${name}.viewpoint.json`);
    await save(studio);
    await studio.notificationAction(/content of the file is newer/, 'Overwrite');
    await isDirty(studio, false);
    assert.equal((await viewpointOf(sandbox)).description, 'Mine');
  },
);

journey('of the same length, which the editor does not see: we ask, once', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env, settings });
  await describe(sandbox, 'First');
  await openViewpoint(studio);
  await replaceText(studio, await withDescription(sandbox, 'Mine'));
  await describe(sandbox, 'Other');
  await save(studio);
  await studio.notification(/changed on the server since you opened it/);
  assert.equal((await viewpointOf(sandbox)).description, 'Other');
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    await studio.screenshot(`conflict-${theme}`);
  }
  await studio.notificationAction(/changed on the server since you opened it/, 'Overwrite');
  await isDirty(studio, false);
  assert.equal((await viewpointOf(sandbox)).description, 'Mine');
});

journey('what both changed is merged', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env, settings });
  await describe(sandbox, 'First');
  await openViewpoint(studio);
  const before = await viewpointOf(sandbox);
  const details = before.details ?? {};
  const columns = (details.columns ?? []).map((column, index) =>
    index === 0 ? { ...column, title: 'Area!!' } : column,
  );
  await replaceText(studio, JSON.stringify({ ...before, details: { ...details, columns } }));
  await describe(sandbox, 'Other');
  await save(studio);
  await studio.notificationAction(/changed on the server since you opened it/, 'Merge');
  await studio.notification(/has the changes of both/);
  await studio.editorShows(/Other/);
  await save(studio);
  await isDirty(studio, false);
  const after = await viewpointOf(sandbox);
  assert.equal(after.description, 'Other');
  assert.equal(after.details?.columns?.[0]?.title, 'Area!!');
});

journey('auto save never writes', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({
    env: sandbox.env,
    settings: { ...settings, 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 },
  });
  await openViewpoint(studio);
  const before = (await viewpointOf(sandbox)).description;
  await replaceText(studio, await withDescription(sandbox, 'By itself'));
  await studio.notification(/Only a save by hand/);
  await isDirty(studio, true);
  assert.equal((await viewpointOf(sandbox)).description, before);
  await save(studio);
  await isDirty(studio, false);
  assert.equal((await viewpointOf(sandbox)).description, 'By itself');
});

journey('unsaved changes outlive a restart, and so does what they were made from', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio({ env: sandbox.env, settings });
  await describe(sandbox, 'First');
  await openViewpoint(studio);
  await replaceText(studio, await withDescription(sandbox, 'Over night'));
  await isDirty(studio, true);
  await describe(sandbox, 'Other');
  await studio.reload();
  await studio.openedEditor(`${name}.viewpoint.json`);
  await isDirty(studio, true);
  await studio.editorShows(/Over.night/);
  await save(studio);
  await studio.notificationAction(/changed on the server since you opened it/, 'Overwrite');
  await isDirty(studio, false);
  assert.equal((await viewpointOf(sandbox)).description, 'Over night');
});
