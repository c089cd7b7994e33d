import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { type FileParty, findPartyIds } from '../../../../src/project/apply/partyIds.ts';
import type { ItemChange } from '../../../../src/project/compare/itemChange.ts';
import { createGroupClient } from './compileSupport.ts';

const users = [
  { id: 'u1', name: 'ann', aliases: ['ann@example.com'] },
  { id: 'u2', name: 'Twin', aliases: ['one@example.com'] },
  { id: 'u3', name: 'Twin', aliases: ['two@example.com'] },
];

const numberedReferences = [
  { number: 1, type: 'user', id: 'bound user' },
  { number: 2, type: 'group', id: 'bound group' },
  { number: 3, type: 'id', id: 'bound ID' },
] as const;

/** A change of rules for users and groups. */
const createChange = (...parties: readonly FileParty[]): ItemChange => ({
  action: 'create',
  key: { kind: 'rules', datamodel: 'M', table: 'A', column: 'K' },
  parts: [
    { pointer: '', after: [{ shares: parties.map(({ type, reference }) => ({ type, party: reference })) }] },
  ],
  isChangedOnServer: false,
});

async function findParty(
  party: FileParty,
  { listsAll = true, client = createGroupClient({}) } = {},
  changes: readonly ItemChange[] = [createChange(party)],
) {
  const ids = await findPartyIds(changes, {
    documents: {
      datamodels: [
        {
          document: {},
          rules: [{ shares: [{ type: 'group', party: 'g1', partyName: 'Sales' }] }],
        },
      ],
      cubeSets: [],
      viewpoints: [],
      customData: [],
      users,
      groups: [{ id: 'g2', name: 'Support' }],
    },
    listsAll,
    numberedReferences,
    client,
    signal: new AbortController().signal,
  });
  return ids.find(party);
}

const createUserParty = (reference: JsonValue): FileParty => ({ type: 'user', reference });
const createGroupParty = (reference: JsonValue): FileParty => ({ type: 'group', reference });

test.each<[FileParty, object]>([
  [createUserParty('ann'), { id: 'u1' }],
  [createUserParty('ann@example.com'), { id: 'u1' }],
  [createUserParty('Ann'), { problem: 'unknown-party', nearest: 'ann' }],
  [createUserParty('Twin'), { problem: 'ambiguous-party' }],
  [createUserParty('two@example.com'), { id: 'u3' }],
  [createGroupParty('Support'), { id: 'g2' }],
  // Only a rule has the name of this group.
  [createGroupParty('Sales'), { id: 'g1' }],
  [createGroupParty('ann'), { problem: 'unknown-party' }],
  [createUserParty({ bound: 1 }), { id: 'bound user' }],
  [createGroupParty({ bound: 2 }), { id: 'bound group' }],
  [createGroupParty({ bound: 1 }), { problem: 'unbound-party' }],
  [createUserParty({ bound: 9 }), { problem: 'unbound-party' }],
  [createUserParty('5f0c2ae7b4d1c9002d8f1a11'), { problem: 'unknown-party' }],
])('%j is found by its name or number: %j', async (party, expected) => {
  expect(await findParty(party)).toEqual(expected);
});

describe('a group that the instance does not list', () => {
  const groups = { New: ['g9'], Twins: ['g7', 'g8'] };

  test('is looked up once, and only if the list is not complete', async () => {
    const lookups: string[] = [];
    const client = createGroupClient(groups, lookups);
    expect(await findParty(createGroupParty('New'), { client })).toMatchObject({ problem: 'unknown-party' });
    expect(lookups).toEqual([]);
    const changes = [
      createChange(createGroupParty('New'), createGroupParty('Support')),
      createChange(createGroupParty('New'), createUserParty('New')),
    ];
    expect(await findParty(createGroupParty('New'), { client, listsAll: false }, changes)).toEqual({
      id: 'g9',
    });
    expect(lookups).toEqual(['New']);
  });

  test('may exist twice, or not at all', async () => {
    const options = { client: createGroupClient(groups), listsAll: false };
    expect(await findParty(createGroupParty('Twins'), options)).toEqual({ problem: 'ambiguous-party' });
    expect(await findParty(createGroupParty('Gone'), options)).toMatchObject({ problem: 'unknown-party' });
  });
});

test('only parties of the wanted values are found, in every kind of item', async () => {
  const changeWithoutParties: ItemChange = {
    ...createChange(),
    parts: [{ pointer: '', before: [{ shares: [] }] }],
  };
  expect(await findParty(createUserParty('ann'), {}, [changeWithoutParties])).toEqual({
    problem: 'unknown-party',
  });
  const visibility = { users: ['ann'], groups: ['Support'] };
  const viewpoint = { kind: 'viewpoint', viewpoint: 'V' } as const;
  const object = { owner: { $ref: { user: 'ann' } }, other: [{ $ref: { id: { bound: 3 } } }] };
  const changes: readonly ItemChange[] = [
    { ...changeWithoutParties, key: viewpoint, parts: [{ pointer: '/visibility', after: visibility }] },
    { ...changeWithoutParties, key: viewpoint, parts: [{ pointer: '', after: { visibility } }] },
    {
      ...changeWithoutParties,
      key: { kind: 'customData', name: 'D' },
      parts: [{ pointer: '', after: object }],
    },
  ];
  expect(await Promise.all(changes.map((change) => findParty(createUserParty('ann'), {}, [change])))).toEqual(
    changes.map(() => ({ id: 'u1' })),
  );
  expect(await findParty(createGroupParty('Support'), {}, changes)).toEqual({ id: 'g2' });
  expect(await findParty({ type: 'id', reference: { bound: 3 } }, {}, changes)).toEqual({ id: 'bound ID' });
});
