import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { InstanceCatalog } from '../../../../src/catalog/instanceCatalog.ts';
import type { Session } from '../../../../src/connections/sessions.ts';
import { extractRuleSchema } from '../../../../src/contract/rule.ts';
import { json, createTestClient } from '../../client/support.ts';
import { fetchRules } from '../../../../src/features/access/fetchRules.ts';
import { createFakeCatalogSource } from '../../../fakes/fakeCatalogSource.ts';
import { createSession } from '../../../fakes/fakeSessions.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const northRule = { _id: '1', table: 'Stores', column: 'Region', datatype: 'text', members: ['North'] };

/** Creates a server with rules that the catalog has already cached. */
async function createServerWithCachedRules() {
  const server: { response: JsonValue } = { response: [northRule] };
  const rules = async () => {
    const { response } = server;
    return extractRuleSchema
      .array()
      .parse(Array.isArray(response) ? response : Object.values(response ?? {})[0]);
  };
  const catalog = new InstanceCatalog(createFakeCatalogSource({ rules }));
  await catalog.rules(subject);
  const openSession = (): Session =>
    createSession({ client: createTestClient(json(server.response)).client, catalog });
  return { server, openSession };
}

test('if a rule cannot be read, the cached rules are not used instead', async () => {
  const { server, openSession } = await createServerWithCachedRules();
  server.response = [northRule, { _id: '2', table: 'Stores', column: 7 }];
  await expect(fetchRules(openSession(), subject)).rejects.toThrow('column');
});

test('rules that the server wraps in an object are read, and not taken from the cache', async () => {
  const { server, openSession } = await createServerWithCachedRules();
  server.response = { rules: [{ ...northRule, members: ['South'] }], total: 1 };
  expect(await fetchRules(openSession(), subject)).toMatchObject([{ members: ['South'] }]);
});
