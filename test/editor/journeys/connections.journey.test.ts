import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { browserStorage } from '../support/browserStorage.ts';
import { filesWith } from '../support/findFiles.ts';
import { journey } from '../support/journey.ts';
import { type TestSandbox, openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';

/** Answers the questions for a new connection, by keyboard alone. */
async function answerForm(
  studio: Studio,
  answers: { url: string; token: string; role: string; name: string },
): Promise<void> {
  await studio.inputBox(answers.url);
  await studio.inputBox(answers.token);
  await studio.quickPick(answers.role);
  await studio.inputBox(answers.name);
  await studio.inputBox('');
}

const tokenOf = (sandbox: TestSandbox): string => sandbox.env['DATAMODEL_STUDIO_SANDBOX_TOKEN'] ?? '';

journey('a connection is added, edited, signed out, signed in and removed', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const token = tokenOf(sandbox);
  const studio = await openStudio();
  await studio.openView();
  await studio.welcomeAction('Add a connection');
  await studio.inputBox('not an address');
  await studio.quickInput.message(/This is not an address/);
  await answerForm(studio, { url: sandbox.url, token, role: 'development', name: 'Analytics' });
  await studio.notification('Analytics works: the server accepts the token.');
  await studio.treeItem(['Analytics', 'Datamodels', 'Retail']);
  await studio.screenshot('connection-added');

  await studio.runCommand('Datamodel Studio: Edit Connection…');
  await answerForm(studio, { url: sandbox.url, token: '', role: 'staging', name: 'Analytics EU' });
  await studio.notification('Analytics EU works: the server accepts the token.');

  await studio.runCommand('Datamodel Studio: Sign Out');
  await studio.expand(['Analytics EU', 'Datamodels']);
  await studio.treeItem(['Analytics EU', 'Datamodels', 'Signed out']);
  await studio.screenshot('connection-signed-out');

  await studio.runCommand('Datamodel Studio: Sign In…');
  await studio.inputBox('wrong-token');
  await studio.notification(/Analytics EU was saved but does not work yet/);
  await studio.notificationAction(/does not work yet/, 'Sign In…');
  await studio.inputBox(token);
  await studio.notification('Analytics EU works: the server accepts the token.');
  await studio.treeItem(['Analytics EU', 'Datamodels', 'Retail']);

  await studio.runCommand('Datamodel Studio: Show Log');
  await studio.page.locator('.part.panel', { hasText: 'datamodels.list' }).first().waitFor();
  const userData = join(dirname(studio.workspace), 'server');
  assert.deepEqual(await filesWith(userData, token), [], 'the token is in no file of the user data folder');
  assert.notDeepEqual(
    await filesWith(userData, 'datamodels.list'),
    [],
    'the log is among the searched files',
  );

  const stored = await browserStorage(studio.page);
  assert.deepEqual(
    stored
      .filter(({ key, text }) => !/secret/i.test(key) && text.includes(token))
      .map(({ place, key }) => [place, key]),
    [],
    'the token is in no settings and no state',
  );
  assert.ok(
    stored.some(({ text }) => text.includes('Analytics EU')),
    'the global state is among what was searched',
  );

  await studio.runCommand('Datamodel Studio: Remove Connection…');
  await studio.dialogAction('Remove');
  await studio.page.getByRole('button', { name: 'Start Sandbox' }).waitFor();
});

journey('a production connection is written to only while it is unlocked', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio();
  await studio.openView();
  await studio.welcomeAction('Add a connection');
  await answerForm(studio, { url: sandbox.url, token: tokenOf(sandbox), role: 'production', name: 'Prod' });
  await studio.notification(/Prod works/);
  await studio.contextMenu(['Prod', 'Datamodels', 'Support Desk'], 'Build…');
  await studio.notification(/Starting the build failed: the connection is locked for writing/);
  await studio.screenshot('connection-locked');

  await studio.notificationAction(/Starting the build failed/, 'Unlock for Writing…');
  await studio.quickPick('15 minutes');
  await studio.inputBox('Production');
  await studio.quickInput.message('Type the name of the connection.');
  await studio.inputBox('Prod');
  await studio.contextMenu('Support Desk', 'Build…');
  await studio.statusBar(/Support Desk published/);

  await studio.contextMenu('Prod', 'Lock');
  await studio.contextMenu('Support Desk', 'Build…');
  await studio.notification(/Starting the build failed: the connection is locked for writing/);
  assert.equal((await builds(sandbox)).length, 1);

  await (await studio.statusBar('Prod')).click();
  await studio.quickPick('Unlock Prod for Writing…');
  await studio.quickPick('5 minutes');
});

async function builds(sandbox: TestSandbox): Promise<readonly unknown[]> {
  return (await sandbox.request('GET', '/api/v2/builds')) as unknown[];
}
