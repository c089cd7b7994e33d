import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  respondLikePlatform,
  startServer,
  startSilentServer,
  respondWithLoginPage,
} from '../../integration/connections/servers.ts';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import { closedPort } from '../../support/testServer.ts';
import { addConnection } from '../support/connections.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, describeWithUnconnectedSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const openSettings = 'workbench.action.openSettings';

/** Runs the connection test from the palette. */
async function testConnection(studio: HostStudio, name: string): Promise<void> {
  await studio.runCommand('Datamodel Studio: Test Connection…');
  await studio.quickInput.waitForMessage('Select the connection to test');
  await studio.selectQuickPick(name);
}

describeStudio(
  'the connection test without a connection',
  async () => ({ options: {} }),
  (test) => {
    test('reports that there is no connection', async ({ studio }) => {
      await studio.runCommand('Datamodel Studio: Test Connection…');
      await studio.waitForNotification('No connections found. Add a connection or start the sandbox.');
    });
  },
);

describeWithUnconnectedSandbox('the connection test', (test) => {
  test('finds problems with DNS, TCP and TLS, and pages that are not the API', async ({ studio }) => {
    await using secure = await startServer(respondLikePlatform, 'selfSigned');
    await using login = await startServer(respondWithLoginPage);
    await addConnection(studio, { name: 'Nowhere', url: 'https://no-such-host.invalid' });
    await addConnection(studio, { name: 'Closed', url: `http://127.0.0.1:${closedPort}` });
    await addConnection(studio, { name: 'Selfish', url: `https://127.0.0.1:${secure.port}` });
    await addConnection(studio, { name: 'Login', url: `http://127.0.0.1:${login.port}` });

    await testConnection(studio, 'Nowhere');
    await studio.quickInput.waitForTitle('Connection Test: Nowhere');
    await studio.quickInput.waitForMessage(
      "The connection doesn't work: Name (DNS). The failed step shows what to do.",
    );
    // If no name server can be reached, the connection test reports that instead.
    await studio.quickInput.waitForRow(
      /Failed: (can't resolve the name no-such-host\.invalid|no DNS server responded)/,
    );
    await studio.quickInput.waitForRow(/Skipped: Name \(DNS\) failed/);
    await studio.quickInput.waitForActiveRow(/Name \(DNS\)\nFailed:/);
    await studio.quickInput.cancel();

    await testConnection(studio, 'Closed');
    await studio.quickInput.waitForRow(/Network \(TCP\)\nFailed: connection refused on port/);
    await studio.quickInput.cancel();

    await testConnection(studio, 'Login');
    await studio.quickInput.waitForRow(
      /Platform \(HTTP\)\nFailed: a web page was returned instead of a response from the platform/,
    );
    await studio.quickInput.waitForRow(/Please log in/);
    await studio.quickInput.cancel();

    await studio.chooseFromContextMenu('Selfish', 'Test Connection…');
    await studio.quickInput.waitForRow(/Failed: the certificate is self-signed/);
    await studio.quickInput.waitForRow(/self\.test · valid/);
    await studio.quickInput.waitForActiveRow(/Encryption \(TLS\)/);
    await studio.selectQuickPick('Open Certificate Settings');
    await studio.waitForEditor('Settings');
    assert.deepEqual(studio.getCommandRuns(openSettings), [['@id:datamodelStudio.network.certificateFile']]);
    assert.deepEqual(secure.requests, []);
  });

  test('names the setting that turns off the check of certificates', async ({ studio }) => {
    await using secure = await startServer(respondLikePlatform, 'selfSigned');
    await studio.changeSetting('http.proxyStrictSSL', false);
    await addConnection(studio, { name: 'Unchecked', url: `https://127.0.0.1:${secure.port}` });
    await studio.chooseFromContextMenu('Unchecked', 'Test Connection…');
    await studio.quickInput.waitForRow(/Warning: the certificate isn't trusted, but .*proxyStrictSSL is off/);
    await studio.quickInput.waitForRow(
      'Others on the network could read the token. Turn the setting back on.',
    );
    await studio.quickInput.waitForMessage(/^The connection works, but with warnings: Encryption \(TLS\)/);
    await studio.quickInput.pressItemButton(/Encryption \(TLS\)/);
    await studio.waitForEditor('Settings');
    assert.deepEqual(studio.getCommandRuns(openSettings), [['@id:http.proxyStrictSSL']]);
  });

  test('offers to sign in with a new token, and then shows what its user may do', async ({
    studio,
    sandbox,
  }) => {
    await addConnection(studio, { name: 'Analytics', url: sandbox.url, token: 'wrong-token' });
    await studio.chooseFromContextMenu('Analytics', 'Test Connection…');
    await studio.quickInput.waitForRow(/Token\nFailed: the server rejected it\nSign in with a valid token\./);
    await studio.quickInput.waitForRow(/Viewpoint service\nOK: it's running/);
    await studio.selectQuickPick('Sign In…');
    await studio.submitInputBox(sandbox.userToken);
    // The test runs again after signing in, without being asked to.
    await studio.quickInput.waitForRow(/Token\nOK: the server accepted it/);
    await studio.quickInput.waitForRow(/Warning: the user can't change data security rules/);
    await sandbox.request('PUT', '/sandbox/faults', {
      faults: [{ kind: 'status', status: 404, pathPrefix: '/api/v1/infusion' }],
    });
    await studio.selectQuickPick('Run Again');
    await studio.quickInput.waitForRow(/Warning: not available on this instance/);
    await studio.quickInput.waitForRow(/requires version L2023\.11 and the licensed feature assistant-apps/);
    await studio.quickInput.waitForMessage(
      'The connection works, but with warnings: Administrator, Viewpoint service',
    );
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
    await studio.quickInput.pressButton('Run Again');
    await studio.quickInput.waitForRow(/Viewpoint service\nOK: it's running/);
  });

  test('has a report without tokens that can be copied and opened', async ({ studio, sandbox }) => {
    const fault = { kind: 'status', status: 404, pathPrefix: '/api/v1/infusion' };
    await addConnection(studio, { name: 'Reported', url: sandbox.url, token: sandbox.userToken });
    await sandbox.request('PUT', '/sandbox/faults', { faults: [fault] });
    await studio.chooseFromContextMenu('Reported', 'Test Connection…');
    await studio.quickInput.waitForRow(/Warning: not available on this instance/);
    await studio.selectQuickPick('Copy Report');
    await studio.waitForStatusBarItem('Report copied');
    const report = await vscode.env.clipboard.readText();
    assert.match(report, /^Connection test of Reported \(development\)\n\d{4}-\d\d-\d\dT/);
    assert.match(report, /Warning: Viewpoint service: not available on this instance/);
    assert.match(report, /Warning: Administrator: the user can't change data security rules/);
    assert.ok(!report.includes(sandbox.userToken), 'the report holds no token');
    // The list stays open for the next action.
    await vscode.env.clipboard.writeText('');
    await studio.quickInput.pressButton('Copy Report');
    await waitFor(
      async () => (await vscode.env.clipboard.readText()) === report,
      () => 'The report is not copied again',
    );
    await studio.selectQuickPick('Open Report');
    const { document } = await studio.waitForEditorText(/^Connection test of Reported/);
    assert.equal(document.getText(), report);
    assert.equal(document.languageId, 'plaintext');
    await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
  });

  test('sends no writes to a locked connection, and tests more once it is unlocked', async ({
    studio,
    sandbox,
  }) => {
    await using recorder = await startRecordingProxy(sandbox);
    await addConnection(studio, {
      name: 'Prod',
      url: recorder.url,
      token: sandbox.adminToken,
      role: 'production',
    });
    await studio.chooseFromContextMenu('Prod', 'Test Connection…');
    await studio.quickInput.waitForRow(
      /Administrator\nSkipped: not tested: it requires a write, and the connection is locked/,
    );
    await studio.quickInput.waitForMessage('The connection works.');
    const isWrite = (request: string): boolean => /^(POST|PUT|PATCH|DELETE) /.test(request);
    assert.deepEqual(recorder.takeRequests().filter(isWrite), []);
    await studio.selectQuickPick('Unlock for Writing…');
    await studio.selectQuickPick('15 minutes');
    await studio.submitInputBox('Prod');
    await studio.quickInput.waitForRow(/Administrator\nOK: the user can change data security rules/);
    // A click on a step without a problem does nothing.
    const item = await studio.quickInput.waitForRow(/Administrator\nOK/);
    const list = studio.quickInput.current;
    list?.choose([item]);
    assert.equal(studio.quickInput.current, list);
    assert.ok(recorder.takeRequests().some(isWrite));
  });

  test('lets the user edit a wrong address, and ends if the connection is removed meanwhile', async ({
    studio,
    sandbox,
  }) => {
    await addConnection(studio, { name: 'Mistyped', url: `http://127.0.0.1:${closedPort}` });
    await studio.chooseFromContextMenu('Mistyped', 'Test Connection…');
    await studio.quickInput.waitForRow(/Network \(TCP\)\nFailed/);
    await studio.selectQuickPick('Edit Connection…');
    await studio.submitInputBox(sandbox.url);
    await studio.submitInputBox(sandbox.adminToken);
    await studio.selectQuickPick('development');
    await studio.submitInputBox('Mistyped');
    await studio.submitInputBox('');
    await studio.quickInput.waitForMessage('The connection works.');
    await studio.chooseFromContextMenu('Mistyped', 'Remove Connection…');
    await studio.clickDialogAction('Remove');
    await waitFor(
      async () => !(await studio.tree.getChildLabels()).includes('Mistyped'),
      () => 'The connection stays',
    );
    await studio.selectQuickPick('Run Again');
    await waitFor(
      () => studio.quickInput.current === undefined,
      () => 'The test still runs',
    );
  });

  test('opens the log', async ({ studio, sandbox }) => {
    await addConnection(studio, { name: 'Logged', url: sandbox.url, token: sandbox.adminToken });
    await studio.chooseFromContextMenu('Logged', 'Test Connection…');
    await studio.quickInput.waitForMessage('The connection works.');
    await studio.selectQuickPick('Show Log');
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
      await studio.findTreeItem(['Sandbox', 'Datamodels', 'Retail']);
      await studio.runCommand('Datamodel Studio: Stop Sandbox');
      await studio.waitForNotification(/^The sandbox has stopped/);
      await studio.chooseFromContextMenu('Sandbox', 'Test Connection…');
      await studio.quickInput.waitForRow(
        /Address\nFailed: the sandbox isn't running\nStart the sandbox again\./,
      );
      assert.ok(!(await studio.quickInput.getLabels()).includes('Edit Connection…'));
      await studio.selectQuickPick('Start Sandbox');
      await studio.quickInput.waitForMessage('The connection works.');
    });
  },
);

describeStudio(
  'the connection test with network settings',
  async () => ({
    options: {
      settings: {
        'http.proxy': `http://anna:pass@127.0.0.1:${closedPort}`,
        'http.noProxy': ['127.0.0.1'],
      },
    },
  }),
  (test) => {
    test('finds a proxy that does not respond, and Enter opens the setting', async ({ studio }) => {
      await addConnection(studio, { name: 'Behind', url: 'https://analytics.test' });
      await studio.chooseFromContextMenu('Behind', 'Test Connection…');
      await studio.quickInput.waitForRow(/Network \(TCP\)\nFailed: connection refused/);
      const facts = await studio.quickInput.waitForRow(
        /through proxy http:\/\/127\.0\.0\.1:\d+ from the setting/,
      );
      assert.doesNotMatch(facts.description ?? '', /anna|pass/);
      await studio.quickInput.waitForActiveRow(/Network \(TCP\)/);
      await studio.quickInput.accept();
      await studio.waitForEditor('Settings');
      assert.deepEqual(studio.getCommandRuns(openSettings), [['http.proxy']]);
    });

    test('can be canceled while it waits for a response', async ({ studio }) => {
      await using silentServer = await startSilentServer();
      await studio.changeSetting('datamodelStudio.network.requestTimeout', 1);
      await addConnection(studio, { name: 'Silent', url: `http://127.0.0.1:${silentServer.port}` });
      await studio.chooseFromContextMenu('Silent', 'Test Connection…');
      await studio.quickInput.waitForRow(/Platform \(HTTP\)\nFailed: it took too long/);
      await studio.quickInput.cancel();
      await studio.changeSetting('datamodelStudio.network.requestTimeout', 600);
      await studio.chooseFromContextMenu('Silent', 'Test Connection…');
      await studio.waitForNotification('Testing Silent: Platform (HTTP)');
      await studio.clickNotificationAction('Testing Silent', 'Cancel');
      await studio.waitForNotificationGone('Testing Silent');
      assert.equal(studio.quickInput.current, undefined);
    });

    test('names a file of certificates that cannot be read', async ({ studio }) => {
      await using secure = await startServer(respondLikePlatform, 'signed');
      await studio.changeSetting('datamodelStudio.network.certificateFile', '/no/such/file.pem');
      await studio.runCommand('Datamodel Studio: Add Connection…');
      await studio.submitInputBox(`https://127.0.0.1:${secure.port}`);
      await studio.submitInputBox('some-token');
      await studio.selectQuickPick('development');
      await studio.submitInputBox('Certified');
      await studio.submitInputBox('');
      await studio.clickNotificationAction(
        /^Certified doesn't work yet\. .*Can't read \/no\/such\/file\.pem, the file in the setting datamodelStudio\.network\.certificateFile\. The file or its folder doesn't exist \(ENOENT\)\./,
        'Test Connection…',
      );
      await studio.quickInput.waitForRow(
        /Encryption \(TLS\)\nFailed: can't use the file with additional certificates/,
      );
      await studio.quickInput.waitForRow(/\/no\/such\/file\.pem/);
      assert.deepEqual(secure.requests, []);
    });
  },
);
