import assert from 'node:assert/strict';
import {
  closedPort,
  likeThePlatform,
  startServer,
  startSilence,
  withLoginPage,
} from '../../integration/connections/servers.ts';
import { addConnection } from '../support/connectionForm.ts';
import { journey } from '../support/journey.ts';
import { openSandbox } from '../support/sandbox.ts';
import type { Studio } from '../support/studio.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];
const testCommand = 'Datamodel Studio: Test Connection…';

/** Runs the doctor from the palette. */
async function testConnection(studio: Studio, name: string): Promise<void> {
  await studio.runCommand(testCommand);
  await studio.quickPick(name);
}

/** Whether the row with the text is the one that Enter would choose. */
async function isActive(studio: Studio, text: RegExp): Promise<boolean> {
  const row = await studio.quickInput.shows(text);
  return (await row.getAttribute('class'))?.split(' ').includes('focused') === true;
}

journey('the doctor finds what is wrong below HTTP', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  await using secure = await startServer(likeThePlatform, 'selfSigned');
  await using login = await startServer(withLoginPage);
  const studio = await openStudio({ env: sandbox.env });
  await studio.openView();
  await addConnection(studio, { name: 'Nowhere', url: 'https://no-such-host.invalid' });
  await addConnection(studio, { name: 'Closed', url: `http://127.0.0.1:${await closedPort()}` });
  await addConnection(studio, { name: 'Selfish', url: `https://127.0.0.1:${secure.port}` });
  await addConnection(studio, { name: 'Login', url: `http://127.0.0.1:${login.port}` });

  await testConnection(studio, 'Nowhere');
  await studio.quickInput.shows(/Failed: (the name no-such-host.invalid is not known|nobody could be asked)/);
  await studio.quickInput.shows(/Skipped: not looked at, since Name \(DNS\) failed/);
  assert.ok(await isActive(studio, /Failed:/));
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

journey('the doctor tells whose token it is, and a new one helps', async ({ openStudio }) => {
  await using sandbox = await openSandbox();
  const studio = await openStudio();
  await studio.openView();
  await addConnection(studio, { name: 'Analytics', url: sandbox.url, token: 'wrong-token' });

  await studio.contextMenu('Analytics', 'Test Connection…');
  await studio.quickInput.shows(/TokenFailed: the server does not accept it/);
  await studio.quickInput.shows(/Viewpoint ServiceOK: it runs/);
  await studio.screenshot('doctor-wrong-token');
  await studio.quickPick('Sign In…');
  await studio.inputBox(sandbox.userToken);
  // What came of it is told by another test, without being asked for.
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
  // The editor draws blanks that do not break.
  const lines = await studio.editorShows(/Connection\stest\sof\sAnalytics\s\(development\)/);
  const report = await lines.innerText();
  assert.match(report, /Warning:\sViewpoint\sService:\sthis\sinstance\shas\snone/);
  assert.ok(!report.includes(sandbox.userToken), 'the report holds no token');
  await studio.screenshot('doctor-report');
});

journey('a dead proxy is found and its settings are opened, by keyboard alone', async ({ openStudio }) => {
  const proxy = `http://anna:pass@127.0.0.1:${await closedPort()}`;
  const studio = await openStudio({ settings: { 'http.proxy': proxy } });
  await addConnection(studio, { name: 'Behind', url: 'https://analytics.test' });
  const { keyboard } = studio.page;
  await keyboard.press('F1');
  await keyboard.type('Test Connection');
  await studio.quickInput.shows(/Test Connection…/);
  await keyboard.press('Enter');
  await studio.quickInput.shows(/Network \(TCP\)Failed: nobody accepts connections/);
  const facts = await studio.quickInput.shows(/through the proxy http:\/\/127\.0\.0\.1:\d+ of the setting/);
  assert.doesNotMatch(await facts.innerText(), /anna|pass/);
  assert.ok(await isActive(studio, /Network \(TCP\)/));
  await studio.screenshot('doctor-dead-proxy');
  await keyboard.press('Enter');
  await studio.page
    .locator('.settings-editor .setting-item-label', { hasText: /^Proxy$/ })
    .first()
    .waitFor();
});

journey(
  'a connection in order is told so, and one that refuses writes is sent none',
  async ({ openStudio }) => {
    await using sandbox = await openSandbox();
    const studio = await openStudio();
    await studio.openView();
    await addConnection(studio, {
      name: 'Prod',
      url: sandbox.url,
      token: sandbox.adminToken,
      role: 'production',
    });
    await studio.runCommand(testCommand);
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

journey('a test that hangs is cancelled', async ({ openStudio }) => {
  await using silence = await startSilence();
  // Long enough to be cancelled on a busy machine, and short enough to be waited for.
  const studio = await openStudio({ settings: { 'datamodelStudio.network.requestTimeout': 10 } });
  await addConnection(studio, { name: 'Silent', url: `http://127.0.0.1:${silence.port}` });
  await studio.runCommand(testCommand);
  await studio.quickInput.shows(/Platform \(HTTP\)Failed: it took too long/);
  await studio.quickInput.cancel();
  await studio.runCommand(testCommand);
  await studio.notification(/Testing Silent: Platform \(HTTP\)/);
  await studio.screenshot('doctor-progress');
  await studio.notificationAction(/Testing Silent/, 'Cancel');
  await studio.notificationGone(/Testing Silent/);
});
