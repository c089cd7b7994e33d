import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fixture from '../../fixtures/real-datamodel.json';
import { describeStudio } from '../support/suite.ts';

const responseBodies: Readonly<Record<string, unknown>> = {
  '/api/v2/datamodels/schema': [fixture],
  [`/api/v2/datamodels/${fixture.oid}/schema`]: fixture,
};

describeStudio(
  'a recorded datamodel',
  async (disposables) => {
    const requestedPaths: string[] = [];
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://server');
      requestedPaths.push(pathname);
      const body = responseBodies[pathname];
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? { title: 'Cannot GET' }));
    });
    disposables.defer(() => {
      server.close();
      server.closeAllConnections();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const env = {
      DATAMODEL_STUDIO_SANDBOX_URL: `http://127.0.0.1:${port}`,
      DATAMODEL_STUDIO_SANDBOX_TOKEN: 'token',
    };
    return { requestedPaths, options: { env } };
  },
  (test) => {
    test('is shown in the tree if the platform supports only the paths with /schema', async ({
      studio,
      requestedPaths,
    }) => {
      const datamodel = ['Sandbox', 'Datamodels', 'Sample ECommerce'];
      await studio.findTreeItem([...datamodel, 'Sample Country', 'Country', 'Country ID']);
      await studio.findTreeItem([...datamodel, 'Relations', /Commerce/]);
      // The list in both dialects, then the datamodel once, in the dialect that responded.
      assert.deepEqual(requestedPaths, [
        '/api/v2/datamodels',
        '/api/v2/datamodels/schema',
        `/api/v2/datamodels/${fixture.oid}/schema`,
      ]);
    });
  },
);
