import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { describeOnSandbox, describeStudio } from './support/suite.ts';
import { waitFor } from './support/waiting.ts';

describeOnSandbox('activation', (test) => {
  test('registers every command of the manifest', async ({ studio }) => {
    const declared = studio.manifest.commandIds;
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(declared.length > 0);
    assert.deepEqual(
      declared.filter((command) => !registered.has(command)),
      [],
    );
  });
});

describeStudio(
  'activation with a connection',
  async (disposables) => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.setHeader('content-type', 'application/json').end('[]');
    });
    disposables.defer(() => {
      server.close();
      server.closeAllConnections();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    // Show a view other than the extension's.
    await vscode.commands.executeCommand('workbench.view.explorer');
    const env = {
      DATAMODEL_STUDIO_SANDBOX_URL: `http://127.0.0.1:${port}`,
      DATAMODEL_STUDIO_SANDBOX_TOKEN: 'a-token',
    };
    return { options: { env }, requests };
  },
  (test) => {
    test('sends no requests until the view is shown', async ({ studio, requests }) => {
      // The editor has run a command of the extension, so activation is complete.
      await vscode.commands.executeCommand('datamodelStudio.log.show');
      await studio.waitForStatusBarItem('Sandbox (development)');
      assert.deepEqual(requests, []);
      await studio.openExplorer();
      await waitFor(
        () => requests.length > 0,
        () => 'The view sends no request',
      );
      await studio.findTreeItem(['Sandbox', 'Datamodels', /No datamodels yet/]);
      assert.deepEqual(requests, ['GET /api/v2/datamodels']);
    });
  },
);
