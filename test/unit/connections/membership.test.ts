import { expect, test } from 'vitest';
import { findMembership } from '../../../src/connections/findMembership.ts';
import { Directory, type DirectorySources } from '../../../src/catalog/people/directory.ts';
import type { MemoryResponse } from '../../fakes/memoryTransport.ts';
import { json, makeClient } from '../client/support.ts';
import { nothing, only, rule } from '../security/rules.ts';

const sales = rule({ id: '1', ...only('North') }, 'group:sales');
const own = rule({ id: '2', ...only('South') }, 'user:anna');
const others = rule({ id: '3', ...nothing }, 'default');
const rules = [sales, own, others];
const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const seen = [{ type: 'user', value: 'anna', isId: true }] as const;

async function found(
  user: string,
  {
    parts = {},
    answer = json([]),
    subject = extract,
  }: {
    parts?: DirectorySources;
    answer?: MemoryResponse;
    subject?: Parameters<typeof findMembership>[2]['subject'];
  },
) {
  const { client, transport } = makeClient(answer);
  const directory = new Directory({ references: seen, ...parts });
  return [await findMembership({ client, directory }, user, { subject, rules }), transport.lines];
}

test('the instance has priority, then the imported list, and nothing else is requested', async () => {
  const users = {
    isComplete: true,
    items: [{ id: 'u1', name: 'ben', aliases: [], groupIds: ['sales'] }],
  };
  const imported = [
    { user: 'ben', groupIds: [] },
    { user: 'cleo', groupIds: ['sales'] },
  ];
  expect(await found('ben', { parts: { users, importedMembers: imported } })).toEqual([
    { id: 'u1', groupIds: ['sales'], source: 'instance' },
    [],
  ]);
  expect(await found('cleo', { parts: { users, importedMembers: imported } })).toEqual([
    { id: 'cleo', groupIds: ['sales'], source: 'imported' },
    [],
  ]);
});

test('then the rules that the server lists for the user', async () => {
  expect(await found('anna', { answer: json([sales, own]) })).toEqual([
    { id: 'anna', groupIds: ['sales'], source: 'rules' },
    ['GET /api/elasticubes/LocalHost/Retail/anna/datasecurity'],
  ]);
});

test.each<[string, MemoryResponse]>([
  ['an empty list', json([])],
  ['null', json(null)],
  ['a refusal', json({}, 404)],
  ['a web page', { body: '<html></html>', headers: { 'content-type': 'text/html' } }],
  ['rules that cannot be read', json([{ table: 1 }])],
])('%s leaves the groups unknown', async (_name, answer) => {
  const [membership] = await found('anna', { answer });
  expect(membership).toEqual({ id: 'anna', resolution: { kind: 'known', id: 'anna', name: 'anna' } });
});

test('a live datamodel has no such list, and a text without a party causes no request', async () => {
  const [membership, lines] = await found('anna', { subject: { kind: 'live', title: 'Support' } });
  expect([membership, lines]).toMatchObject([{ id: 'anna', resolution: { kind: 'known' } }, []]);
  expect(await found('ana', {})).toEqual([
    { id: 'ana', resolution: { kind: 'unknown', nearest: 'anna', isAbsent: false } },
    [],
  ]);
});
