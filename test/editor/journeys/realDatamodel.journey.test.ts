import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { journey } from '../support/journey.ts';

const fixture = readFileSync(join(projectRoot, 'test', 'fixtures', 'real-datamodel.json'), 'utf8');
const { oid } = JSON.parse(fixture) as { oid: string };

journey(
  'a real response of the platform is shown in the tree, in the dialect with /schema',
  async ({ openStudio }) => {
    const answers: Readonly<Record<string, string>> = {
      '/api/v2/datamodels/schema': `[${fixture}]`,
      [`/api/v2/datamodels/${oid}/schema`]: fixture,
    };
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://server');
      asked.push(url.pathname);
      const answer = answers[url.pathname];
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(answer ?? '{"title":"Cannot GET"}');
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
        DATAMODEL_STUDIO_SANDBOX_TOKEN: 'token',
      },
    });
    await studio.openView();
    await studio.treeItem([
      'Sandbox',
      'Datamodels',
      'Sample ECommerce',
      'Sample Country',
      'Country',
      'Country ID',
    ]);
    await studio.treeItem(['Sample ECommerce', 'Relations', /Commerce/]);
    await studio.screenshot('real-datamodel');
    // The list in both dialects, then the datamodel once, in the dialect that responded.
    assert.deepEqual(asked.slice(0, 3), [
      '/api/v2/datamodels',
      '/api/v2/datamodels/schema',
      `/api/v2/datamodels/${oid}/schema`,
    ]);
    assert.equal(asked.length, 3);
  },
);
