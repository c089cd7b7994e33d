import { expect, test } from 'vitest';
import { resolveParty, type ResolvedParty } from '../../../src/connections/resolveParty.ts';
import { Directory } from '../../../src/catalog/people/directory.ts';
import { json, makeClient } from '../client/support.ts';

const unheard = '0b6df0a77f96d4b73c572389';
const answers: Readonly<Record<string, unknown>> = {
  Sales: [{ _id: 'g1' }],
  Twins: [{ _id: 'g1' }, { _id: 'g2' }, { _id: 'g1' }],
};
const listed = { isComplete: true, items: [{ id: 'u1', name: 'anna', aliases: [] }] };

async function found(type: 'user' | 'group', text: string, parts = {}): Promise<[ResolvedParty, number]> {
  const { client, transport } = makeClient(({ url }) =>
    json(answers[new URL(url).searchParams.get('name') ?? ''] ?? []),
  );
  const directory = new Directory({ users: listed, ...parts });
  return [await resolveParty({ directory, client }, { type, text }), transport.requests.length];
}

test.each([
  ['user', 'anna', { kind: 'found', id: 'u1', name: 'anna', isUnreported: false }, 0],
  ['user', unheard, { kind: 'found', id: unheard, name: unheard, isUnreported: true }, 0],
  ['user', 'ana', { kind: 'unknown', nearest: 'anna', isAbsent: true }, 0],
  ['group', ' Sales ', { kind: 'found', id: 'g1', name: 'Sales', isUnreported: false }, 1],
  ['group', 'Twins', { kind: 'several', ids: ['g1', 'g2'] }, 1],
  ['group', 'Nobody', { kind: 'unknown', nearest: undefined, isAbsent: false }, 1],
  ['group', ' ', { kind: 'unknown', nearest: undefined, isAbsent: false }, 0],
] as const)('%s "%s"', async (type, text, expected, requests) => {
  expect(await found(type, text)).toEqual([expected, requests]);
});

test('a group that is missing from the complete list of the instance is not requested again', async () => {
  const groups = { isComplete: true, items: [{ id: 'g2', name: 'Sale' }] };
  expect(await found('group', 'Sales', { groups })).toEqual([
    { kind: 'unknown', nearest: 'Sale', isAbsent: true },
    0,
  ]);
});
