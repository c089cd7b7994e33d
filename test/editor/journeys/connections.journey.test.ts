import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { readBrowserStorage } from '../support/browserStorage.ts';
import { addConnectionInStudio, removeConnectionsInStudio } from '../support/connectionForm.ts';
import { findFilesContaining } from '../support/findFiles.ts';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';

const journey = createSharedStudio(async (owned) => ({
  sandbox: owned.use(await startJourneySandbox()),
  options: {},
}));

/** Answers the prompts for a new connection, by keyboard alone. */
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

async function builds(sandbox: JourneySandbox): Promise<readonly unknown[]> {
  return (await sandbox.request('GET', '/api/v2/builds')) as unknown[];
}

journey('a connection is added, edited, signed out, signed in and removed', async ({ studio, sandbox }) => {
  const token = sandbox.adminToken;
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
  assert.deepEqual(
    await findFilesContaining(userData, token),
    [],
    'the token is in no file of the user data folder',
  );
  assert.notDeepEqual(
    await findFilesContaining(userData, 'datamodels.list'),
    [],
    'the log is among the searched files',
  );

  const stored = await readBrowserStorage(studio.page);
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

journey('connections show their roles and locks, in every theme', async ({ studio, sandbox }) => {
  await studio.openView();
  const roles = ['production', 'staging', 'read-only'] as const;
  for (const role of roles) {
    await addConnectionInStudio(studio, {
      name: `The ${role} one`,
      url: sandbox.url,
      token: sandbox.adminToken,
      role,
    });
  }
  const production = await studio.treeItem('The production one');
  assert.match(await production.innerText(), /production, locked/);
  await production
    .locator('.monaco-icon-label.monaco-decoration-iconBadge-0, .monaco-icon-label')
    .first()
    .waitFor();
  // Only one of the three has a lock, so there is nothing to choose.
  await studio.runCommand('Datamodel Studio: Unlock for Writing…');
  await studio.quickInput.title('Unlock The production one for Writing');
  await studio.quickPick('15 minutes');
  await studio.inputBox('The production one');
  await studio.page.locator('.part.sidebar .monaco-list-row', { hasText: 'production, unlocked' }).waitFor();
  for (const theme of ['light', 'dark', 'hc'] as const) {
    await studio.setTheme(theme);
    await studio.screenshot(`explorer-roles-${theme}`);
  }
  await studio.tree.inlineAction('The production one', 'Lock');
  await studio.page.locator('.part.sidebar .monaco-list-row', { hasText: 'production, locked' }).waitFor();
  await removeConnectionsInStudio(
    studio,
    roles.map((role) => `The ${role} one`),
  );
});

journey('a production connection is written to only while it is unlocked', async ({ studio, sandbox }) => {
  await studio.openView();
  await studio.welcomeAction('Add a connection');
  await answerForm(studio, { url: sandbox.url, token: sandbox.adminToken, role: 'production', name: 'Prod' });
  await studio.notification(/Prod works/);
  await studio.contextMenu(['Prod', 'Datamodels', 'Support Desk'], 'Build…');
  await studio.notification(/Starting the build failed: Prod is locked for writing/);
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
  await studio.notification(/Starting the build failed: Prod is locked for writing/);
  assert.equal((await builds(sandbox)).length, 1);

  await (await studio.statusBar('Prod')).click();
  await studio.quickPick('Unlock Prod for Writing…');
  await studio.quickPick('5 minutes');
});
