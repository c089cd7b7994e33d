import { expect, test } from 'vitest';
import { createUserDirectory } from '../../../src/connections/createUserDirectory.ts';
import { findMembership } from '../../../src/connections/findMembership.ts';
import { readUsersAndGroups } from '../../../src/connections/readUsersAndGroups.ts';
import { effectiveAccess } from '../../../src/security/index.ts';
import { useSandbox } from '../client/sandboxFixture.ts';
import { createRealClient } from '../client/realClient.ts';

const platform = useSandbox();
const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const chiara = 'chiara.rossi@sandbox.local';
const jonas = 'jonas.berg@sandbox.local';

async function readMembership(token: string, user: string) {
  const { client, log } = createRealClient(platform.sandbox.url, token);
  const rules = (await client.extractRules.list(retail)).value;
  const directory = createUserDirectory({ ...(await readUsersAndGroups(client, log)) }, undefined);
  const found = await findMembership({ client, directory }, user, { subject: retail, rules });
  client.dispose();
  return { found, rules, directory };
}

test('an instance that lists its users reports their groups, and so their access', async () => {
  const { found, rules, directory } = await readMembership(platform.sandbox.adminToken, chiara);
  const names = found.groupIds?.map((id) => directory.getName('group', id));
  expect([names?.toSorted(), 'source' in found && found.source]).toEqual([
    ['Sales', 'Sales South'],
    'instance',
  ]);
  const party = { userId: found.id, groupIds: found.groupIds ?? [] };
  const region = effectiveAccess(rules, party, { groups: 'intersection' }).find(
    ({ table, column }) => table === 'Regions' && column === 'Region',
  );
  expect(region).toMatchObject({ verdict: 'only', values: ['South'] });
});

test('if an instance refuses to list its users, the groups of a user are inferred from the rules', async () => {
  const { directory } = await readMembership(platform.sandbox.adminToken, jonas);
  const resolved = directory.resolve('user', jonas);
  const id = 'id' in resolved ? resolved.id : '';
  const { found, rules } = await readMembership(platform.sandbox.userToken, id);
  expect(found).toMatchObject({ id, source: 'rules' });
  const segment = effectiveAccess(rules, { userId: id, groupIds: found.groupIds ?? [] }).find(
    ({ table, column }) => table === 'Customers' && column === 'Segment',
  );
  expect(segment).toMatchObject({ verdict: 'only', values: ['Club'] });
});
