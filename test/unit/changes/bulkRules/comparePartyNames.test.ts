import { describe, expect, test } from 'vitest';
import { UserDirectory, type DirectorySources } from '../../../../src/catalog/people/userDirectory.ts';
import { findParties } from '../../../../src/changes/bulkRules/findParties.ts';
import { parseRuleTable } from '../../../../src/security/ruleTable/parseRuleTable.ts';
import { createTestClient, json } from '../../client/support.ts';

const salesId = '0b6df0a77f96d4b73c572389';
const annaId = '00000000000000000000a001';
const unknownId = 'ffffffffffffffffffffffff';
const anna = { id: annaId, name: 'anna', aliases: ['anna@x.example', 'Anna Berg'] };
const listed: DirectorySources = {
  users: { isComplete: true, items: [anna] },
  groups: {
    isComplete: true,
    items: [
      { id: salesId, name: 'Sales' },
      { id: 'g2', name: 'Twins' },
      { id: 'g3', name: 'Twins' },
      { id: 'g4', name: 'SALES' },
    ],
  },
};
/** The instance refuses its lists, but looks up a group by its name. */
const unlisted: DirectorySources = { users: undefined, groups: undefined };
/** A rule on another column, with a name that the instance has given it. */
const current = [
  { table: 'Stores', column: 'City', shares: [{ type: 'group', partyId: 'g5', partyName: 'Former' }] },
];

/** Compares the names of rows with the columns `party type,party,party name`. */
async function compare(rows: readonly string[], sources: DirectorySources, lookUpStatus = 200) {
  const { client, transport } = createTestClient(({ url }) =>
    json(new URL(url).searchParams.get('name') === 'Sales' ? [{ _id: salesId }] : [], lookUpStatus),
  );
  const table = parseRuleTable(
    [
      'table,column,access,party type,party,party name',
      ...rows.map((row) => `Stores,Region,nothing,${row}`),
    ].join('\n'),
  );
  const { contradictions, uncomparedNames, names, groups } = await findParties(
    { client, directory: new UserDirectory(sources) },
    table,
    { current, onLookUp: () => undefined, signal: new AbortController().signal },
  );
  return {
    contradictions: contradictions.map(
      ({ rows: [row], name, actualName, otherIds }) =>
        `${row}: ${name}, but ${actualName ?? `of ${otherIds.join('+')}`}`,
    ),
    uncompared: uncomparedNames.map(({ rows: [row], name }) => `${row}: ${name}`),
    names,
    groups,
    requests: transport.requestLines.length,
  };
}

describe('the party name of a row', () => {
  test.each([
    ['the name of the group', `group,${salesId},Sales`],
    ['the name of the group in another case that no other group has', `group,${salesId},sales`],
    ['a name that another group has, too', 'group,g2,Twins'],
    ['the user name of the user', `user,${annaId},anna`],
    ['the e-mail of the user in another case', `user,${annaId},Anna@X.example`],
    ['the full name of the user', `user,${annaId},Anna Berg`],
    ['another name of the user whose e-mail is in place of the ID', 'user,anna@x.example,Anna Berg'],
    ['the name that a rule of the instance has for the ID', 'group,g5,Former'],
    ['the name that is also in place of the ID', 'group,Sales,Sales'],
    ['given without an ID', 'group,,Sales'],
    ['missing beside an ID', `group,${unknownId},`],
  ])('may be %s', async (_text, row) => {
    expect(await compare([row], listed)).toMatchObject({ contradictions: [], uncompared: [], requests: 0 });
  });

  test.each([
    ['that of another group', `group,${salesId},Twins`, '2: Twins, but Sales'],
    ['that of no group, as after a change of name', `group,${salesId},Vendors`, '2: Vendors, but Sales'],
    ['that of another group whose name has other capitals', `group,${salesId},SALES`, '2: SALES, but Sales'],
    ['that of another user', `user,${annaId},Ben`, '2: Ben, but anna'],
    ['that of the group of a current rule', 'group,g5,Sales', '2: Sales, but Former'],
    ['another one than the name in place of the ID', 'group,Sales,Twins', '2: Twins, but Sales'],
    ['the name of a group beside an unknown ID', `group,${unknownId},Sales`, `2: Sales, but of ${salesId}`],
    ['the name of several groups beside an unknown ID', `group,${unknownId},Twins`, '2: Twins, but of g2+g3'],
    ['the name of no group beside an unknown ID', `group,${unknownId},Nobody`, '2: Nobody, but of '],
    ['the name of no user beside an unknown ID', `user,${unknownId},Ben`, '2: Ben, but of '],
  ])('is refused if it is %s', async (_text, row, contradiction) => {
    expect(await compare([row], listed)).toMatchObject({ contradictions: [contradiction], uncompared: [] });
  });

  test('is compared in every row, even if rows of the same rule have different names', async () => {
    const rows = [`group,${salesId},Sales`, `group,${salesId},Finance`, `group,${salesId},Sales`];
    expect((await compare(rows, listed)).contradictions).toEqual(['3: Finance, but Sales']);
  });

  test('is not compared if the party is not found, which another check reports', async () => {
    const { contradictions, uncompared } = await compare(['group,Nobody,Sales'], listed);
    expect([contradictions, uncompared]).toEqual([[], []]);
  });
});

describe('on an instance that lists neither users nor groups', () => {
  test('the name of a group is looked up', async () => {
    const { contradictions, uncompared, groups, requests } = await compare(
      [`group,${salesId},Sales`, `group,${unknownId},Sales`, `group,${salesId},Vendors`],
      unlisted,
    );
    expect(contradictions).toEqual([`3: Sales, but of ${salesId}`, '4: Vendors, but of ']);
    expect(uncompared).toEqual([]);
    expect(groups).toEqual([{ name: 'Sales', id: salesId }]);
    expect(requests).toBe(3);
  });

  test.each([
    ['of a user', `user,${annaId},anna`, 200],
    ['of a group, if lookups are refused', `group,${salesId},Sales`, 403],
  ])('the name %s is not compared', async (_text, row, lookUpStatus) => {
    expect(await compare([row], unlisted, lookUpStatus)).toMatchObject({
      contradictions: [],
      uncompared: [expect.stringContaining('2: ')],
      groups: [],
    });
  });
});

test('the instance names a party that the table has only by ID', async () => {
  const { names } = await compare([`group,${salesId},`, `user,${annaId},`, `user,${unknownId},`], listed);
  expect([...names]).toEqual([
    [`group:${salesId}`, 'Sales'],
    [`user:${annaId}`, 'anna'],
  ]);
});
