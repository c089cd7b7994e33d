import assert from 'node:assert/strict';
import { closedPort, startSilence } from '../../integration/connections/servers.ts';
import { addConnectionInStudio } from '../support/connectionForm.ts';
import { waitUntilActive } from '../support/doctorList.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';

const journey = createSharedStudio(async () => ({
  options: {
    settings: {
      'http.proxy': `http://anna:pass@127.0.0.1:${await closedPort()}`,
      'http.noProxy': ['127.0.0.1'],
      // Long enough to be canceled on a busy machine, and short enough to wait for.
      'datamodelStudio.network.requestTimeout': 10,
    },
  },
}));

journey('a dead proxy is found and its settings are opened, by keyboard alone', async ({ studio }) => {
  await addConnectionInStudio(studio, { name: 'Behind', url: 'https://analytics.test' });
  const { keyboard } = studio.page;
  await studio.quickInput.typeCommand('Test Connection');
  await studio.quickInput.shows(/Test Connection…/);
  await keyboard.press('Enter');
  await studio.quickInput.shows(/Network \(TCP\)Failed: nobody accepts connections/);
  const facts = await studio.quickInput.shows(/through the proxy http:\/\/127\.0\.0\.1:\d+ of the setting/);
  assert.doesNotMatch(await facts.innerText(), /anna|pass/);
  await waitUntilActive(studio, /Network \(TCP\)/);
  await studio.screenshot('doctor-dead-proxy');
  await keyboard.press('Enter');
  await studio.page
    .locator('.settings-editor .setting-item-label', { hasText: /^Proxy$/ })
    .first()
    .waitFor();
});

journey('a test that hangs is canceled', async ({ studio }) => {
  await using silence = await startSilence();
  await studio.openView();
  await addConnectionInStudio(studio, { name: 'Silent', url: `http://127.0.0.1:${silence.port}` });
  await studio.contextMenu('Silent', 'Test Connection…');
  await studio.quickInput.shows(/Platform \(HTTP\)Failed: it took too long/);
  await studio.quickInput.cancel();
  await studio.contextMenu('Silent', 'Test Connection…');
  await studio.notification(/Testing Silent: Platform \(HTTP\)/);
  await studio.screenshot('doctor-progress');
  await studio.notificationAction(/Testing Silent/, 'Cancel');
  await studio.notificationGone(/Testing Silent/);
});
