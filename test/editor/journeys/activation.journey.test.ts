import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { journey } from '../support/journey.ts';

journey('activation sends no requests until the view is shown', async ({ openStudio }) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json').end('[]');
  });
  await using owned = new AsyncDisposableStack();
  owned.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const studio = await openStudio({
    env: {
      DATAMODEL_STUDIO_SANDBOX_URL: `http://127.0.0.1:${port}`,
      DATAMODEL_STUDIO_SANDBOX_TOKEN: 'a-token',
    },
  });
  // The command runs in the activated extension, so activation is complete once its output channel is shown.
  await studio.runCommand('Datamodel Studio: Show Log');
  await studio.page.locator('.part.panel', { hasText: 'Datamodel Studio' }).first().waitFor();
  assert.deepEqual(asked, []);
  await studio.openView();
  await studio.treeItem(['Sandbox', 'Datamodels', /No datamodels yet/]);
  assert.deepEqual(asked, ['GET /api/v2/datamodels']);
});
