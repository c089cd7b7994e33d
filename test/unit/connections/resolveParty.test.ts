import { expect, test } from 'vitest';
import { resolveParty, type ResolvedParty } from '../../../src/connections/resolveParty.ts';
import { UserDirectory } from '../../../src/catalog/people/userDirectory.ts';
import { json, createTestClient } from '../client/support.ts';

const unreportedId = '0b6df0a77f96d4b73c572389';
const groupsByName: Readonly<Record<string, unknown>> = {
  Sales: [{ _id: 'g1' }],
  Twins: [{ _id: 'g1' }, { _id: 'g2' }, { _id: 'g1' }],
};
const users = { isComplete: true, items: [{ id: 'u1', name: 'anna', aliases: [] }] };

async function resolve(
  type: 'user' | 'group',
  text: string,
  parts = {},
  options = {},
): Promise<[ResolvedParty, number]> {
  const { client, transport } = createTestClient(({ url }) =>
    json(groupsByName[new URL(url).searchParams.get('name') ?? ''] ?? []),
  );
  const directory = new UserDirectory({ users, ...parts });
  return [await resolveParty({ directory, client }, { type, text }, options), transport.requests.length];
}

test.each([
  ['user', 'anna', { kind: 'found', id: 'u1', name: 'anna', isUnreported: false }, 0],
  ['user', unreportedId, { kind: 'found', id: unreportedId, name: unreportedId, isUnreported: true }, 0],
  ['user', 'ana', { kind: 'unknown', nearest: 'anna', isAbsent: true }, 0],
  ['group', ' Sales ', { kind: 'found', id: 'g1', name: 'Sales', isUnreported: false }, 1],
  ['group', 'Twins', { kind: 'several', ids: ['g1', 'g2'] }, 1],
  ['group', 'Nobody', { kind: 'unknown', nearest: undefined, isAbsent: false }, 1],
  ['group', ' ', { kind: 'unknown', nearest: undefined, isAbsent: false }, 0],
] as const)('the %s "%s" is resolved', async (type, text, expected, requests) => {
  expect(await resolve(type, text)).toEqual([expected, requests]);
});

test('a group that is missing from the complete list of the instance is not looked up', async () => {
  const groups = { isComplete: true, items: [{ id: 'g2', name: 'Sale' }] };
  expect(await resolve('group', 'Sales', { groups })).toEqual([
    { kind: 'unknown', nearest: 'Sale', isAbsent: true },
    0,
  ]);
});

test('a typed name is looked up although the list lacks it: the group may be newer', async () => {
  const parts = {
    groups: { isComplete: true, items: [{ id: 'g2', name: 'Sale' }] },
    users: { isComplete: true, items: [] },
  };
  const options = { asksServerIfUnlisted: true };
  expect(await resolve('group', 'Sales', parts, options)).toEqual([
    { kind: 'found', id: 'g1', name: 'Sales', isUnreported: false },
    1,
  ]);
  expect(await resolve('group', 'Salez', parts, options)).toEqual([
    { kind: 'unknown', nearest: 'Sale', isAbsent: true },
    1,
  ]);
  // Users cannot be looked up by name.
  expect(await resolve('user', 'nobody', parts, options)).toEqual([
    { kind: 'unknown', nearest: undefined, isAbsent: true },
    0,
  ]);
});
