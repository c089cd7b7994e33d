import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { UserDirectory } from '../../../../src/catalog/people/userDirectory.ts';
import { FileParties } from '../../../../src/features/access/fileParties.ts';

const [annId, bobId, salesId, northId, otherNorthId] = ['1', '2', '3', '4', '5'].map(
  (digit) => `5f00000000000000000000a${digit}`,
) as [string, string, string, string, string];

const directory = new UserDirectory({
  users: {
    isComplete: true,
    items: [
      { id: annId, name: 'Ann', aliases: ['ann@example.com'], groupIds: [salesId, northId] },
      { id: bobId, name: 'Bob', aliases: [] },
    ],
  },
  groups: {
    isComplete: true,
    items: [
      { id: salesId, name: 'Sales' },
      { id: northId, name: 'North' },
      { id: otherNorthId, name: 'North' },
    ],
  },
});

const createRule = (type: string, party: unknown): JsonObject =>
  ({ table: 'Orders', column: 'Status', members: ['A'], shares: [{ type, party }] }) as JsonObject;

const rules = [
  createRule('user', 'ann@example.com'),
  createRule('group', { bound: 3 }),
  createRule('group', 'Support'),
];

const numberedReferences = [{ type: 'group', number: 3, id: northId }];

const createFileParties = (
  changes: Partial<ConstructorParameters<typeof FileParties>[0]> = {},
): FileParties =>
  new FileParties({
    rules,
    names: { users: ['ann@example.com'], groups: ['Support'] },
    numberedReferences: [],
    directory: undefined,
    describeNumber: (number) => `number ${number}`,
    ...changes,
  });

const formatParties = ({ parties }: FileParties): readonly string[] =>
  parties.map(({ type, id, name }) => `${type} ${id} ${name}`).toSorted();

describe('the users and groups of files', () => {
  test('are those that the files name if nothing is known of the instance', () => {
    const parties = createFileParties();
    expect(formatParties(parties)).toEqual([
      'group Support Support',
      'group {"bound":3} number 3',
      'user ann@example.com ann@example.com',
    ]);
    expect(parties.rules.map((rule) => JSON.stringify(rule))).toMatchObject([
      expect.stringContaining('"party":"ann@example.com"'),
      expect.stringContaining(String.raw`"party":"{\"bound\":3}"`),
      expect.stringContaining('"party":"Support"'),
    ]);
    expect(parties.getMembership('ann@example.com')).toBeUndefined();
    expect(parties.resolve('group', 'Support')).toMatchObject({ kind: 'known', id: 'Support' });
    expect(parties.resolve('group', 'Nobody')).toMatchObject({ kind: 'unknown', isAbsent: false });
  });

  test('keep their IDs when the people of the instance become known, with the groups of each', () => {
    const parties = createFileParties({ numberedReferences, directory });
    expect(formatParties(parties)).toEqual([
      `group ${otherNorthId} North`,
      'group Sales Sales',
      'group Support Support',
      'group {"bound":3} number 3',
      'user Bob Bob',
      'user ann@example.com ann@example.com',
    ]);
    expect(parties.rules).toEqual(createFileParties().rules);
    expect(parties.getMembership('ann@example.com')).toEqual({
      groupIds: ['Sales', '{"bound":3}'],
      source: 'instance',
    });
    expect(parties.parties.find(({ id }) => id === 'ann@example.com')?.groupIds).toEqual([
      'Sales',
      '{"bound":3}',
    ]);
    // The instance doesn't report the groups of Bob.
    expect(parties.getMembership('Bob')).toBeUndefined();
    expect(parties.resolve('user', 'Ann')).toMatchObject({ kind: 'known', id: 'ann@example.com' });
    expect(parties.resolve('group', 'Sale')).toMatchObject({ kind: 'unknown', nearest: 'Sales' });
  });

  test('that files name differently are listed once', () => {
    const parties = createFileParties({
      rules: [...rules, createRule('user', 'Ann')],
      names: { users: ['Ann', 'ann@example.com'], groups: [] },
      numberedReferences,
      directory,
    });
    expect(formatParties(parties).filter((text) => text.startsWith('user'))).toEqual([
      'user Ann Ann',
      'user Bob Bob',
    ]);
    expect(JSON.stringify(parties.rules)).not.toContain('ann@example.com');
    expect(parties.resolve('user', 'ann@example.com')).toMatchObject({ kind: 'known', id: 'Ann' });
    expect(parties.getMembership('Ann')?.groupIds).toEqual(['Sales', '{"bound":3}']);
    expect(parties.getAliases('user', 'Ann')).toEqual(['ann@example.com']);
    expect(parties.getAliases('user', 'Bob')).toEqual([]);
    expect(parties.getAliases('group', 'Ann')).toEqual([]);
  });

  test('cannot be named by files if others have the same name and no number is known', () => {
    const parties = createFileParties({ numberedReferences, directory });
    expect(parties.canReference('group', otherNorthId)).toBe(false);
    expect(parties.canReference('group', '{"bound":3}')).toBe(true);
    expect(parties.canReference('group', 'Sales')).toBe(true);
    expect(parties.canReference('user', 'Bob')).toBe(true);
  });

  test('have unknown groups while a rule is for a group of which only the number is known', () => {
    expect(createFileParties({ directory }).getMembership('ann@example.com')).toBeUndefined();
  });
});
