import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { readBrowserStorage } from '../support/browserStorage.ts';
import { addConnectionInStudio, removeConnectionsInStudio } from '../support/connectionForm.ts';
import { findFilesContaining } from '../support/findFiles.ts';
import { journey } from '../support/journey.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';

journey('a typed token is stored only in the secret storage', async ({ openStudio }) => {
  await using sandbox = await startJourneySandbox();
  const token = sandbox.adminToken;
  const studio = await openStudio();
  await studio.openView();
  await studio.clickWelcomeAction('Add a connection');
  await studio.quickInput.waitForMessage(/Address of the instance/);
  await studio.page.keyboard.press('Escape');
  const name = 'Analytics';
  const wrongToken = 'wrong-token-of-mine';
  await addConnectionInStudio(studio, { name, url: sandbox.url, token: wrongToken, role: 'production' });
  // The log names the refused request.
  const rejected = await studio.findTreeItem([name, 'Datamodels', 'Token rejected (401)']);
  await rejected.click();
  await studio.submitInputBox(token);
  await studio.findTreeItem([name, 'Datamodels', 'Retail']);
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    await studio.screenshot(`connection-added-${theme}`);
  }
  await studio.runCommand('Datamodel Studio: Show Log');
  await studio.page.locator('.part.panel', { hasText: 'datamodels.list' }).first().waitFor();

  const userData = join(dirname(studio.workspace), 'server');
  for (const secret of [token, wrongToken]) {
    assert.deepEqual(await findFilesContaining(userData, secret), [], 'no file holds a token');
  }
  assert.notDeepEqual(
    await findFilesContaining(userData, 'datamodels.list'),
    [],
    'the log is among the searched files',
  );
  const stored = await readBrowserStorage(studio.page);
  assert.deepEqual(
    stored
      .filter(
        ({ key, text }) =>
          !/secret/i.test(key) && [token, wrongToken].some((secret) => text.includes(secret)),
      )
      .map(({ storage, key }) => [storage, key]),
    [],
    'neither settings nor stored state contain a token',
  );
  assert.ok(
    stored.some(({ text }) => text.includes(name)),
    'the global state is among the searched values',
  );
  await removeConnectionsInStudio(studio, [name]);
  await studio.page.getByRole('button', { name: 'Start Sandbox' }).waitFor();
});
