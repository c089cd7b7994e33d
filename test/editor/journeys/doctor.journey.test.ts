import assert from 'node:assert/strict';
import {
  closedPort,
  likeThePlatform,
  startServer,
  withLoginPage,
} from '../../integration/connections/servers.ts';
import { addConnectionInStudio } from '../support/connectionForm.ts';
import { waitUntilActive } from '../support/doctorList.ts';
import { startJourneySandbox } from '../support/journeySandbox.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import type { Studio } from '../support/studio.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env } };
});

/** Runs the connection test from the palette. */
async function testConnection(studio: Studio, name: string): Promise<void> {
  await studio.runCommand('Datamodel Studio: Test Connection…');
  await studio.quickPick(name);
}

journey('the connection test finds problems below HTTP', async ({ studio }) => {
  await using secure = await startServer(likeThePlatform, 'selfSigned');
  await using login = await startServer(withLoginPage);
  await studio.openView();
  await addConnectionInStudio(studio, { name: 'Nowhere', url: 'https://no-such-host.invalid' });
  await addConnectionInStudio(studio, { name: 'Closed', url: `http://127.0.0.1:${await closedPort()}` });
  await addConnectionInStudio(studio, { name: 'Selfish', url: `https://127.0.0.1:${secure.port}` });
  await addConnectionInStudio(studio, { name: 'Login', url: `http://127.0.0.1:${login.port}` });

  await testConnection(studio, 'Nowhere');
  await studio.quickInput.shows(/Failed: (the name no-such-host.invalid is not known|nobody could be asked)/);
  await studio.quickInput.shows(/Skipped: not looked at, since Name \(DNS\) failed/);
  await waitUntilActive(studio, /Failed:/);
  await studio.screenshot('doctor-unknown-host');
  await studio.quickInput.cancel();

  await testConnection(studio, 'Closed');
  await studio.quickInput.shows(/Network \(TCP\)Failed: nobody accepts connections at port/);
  await studio.quickInput.cancel();

  await testConnection(studio, 'Login');
  await studio.quickInput.shows(/Failed: a web page answers in place of the platform/);
  await studio.quickInput.shows(/Please log in/);
  await studio.quickInput.cancel();

  await studio.contextMenu('Selfish', 'Test Connection…');
  await studio.quickInput.shows(/Failed: the server vouches for its certificate itself/);
  await studio.quickInput.shows(/self\.test · valid/);
  for (const theme of allThemes) {
    await studio.quickInput.cancel();
    await studio.setTheme(theme);
    await testConnection(studio, 'Selfish');
    await studio.quickInput.shows(/Failed: the server vouches/);
    await studio.screenshot(`doctor-self-signed-${theme}`);
  }
  await studio.quickPick('Open Certificate Settings');
  await studio.page.locator('.settings-editor').getByText('Certificate File').waitFor();
  assert.deepEqual(secure.requests, []);
});

journey('the test shows the user of a token, and a new token helps', async ({ studio, sandbox }) => {
  await studio.openView();
  await addConnectionInStudio(studio, { name: 'Analytics', url: sandbox.url, token: 'wrong-token' });

  await studio.contextMenu('Analytics', 'Test Connection…');
  await studio.quickInput.shows(/TokenFailed: the server does not accept it/);
  await studio.quickInput.shows(/Viewpoint ServiceOK: it runs/);
  await studio.screenshot('doctor-wrong-token');
  await studio.quickPick('Sign In…');
  await studio.inputBox(sandbox.userToken);
  // The test runs again after signing in, without being asked to.
  await studio.quickInput.shows(/TokenOK: the server accepts it/);
  await studio.quickInput.shows(/Warning: the user may not change data security rules/);
  await studio.screenshot('doctor-plain-user');
  await sandbox.request('PUT', '/sandbox/faults', {
    faults: [{ kind: 'status', status: 404, pathPrefix: '/api/v1/infusion' }],
  });
  await studio.quickPick('Run Again');
  await studio.quickInput.shows(/Warning: this instance has none/);
  await studio.quickInput.shows(/needs release L2023\.11 and the licensed feature assistant-apps/);
  await studio.screenshot('doctor-no-viewpoints');
  await studio.quickPick('Copy Report');
  await studio.statusBar('Report copied');
  await studio.quickInput.cancel();
  await studio.runCommand('File: New Untitled Text File');
  await studio.page.keyboard.press('ControlOrMeta+V');
  // The editor renders non-breaking spaces.
  const lines = await studio.editorShows(/Connection\stest\sof\sAnalytics\s\(development\)/);
  const report = await lines.innerText();
  assert.match(report, /Warning:\sViewpoint\sService:\sthis\sinstance\shas\snone/);
  assert.ok(!report.includes(sandbox.userToken), 'the report holds no token');
  await studio.screenshot('doctor-report');
  await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
});

journey(
  'a working connection is reported as such, and a locked one is sent no writes',
  async ({ studio, sandbox }) => {
    await studio.openView();
    await addConnectionInStudio(studio, {
      name: 'Prod',
      url: sandbox.url,
      token: sandbox.adminToken,
      role: 'production',
    });
    await studio.contextMenu('Prod', 'Test Connection…');
    await studio.quickInput.shows(/Skipped: not asked: it takes a write, and the connection is locked/);
    await studio.page.getByPlaceholder('The connection works.').waitFor();
    await studio.screenshot('doctor-locked');
    await studio.quickPick('Unlock for Writing…');
    await studio.quickPick('15 minutes');
    await studio.inputBox('Prod');
    await studio.quickInput.shows(/AdministratorOK: the user may change data security rules/);
    await studio.screenshot('doctor-in-order');
  },
);
