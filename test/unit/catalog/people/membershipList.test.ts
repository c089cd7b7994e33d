import { describe, expect, test } from 'vitest';
import { UserDirectory } from '../../../../src/catalog/people/userDirectory.ts';
import { resolveMembers, parseMembership } from '../../../../src/catalog/people/membershipList.ts';

const parseRows = (text: string): unknown => {
  const { rows, problems } = parseMembership(text);
  return problems.length > 0 ? problems : rows.map(({ user, group }) => [user, group]);
};

describe('a membership list', () => {
  test.each<[string, string, unknown]>([
    [
      'commas and a heading',
      'user,group\nanna,Sales\nben,\n',
      [
        ['anna', 'Sales'],
        ['ben', ''],
      ],
    ],
    [
      'semicolons, a byte-order mark and CRLF',
      '\u{feff}User;Group\r\nanna;"Sales; North"\r\n',
      [['anna', 'Sales; North']],
    ],
    [
      'tabs without a heading',
      'anna\tSales\n\nben\tSupport',
      [
        ['anna', 'Sales'],
        ['ben', 'Support'],
      ],
    ],
    [
      'one column',
      'anna\nben',
      [
        { code: 'group-required', row: 1, args: ['anna'] },
        { code: 'group-required', row: 2, args: ['ben'] },
      ],
    ],
    ['no text', ' \n', [{ code: 'empty', row: 0, args: [] }]],
    ['a heading alone', 'user,group', [{ code: 'empty', row: 0, args: [] }]],
    ['no user', 'user,group\n,Sales', [{ code: 'user-required', row: 2, args: ['Sales'] }]],
    ['an open quote', 'user,group\nanna,"Sales', [{ code: 'quotes', row: 2, args: [] }]],
  ])('is read with %s', (_name, text, expected) => expect(parseRows(text)).toEqual(expected));

  const directory = new UserDirectory({
    groups: {
      isComplete: true,
      items: [
        { id: 's', name: 'Sales' },
        { id: 't1', name: 'Twins' },
        { id: 't2', name: 'Twins' },
      ],
    },
  });
  const resolve = (text: string): ReturnType<typeof resolveMembers> =>
    resolveMembers(parseMembership(text).rows, directory, new Map([['Support', 'p']]));

  test('contains each group ID once, whether the list has the ID or the name of the group', () => {
    const id = '0b6df0a77f96d4b73c572389';
    expect(resolve(`anna,Sales\nanna,s\nanna,Support\nanna,${id}\nben,`)).toEqual({
      members: [
        { user: 'anna', groupIds: ['s', 'p', id] },
        { user: 'ben', groupIds: [] },
      ],
      problems: [],
    });
  });

  test('leaves out partly resolved users, with the reason', () => {
    expect(resolve('anna,Sales\nanna,Sale\nben,Twins\ncleo,\ncleo,Sales\ndan,Nowhere\ned,Sales')).toEqual({
      members: [{ user: 'ed', groupIds: ['s'] }],
      problems: [
        { code: 'group-not-found', row: 2, args: ['Sale', 'Sales'] },
        { code: 'group-ambiguous', row: 3, args: ['Twins'] },
        { code: 'contradiction', row: 4, args: ['cleo'] },
        { code: 'group-not-found', row: 6, args: ['Nowhere'] },
      ],
    });
  });
});
