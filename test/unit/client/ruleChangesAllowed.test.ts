import { expect, test } from 'vitest';
import { createTestClient, getFailure, json } from './support.ts';

const subject = { server: 'LocalHost', elasticube: 'Retail' };
const rule = {
  table: 'Stores',
  column: 'Region',
  datatype: 'text',
  members: ['North'],
  allMembers: null,
  shares: [{ type: 'default' as const }],
};

test('a refused change of rules shows that the user is no administrator, and a later success that the user is one', async () => {
  let status = 403;
  const { client } = createTestClient(() => json(status === 200 ? [] : {}, status));
  expect(client.capabilities.allowsRuleChanges).toBeUndefined();
  await getFailure(client.extractRules.create(subject, [rule]));
  expect(client.capabilities.allowsRuleChanges).toBe(false);
  // Another failure says nothing about the user.
  status = 400;
  await getFailure(client.extractRules.create(subject, [rule]));
  expect(client.capabilities.allowsRuleChanges).toBe(false);
  status = 200;
  await client.extractRules.create(subject, [rule]);
  expect(client.capabilities.allowsRuleChanges).toBe(true);
});

test('a refused request that everyone may send shows nothing about the user', async () => {
  const { client } = createTestClient(json({}, 403));
  await getFailure(client.datamodels.create({ title: 'Retail', type: 'extract' }));
  await getFailure(client.extractRules.list(subject));
  expect(client.capabilities.allowsRuleChanges).toBeUndefined();
});
