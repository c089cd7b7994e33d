import { describe, expect, test } from 'vitest';
import { UserDirectory, type DirectorySources } from '../../../../src/catalog/people/userDirectory.ts';
import { toDirectoryGroup, toDirectoryUser } from '../../../../src/catalog/people/records.ts';

const salesId = '0b6df0a77f96d4b73c572389';
const annaId = '00000000000000000000a001';
const unknownId = '00000000000000000000ffff';

const instance: DirectorySources = {
  users: {
    isComplete: true,
    items: [
      toDirectoryUser({
        _id: annaId,
        userName: 'anna@x.example',
        email: 'anna.b@x.example',
        groups: [salesId],
      }),
      toDirectoryUser({ _id: 'u2', firstName: 'Ben', lastName: 'Ito', groups: [] }),
      toDirectoryUser({ _id: 'u3', userName: 'cleo' }),
      toDirectoryUser({ _id: 'u4', userName: 'dan', groups: [salesId], adgroups: ['[1]'] }),
      toDirectoryUser({ _id: 'u5', groups: null }),
    ],
  },
  groups: {
    isComplete: true,
    items: [
      toDirectoryGroup({ _id: salesId, name: 'Sales' }),
      toDirectoryGroup({ _id: 'g2', name: 'Twins' }),
      toDirectoryGroup({ _id: 'g3', name: 'Twins' }),
    ],
  },
};

describe('each party appears once', () => {
  test('a group named by viewpoints and identified by rules is one group', () => {
    const directory = new UserDirectory({
      references: [
        { type: 'group', value: 'Sales' },
        { type: 'group', value: salesId, label: 'Sales' },
        { type: 'group', value: 'Executives' },
        { type: 'group', value: unknownId },
      ],
    });
    expect(directory.getParties('group')).toEqual([
      { type: 'group', id: unknownId, name: unknownId },
      { type: 'group', name: 'Executives' },
      { type: 'group', id: salesId, name: 'Sales' },
    ]);
    expect(directory.getParties('user')).toEqual([]);
  });

  test('an ID in a rule needs no particular form, unless it is the name of another party', () => {
    const directory = new UserDirectory({
      references: [
        { type: 'group', value: 'g7', isId: true },
        { type: 'group', value: 'Sales', isId: true },
        { type: 'group', value: salesId, label: 'Sales', isId: true },
      ],
    });
    expect(directory.getParties('group').map(({ id }) => id)).toEqual(['g7', salesId]);
    expect(directory.resolve('group', 'Sales')).toEqual({ kind: 'known', id: salesId, name: 'Sales' });
  });

  test("the instance's name is preferred over a rule's name", () => {
    const references = [{ type: 'group', value: salesId, label: 'Old Name' }] as const;
    expect(new UserDirectory({ ...instance, references }).getName('group', salesId)).toBe('Sales');
    const groupsWithoutName = { isComplete: true, items: [toDirectoryGroup({ _id: salesId })] };
    expect(new UserDirectory({ groups: groupsWithoutName, references }).getName('group', salesId)).toBe(
      'Old Name',
    );
  });

  test('users without a name are labeled by what is known', () => {
    expect(new UserDirectory(instance).getParties('user').map(({ name }) => name)).toEqual([
      'anna@x.example',
      'Ben Ito',
      'cleo',
      'dan',
      'u5',
    ]);
  });
});

describe('resolving a text to a party', () => {
  const directory = new UserDirectory(instance);

  test.each([
    ['user', annaId, { kind: 'known', id: annaId, name: 'anna@x.example' }],
    ['user', ' anna@x.example ', { kind: 'known', id: annaId, name: 'anna@x.example' }],
    ['user', 'anna.b@x.example', { kind: 'known', id: annaId, name: 'anna@x.example' }],
    ['group', 'Sales', { kind: 'known', id: salesId, name: 'Sales' }],
    ['group', 'Twins', { kind: 'several', ids: ['g2', 'g3'] }],
    ['group', unknownId, { kind: 'identifier', id: unknownId }],
    ['group', 'sales', { kind: 'unknown', nearest: 'Sales', isAbsent: true }],
    ['user', 'anna@x.exmaple', { kind: 'unknown', nearest: 'anna@x.example', isAbsent: true }],
    ['user', 'Sales', { kind: 'unknown', nearest: undefined, isAbsent: true }],
    ['user', '', { kind: 'unknown', nearest: undefined, isAbsent: true }],
  ] as const)('returns what is known of the %s "%s"', (type, text, expected) =>
    expect(directory.resolve(type, text)).toEqual(expected),
  );

  test.each([
    ['group', 'Slaes', ['Sales']],
    ['user', 'anna@x.exmaple', ['anna@x.example']],
    // Two groups have the most similar name.
    ['group', 'Twin', []],
    ['group', 'Sales', []],
    ['group', unknownId, []],
    ['user', 'Sales', []],
  ] as const)('suggests names in place of the %s "%s"', (type, text, expected) =>
    expect(directory.findMeantNames(type, text)).toEqual(expected),
  );

  test('if the instance provides no lists, no party counts as missing', () => {
    const references = [{ type: 'user', value: 'u1', label: 'anna' }] as const;
    const directoryOfReferences = new UserDirectory({ references });
    expect(directoryOfReferences.resolve('user', 'ana')).toEqual({
      kind: 'unknown',
      nearest: 'anna',
      isAbsent: false,
    });
    expect(directoryOfReferences.findMeantNames('user', 'ana')).toEqual([]);
    expect(directoryOfReferences.resolve('user', 'u1')).toEqual({ kind: 'known', id: 'u1', name: 'anna' });
    expect(new UserDirectory({ ...instance, users: { items: [], isComplete: false } }).listsAll('user')).toBe(
      false,
    );
  });

  test('a name that only viewpoints have has no ID', () => {
    const directoryOfNames = new UserDirectory({ references: [{ type: 'group', value: 'Executives' }] });
    expect(directoryOfNames.resolve('group', 'Executives').kind).toBe('unknown');
  });
});

describe('membership', () => {
  test('is known only if the instance reports all groups of the user: not without a list, nor with groups of a directory service', () => {
    const directory = new UserDirectory(instance);
    expect(directory.getMembership(annaId)).toEqual({ groupIds: [salesId], source: 'instance' });
    expect(directory.getMembership('u2')).toEqual({ groupIds: [], source: 'instance' });
    for (const user of ['u3', 'u4', 'u5', 'nobody']) {
      expect(directory.getMembership(user)).toBeUndefined();
    }
  });

  test('is imported, by ID, name or email, where the instance reports none', () => {
    const imported = [
      { user: 'cleo', groupIds: ['g2'] },
      { user: annaId, groupIds: [] },
      { user: 'new@x.example', groupIds: ['g3'] },
    ];
    const directory = new UserDirectory({ ...instance, importedMembers: imported });
    expect(directory.getMembership('u3')).toEqual({ groupIds: ['g2'], source: 'imported' });
    expect(directory.getMembership(annaId)?.source).toBe('instance');
    expect(directory.getMembership('new@x.example')).toEqual({ groupIds: ['g3'], source: 'imported' });
    expect(directory.getParties('user').at(-1)).toMatchObject({ type: 'user', id: 'u5' });
    expect(directory.getParties('user')).toContainEqual({ type: 'user', name: 'new@x.example' });
    expect(directory.resolve('user', 'new@x.example').kind).toBe('unknown');
  });
});
