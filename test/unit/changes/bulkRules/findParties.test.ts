import { expect, test } from 'vitest';
import { findParties } from '../../../../src/changes/bulkRules/findParties.ts';
import { UserDirectory } from '../../../../src/catalog/people/userDirectory.ts';
import { getTablePartyKey } from '../../../../src/security/ruleTable/unresolvedParties.ts';
import type { TableParty } from '../../../../src/security/ruleTable/tableRule.ts';
import { type ParsedRuleTable, parseRuleTable } from '../../../../src/security/ruleTable/parseRuleTable.ts';
import { json, createTestClient } from '../../client/support.ts';

const annaId = '00000000000000000000a001';
const unknownId = '0b6df0a77f96d4b73c572389';
const directory = new UserDirectory({
  users: { isComplete: true, items: [{ id: annaId, name: 'anna@x.example', aliases: [] }] },
});
const current = [
  {
    table: 'Stores',
    column: 'Region',
    members: [],
    allMembers: true,
    shares: [
      { type: 'group', party: 'g1', partyName: 'Sales' },
      { type: 'group', party: 'g2', partyName: 'Twins' },
      { type: 'group', party: 'g3', partyName: 'Twins' },
    ],
  },
];

/** The groups that the instance looks up by name. */
const idsByName: Readonly<Record<string, readonly string[]>> = { Support: ['g9'], Pairs: ['g7', 'g8'] };

const createTable = (...parties: readonly string[]): ParsedRuleTable =>
  parseRuleTable(
    [
      'table,column,access,party type,party,party name',
      ...parties.map((party) => `Stores,Region,nothing,${party}`),
    ].join('\n'),
  );

async function findPartiesFor(
  parties: readonly string[],
  getSourceName?: (party: TableParty) => string | undefined,
) {
  const { client, transport } = createTestClient(({ url }) =>
    json((idsByName[new URL(url).searchParams.get('name') ?? ''] ?? []).map((_id) => ({ _id }))),
  );
  const lookUps: (readonly number[])[] = [];
  const result = await findParties({ client, directory }, createTable(...parties), {
    current,
    getSourceName,
    onLookUp: (done, total) => lookUps.push([done, total]),
    signal: new AbortController().signal,
  });
  return { ...result, lookUps, ids: Object.fromEntries(result.ids), requests: transport.requestLines.length };
}

const getPartyKey = (type: 'user' | 'group', name: string): string =>
  getTablePartyKey({ type, idOrName: name });

test('a name is resolved to an ID through the rules, the directory, or the server, if any of them has it', async () => {
  const { ids, groups, requests, closestNames, unreportedIds, ambiguousParties } = await findPartiesFor([
    'group,Sales',
    'user,anna@x.example',
    'group,Support',
    'group,Nobody',
    'group,Twins',
    'user,ana@x.example',
    `user,${unknownId}`,
    'default,',
  ]);
  expect(ids).toEqual({
    [getPartyKey('group', 'Sales')]: 'g1',
    [getPartyKey('user', 'anna@x.example')]: annaId,
    [getPartyKey('group', 'Support')]: 'g9',
    [getPartyKey('user', unknownId)]: unknownId,
  });
  expect(groups).toEqual([{ name: 'Support', id: 'g9' }]);
  expect(unreportedIds).toEqual([unknownId]);
  expect(ambiguousParties).toEqual([{ type: 'group', idOrName: 'Twins' }]);
  expect([...closestNames]).toEqual([[getPartyKey('user', 'ana@x.example'), 'anna@x.example']]);
  expect(requests).toBe(2);
});

test('an ID of another instance leads to a party only by its name there', async () => {
  const { ids, unreportedIds } = await findPartiesFor(
    [`user,${unknownId}`, `group,${annaId}`],
    ({ idOrName: name }) => (name === annaId ? 'Support' : undefined),
  );
  expect(ids).toEqual({ [getPartyKey('group', annaId)]: 'g9' });
  expect(unreportedIds).toEqual([]);
});

test('a name that several groups of the instance have resolves to none of them', async () => {
  const { ids, ambiguousParties } = await findPartiesFor(['group,Pairs', 'group,Support']);
  expect(ids).toEqual({ [getPartyKey('group', 'Support')]: 'g9' });
  expect(ambiguousParties).toEqual([{ type: 'group', idOrName: 'Pairs' }]);
});

test('each party that had to be found is counted', async () => {
  const { lookUps } = await findPartiesFor(['group,Sales', 'group,Nobody', 'group,g1', 'default,']);
  expect(lookUps).toEqual([
    [1, 2],
    [2, 2],
  ]);
});
