import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addConnectionInStudio } from '../support/connectionForm.ts';
import { answerFileDialog } from '../support/fileDialog.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';

const journey = createSharedStudio(async (owned) => {
  const workspace = { 'bad.json': '{"connections":[{"name":"X","url":"https://x.test","token":"t"}]}' };
  return { sandbox: owned.use(await startJourneySandbox()), options: { workspace } };
});

journey('refuses a file without connections and gives the reason', async ({ studio }) => {
  await studio.openView();
  await studio.runCommand('Datamodel Studio: Import Connections…');
  await answerFileDialog(studio.page, join(studio.workspace, 'bad.json'));
  await studio.notification(/bad\.json cannot be imported: connections\.0: .*token/);
  await studio.screenshot('import-refused');
  assert.equal(await studio.page.locator('.part.sidebar .monaco-list-row').count(), 0);
});

journey('shares connections in a file without tokens', async ({ studio, sandbox }) => {
  const token = sandbox.adminToken;
  const file = join(studio.workspace, 'team.json');
  await studio.openView();
  await studio.screenshot('explorer-welcome');
  await studio.runCommand('Datamodel Studio: Export Connections…');
  await studio.notification(/There is no connection to export/);
  await addConnectionInStudio(studio, { name: 'Analytics', url: sandbox.url, token, role: 'staging' });
  await addConnectionInStudio(studio, {
    name: 'Audit',
    url: `${sandbox.url}/audit`,
    token,
    role: 'read-only',
  });
  await studio.runCommand('Datamodel Studio: Export Connections…');
  await answerFileDialog(studio.page, file);
  await studio.notification('Connections exported: 2. The file holds no token.');
  const text = await readFile(file, 'utf8');
  assert.ok(!text.includes(token));
  assert.deepEqual(
    (JSON.parse(text) as { connections: { name: string; role: string }[] }).connections.map(
      ({ name, role }) => `${name} ${role}`,
    ),
    ['Analytics staging', 'Audit read-only'],
  );

  await studio.contextMenu('Analytics', 'Remove Connection…');
  await studio.dialogAction('Remove');
  await studio.page
    .locator('.part.sidebar .label-name', { hasText: 'Analytics' })
    .waitFor({ state: 'hidden' });
  await studio.runCommand('Notifications: Clear All Notifications');
  await studio.runCommand('Datamodel Studio: Import Connections…');
  await answerFileDialog(studio.page, file);
  await studio.notification(/Connections added: 1, there already: 1/);

  // The connection was imported without a token: it is shown as signed out, with a way to sign in.
  await studio.treeItem(['Analytics', 'Datamodels', 'Signed out']);
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    await studio.screenshot(`explorer-signed-out-${theme}`);
  }
  await studio.tree.click(['Analytics', 'Datamodels', 'Signed out']);
  await studio.inputBox(token);
  await studio.treeItem(['Analytics', 'Datamodels', 'Retail']);
});
