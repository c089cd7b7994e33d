import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  findClosedPort,
  respondLikePlatform,
  startServer,
  startSilentServer,
  respondWithLoginPage,
} from '../../integration/connections/servers.ts';
import { addConnection } from '../support/connections.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, describeWithUnconnectedSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const openSettings = 'workbench.action.openSettings';

/** Runs the connection test from the palette. */
async function testConnection(studio: HostStudio, name: string): Promise<void> {
  await studio.runCommand('Datamodel Studio: Test Connection…');
  await studio.quickInput.message('Select the connection to test');
  await studio.quickPick(name);
}

describeStudio(
  'the connection test without a connection',
  async () => ({ options: {} }),
  (test) => {
    test('reports that there is no connection', async ({ studio }) => {
      await studio.runCommand('Datamodel Studio: Test Connection…');
      await studio.notification('No connections found. Add a connection or start the sandbox.');
    });
  },
);

describeWithUnconnectedSandbox('the connection test', (test) => {
  test('finds problems below HTTP', async ({ studio }) => {
    await using secure = await startServer(respondLikePlatform, 'selfSigned');
    await using login = await startServer(respondWithLoginPage);
    await addConnection(studio, { name: 'Nowhere', url: 'https://no-such-host.invalid' });
    await addConnection(studio, { name: 'Closed', url: `http://127.0.0.1:${await findClosedPort()}` });
    await addConnection(studio, { name: 'Selfish', url: `https://127.0.0.1:${secure.port}` });
    await addConnection(studio, { name: 'Login', url: `http://127.0.0.1:${login.port}` });

    await testConnection(studio, 'Nowhere');
    await studio.quickInput.title('Connection Test: Nowhere');
    await studio.quickInput.message(
      "The connection doesn't work: Name (DNS). Press Enter on a step to fix it.",
    );
    // If no name server can be reached, the connection test reports that instead.
    await studio.quickInput.shows(
      /Failed: (can't resolve the name no-such-host\.invalid|no DNS server responded)/,
    );
    await studio.quickInput.shows(/Skipped: Name \(DNS\) failed/);
    await studio.quickInput.active(/Name \(DNS\)\nFailed:/);
    await studio.quickInput.cancel();

    await testConnection(studio, 'Closed');
    await studio.quickInput.shows(/Network \(TCP\)\nFailed: connection refused at port/);
    await studio.quickInput.cancel();

    await testConnection(studio, 'Login');
    await studio.quickInput.shows(/Platform \(HTTP\)\nFailed: a web page responded instead of the platform/);
    await studio.quickInput.shows(/Please log in/);
    await studio.quickInput.cancel();

    await studio.contextMenu('Selfish', 'Test Connection…');
    await studio.quickInput.shows(/Failed: the certificate is self-signed/);
    await studio.quickInput.shows(/self\.test · valid/);
    await studio.quickInput.active(/Encryption \(TLS\)/);
    await studio.quickPick('Open Certificate Settings');
    await studio.openedEditor('Settings');
    assert.deepEqual(studio.getCommandRuns(openSettings), [['@id:datamodelStudio.network.certificateFile']]);
    assert.deepEqual(secure.requests, []);
  });

  test('the setting that turns off the check of certificates is named', async ({ studio }) => {
    await using secure = await startServer(respondLikePlatform, 'selfSigned');
    await studio.changeSetting('http.proxyStrictSSL', false);
    await addConnection(studio, { name: 'Unchecked', url: `https://127.0.0.1:${secure.port}` });
    await studio.contextMenu('Unchecked', 'Test Connection…');
    await studio.quickInput.shows(/Warning: the certificate isn't trusted, but .*proxyStrictSSL is off/);
    await studio.quickInput.shows('Others on the network could read the token. Turn the setting back on.');
    await studio.quickInput.message(/^The connection works\. Check: Encryption \(TLS\)/);
    await studio.quickInput.pressItemButton(/Encryption \(TLS\)/);
    await studio.openedEditor('Settings');
    assert.deepEqual(studio.getCommandRuns(openSettings), [['@id:http.proxyStrictSSL']]);
  });

  test('offers to sign in with a new token, and then shows what its user may do', async ({
    studio,
    sandbox,
  }) => {
    await addConnection(studio, { name: 'Analytics', url: sandbox.url, token: 'wrong-token' });
    await studio.contextMenu('Analytics', 'Test Connection…');
    await studio.quickInput.shows(/Token\nFailed: the server rejected it\nSign in with a valid token\./);
    await studio.quickInput.shows(/Viewpoint Service\nOK: it's running/);
    await studio.quickPick('Sign In…');
    await studio.inputBox(sandbox.userToken);
    // The test runs again after signing in, without being asked to.
    await studio.quickInput.shows(/Token\nOK: the server accepted it/);
    await studio.quickInput.shows(/Warning: the user can't change data security rules/);
    await sandbox.request('PUT', '/sandbox/faults', {
      faults: [{ kind: 'status', status: 404, pathPrefix: '/api/v1/infusion' }],
    });
    await studio.quickPick('Run Again');
    await studio.quickInput.shows(/Warning: not available on this instance/);
    await studio.quickInput.shows(/requires version L2023\.11 and the licensed feature assistant-apps/);
    await studio.quickInput.message('The connection works. Check: Administrator, Viewpoint Service');
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    await studio.quickInput.pressButton('Run Again');
    await studio.quickInput.shows(/Viewpoint Service\nOK: it's running/);
  });

  test('its report can be copied and opened, and holds no token', async ({ studio, sandbox }) => {
    const fault = { kind: 'status', status: 404, pathPrefix: '/api/v1/infusion' };
    await addConnection(studio, { name: 'Reported', url: sandbox.url, token: sandbox.userToken });
    await sandbox.request('PUT', '/sandbox/faults', { faults: [fault] });
    await studio.contextMenu('Reported', 'Test Connection…');
    await studio.quickInput.shows(/Warning: not available on this instance/);
    await studio.quickPick('Copy Report');
    await studio.statusBar('Report copied');
    const report = await vscode.env.clipboard.readText();
    assert.match(report, /^Connection test of Reported \(development\)\n\d{4}-\d\d-\d\dT/);
    assert.match(report, /Warning: Viewpoint Service: not available on this instance/);
    assert.match(report, /Warning: Administrator: the user can't change data security rules/);
    assert.ok(!report.includes(sandbox.userToken), 'the report holds no token');
    // The list stays open for the next action.
    await vscode.env.clipboard.writeText('');
    await studio.quickInput.pressButton('Copy Report');
    await waitFor(
      async () => (await vscode.env.clipboard.readText()) === report,
      () => 'The report is not copied again',
    );
    await studio.quickPick('Open Report');
    const { document } = await studio.editorShows(/^Connection test of Reported/);
    assert.equal(document.getText(), report);
    assert.equal(document.languageId, 'plaintext');
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
  });

  test('a locked connection is sent no writes, and is tested further once it is unlocked', async ({
    studio,
    sandbox,
  }) => {
    await addConnection(studio, {
      name: 'Prod',
      url: sandbox.url,
      token: sandbox.adminToken,
      role: 'production',
    });
    await studio.contextMenu('Prod', 'Test Connection…');
    await studio.quickInput.shows(
      /Administrator\nSkipped: not tested: it requires a write, and the connection is locked/,
    );
    await studio.quickInput.message('The connection works.');
    await studio.quickPick('Unlock for Writing…');
    await studio.quickPick('15 minutes');
    await studio.inputBox('Prod');
    await studio.quickInput.shows(/Administrator\nOK: the user can change data security rules/);
    // A step without a problem has no action.
    const item = await studio.quickInput.shows(/Administrator\nOK/);
    studio.quickInput.current?.choose([item]);
    await studio.quickInput.title('Connection Test: Prod');
  });

  test('a wrong address is edited from the test, which ends if the connection is removed meanwhile', async ({
    studio,
    sandbox,
  }) => {
    await addConnection(studio, { name: 'Mistyped', url: `http://127.0.0.1:${await findClosedPort()}` });
    await studio.contextMenu('Mistyped', 'Test Connection…');
    await studio.quickInput.shows(/Network \(TCP\)\nFailed/);
    await studio.quickPick('Edit Connection…');
    await studio.inputBox(sandbox.url);
    await studio.inputBox(sandbox.adminToken);
    await studio.quickPick('development');
    await studio.inputBox('Mistyped');
    await studio.inputBox('');
    await studio.quickInput.message('The connection works.');
    await studio.contextMenu('Mistyped', 'Remove Connection…');
    await studio.dialogAction('Remove');
    await waitFor(
      async () => !(await studio.tree.children()).includes('Mistyped'),
      () => 'The connection stays',
    );
    await studio.quickPick('Run Again');
    await waitFor(
      () => studio.quickInput.current === undefined,
      () => 'The test still runs',
    );
  });

  test('the log is opened from the test', async ({ studio, sandbox }) => {
    await addConnection(studio, { name: 'Logged', url: sandbox.url, token: sandbox.adminToken });
    await studio.contextMenu('Logged', 'Test Connection…');
    await studio.quickInput.message('The connection works.');
    await studio.quickPick('Show Log');
    await waitFor(
      () => studio.getCommandRuns('datamodelStudio.log.show').length === 1,
      () => 'The log is not shown',
    );
  });
});

describeStudio(
  'the connection test of the embedded sandbox',
  async () => ({ options: {} }),
  (test) => {
    test('starts a stopped sandbox', async ({ studio }) => {
      await studio.runCommand('Datamodel Studio: Start Sandbox');
      await studio.treeItem(['Sandbox', 'Datamodels', 'Retail']);
      await studio.runCommand('Datamodel Studio: Stop Sandbox');
      await studio.notification(/^The sandbox has stopped/);
      await studio.contextMenu('Sandbox', 'Test Connection…');
      await studio.quickInput.shows(/Address\nFailed: the sandbox isn't running\nStart the sandbox again\./);
      assert.ok(!(await studio.quickInput.labels()).includes('Edit Connection…'));
      await studio.quickPick('Start Sandbox');
      await studio.quickInput.message('The connection works.');
    });
  },
);

describeStudio(
  'the connection test with network settings',
  async () => ({
    options: {
      settings: {
        'http.proxy': `http://anna:pass@127.0.0.1:${await findClosedPort()}`,
        'http.noProxy': ['127.0.0.1'],
      },
    },
  }),
  (test) => {
    test('a dead proxy is found and its settings are opened by Enter', async ({ studio }) => {
      await addConnection(studio, { name: 'Behind', url: 'https://analytics.test' });
      await studio.contextMenu('Behind', 'Test Connection…');
      await studio.quickInput.shows(/Network \(TCP\)\nFailed: connection refused/);
      const facts = await studio.quickInput.shows(/through proxy http:\/\/127\.0\.0\.1:\d+ from the setting/);
      assert.doesNotMatch(facts.description ?? '', /anna|pass/);
      await studio.quickInput.active(/Network \(TCP\)/);
      await studio.quickInput.accept();
      await studio.openedEditor('Settings');
      assert.deepEqual(studio.getCommandRuns(openSettings), [['http.proxy']]);
    });

    test('a test that hangs is canceled', async ({ studio }) => {
      await using silence = await startSilentServer();
      await studio.changeSetting('datamodelStudio.network.requestTimeout', 1);
      await addConnection(studio, { name: 'Silent', url: `http://127.0.0.1:${silence.port}` });
      await studio.contextMenu('Silent', 'Test Connection…');
      await studio.quickInput.shows(/Platform \(HTTP\)\nFailed: it took too long/);
      await studio.quickInput.cancel();
      await studio.changeSetting('datamodelStudio.network.requestTimeout', 600);
      await studio.contextMenu('Silent', 'Test Connection…');
      await studio.notification('Testing Silent: Platform (HTTP)');
      await studio.notificationAction('Testing Silent', 'Cancel');
      await studio.notificationGone('Testing Silent');
      assert.equal(studio.quickInput.current, undefined);
    });

    test('a file of certificates that cannot be read is named', async ({ studio }) => {
      await using secure = await startServer(respondLikePlatform, 'signed');
      await studio.changeSetting('datamodelStudio.network.certificateFile', '/no/such/file.pem');
      await studio.runCommand('Datamodel Studio: Add Connection…');
      await studio.inputBox(`https://127.0.0.1:${secure.port}`);
      await studio.inputBox('some-token');
      await studio.quickPick('development');
      await studio.inputBox('Certified');
      await studio.inputBox('');
      await studio.notificationAction(/^Certified was saved .*\/no\/such\/file\.pem/, 'Test Connection…');
      await studio.quickInput.shows(
        /Encryption \(TLS\)\nFailed: can't use the file of additional certificates/,
      );
      await studio.quickInput.shows(/\/no\/such\/file\.pem/);
      assert.deepEqual(secure.requests, []);
    });
  },
);
