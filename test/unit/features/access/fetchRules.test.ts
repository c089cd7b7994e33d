import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { InstanceCatalog, type CatalogSource } from '../../../../src/catalog/instanceCatalog.ts';
import type { Session } from '../../../../src/connections/sessions.ts';
import { extractRuleSchema } from '../../../../src/contract/rule.ts';
import { json, makeClient } from '../../client/support.ts';
import { fetchRules } from '../../../../src/features/access/fetchRules.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const north = { _id: '1', table: 'Stores', column: 'Region', datatype: 'text', members: ['North'] };

/** A server with rules, which the explorer has listed. */
async function listed() {
  const server: { answers: JsonValue } = { answers: [north] };
  const rules = async () => {
    const { answers } = server;
    return extractRuleSchema
      .array()
      .parse(Array.isArray(answers) ? answers : Object.values(answers ?? {})[0]);
  };
  const catalog = new InstanceCatalog({ rules } as unknown as CatalogSource);
  await catalog.rules(subject);
  const session = (): Session =>
    ({ client: makeClient(json(server.answers)).client, catalog }) as unknown as Session;
  return { server, session };
}

test('if some rules cannot be read, the previous ones are not used', async () => {
  const { server, session } = await listed();
  server.answers = [north, { _id: '2', table: 'Stores', column: 7 }];
  await expect(fetchRules(session(), subject)).rejects.toThrow('column');
});

test('rules in a list within an object are the current ones', async () => {
  const { server, session } = await listed();
  server.answers = { rules: [{ ...north, members: ['South'] }], total: 1 };
  expect(await fetchRules(session(), subject)).toMatchObject([{ members: ['South'] }]);
});
