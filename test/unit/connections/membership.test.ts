import { expect, test } from 'vitest';
import { findMembership } from '../../../src/connections/findMembership.ts';
import { UserDirectory, type DirectorySources } from '../../../src/catalog/people/userDirectory.ts';
import type { MemoryResponse } from '../../fakes/memoryTransport.ts';
import { json, createTestClient } from '../client/support.ts';
import { nothing, only, rule } from '../security/rules.ts';

const salesRule = rule({ id: '1', ...only('North') }, 'group:sales');
const userRule = rule({ id: '2', ...only('South') }, 'user:anna');
const defaultRule = rule({ id: '3', ...nothing }, 'default');
const rules = [salesRule, userRule, defaultRule];
const extractSubject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const referencedParties = [{ type: 'user', value: 'anna', isId: true }] as const;

async function lookUp(
  user: string,
  {
    sources = {},
    answer = json([]),
    subject = extractSubject,
  }: {
    sources?: DirectorySources;
    answer?: MemoryResponse;
    subject?: Parameters<typeof findMembership>[2]['subject'];
  },
) {
  const { client, transport } = createTestClient(answer);
  const directory = new UserDirectory({ references: referencedParties, ...sources });
  return [await findMembership({ client, directory }, user, { subject, rules }), transport.requestLines];
}

test('the list of the instance has priority over the imported list, and no rules are requested', async () => {
  const users = {
    isComplete: true,
    items: [{ id: 'u1', name: 'ben', aliases: [], groupIds: ['sales'] }],
  };
  const imported = [
    { user: 'ben', groupIds: [] },
    { user: 'cleo', groupIds: ['sales'] },
  ];
  expect(await lookUp('ben', { sources: { users, importedMembers: imported } })).toEqual([
    { id: 'u1', groupIds: ['sales'], source: 'instance' },
    [],
  ]);
  expect(await lookUp('cleo', { sources: { users, importedMembers: imported } })).toEqual([
    { id: 'cleo', groupIds: ['sales'], source: 'imported' },
    [],
  ]);
});

test('without a list of users, the groups are inferred from the rules that the server lists for the user', async () => {
  expect(await lookUp('anna', { answer: json([salesRule, userRule]) })).toEqual([
    { id: 'anna', groupIds: ['sales'], source: 'rules', userRules: [salesRule, userRule] },
    ['GET /api/elasticubes/LocalHost/Retail/anna/datasecurity'],
  ]);
});

test.each<[string, MemoryResponse]>([
  ['an empty list', json([])],
  ['null', json(null)],
  ['a refusal', json({}, 404)],
  ['a web page', { body: '<html></html>', headers: { 'content-type': 'text/html' } }],
  ['rules that cannot be read', json([{ table: 1 }])],
])('%s in place of the rules for the user leaves the groups unknown', async (_name, answer) => {
  const [membership] = await lookUp('anna', { answer });
  expect(membership).toMatchObject({
    id: 'anna',
    resolution: { kind: 'known', id: 'anna', name: 'anna' },
  });
  expect(membership).not.toHaveProperty('groupIds');
});

test('no rules are requested for a live datamodel, or for a text that names no user', async () => {
  const [membership, lines] = await lookUp('anna', { subject: { kind: 'live', title: 'Support' } });
  expect([membership, lines]).toMatchObject([{ id: 'anna', resolution: { kind: 'known' } }, []]);
  expect(await lookUp('ana', {})).toEqual([
    { id: 'ana', resolution: { kind: 'unknown', nearest: 'anna', isAbsent: false } },
    [],
  ]);
});
