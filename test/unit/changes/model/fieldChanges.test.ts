import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { UserDirectory } from '../../../../src/catalog/people/userDirectory.ts';
import {
  getDocumentChanges,
  getMemberChanges,
  nameFieldParties,
} from '../../../../src/changes/model/fieldChanges.ts';

const emptyValues: readonly JsonValue[] = [null, '', false, [], {}];

test('all spellings of an empty value are the same in a document', () => {
  for (const before of emptyValues) {
    for (const after of emptyValues) {
      expect(getDocumentChanges({ description: before }, { description: after })).toEqual([]);
    }
    expect(getDocumentChanges({}, { description: before })).toEqual([]);
  }
});

test('a changed field of a document has the text of its old and new value, unless that is empty', () => {
  expect(
    getDocumentChanges(
      { description: '', hidden: null, name: 'A', expression: { oid: 'e', expression: 'x' } },
      { description: 'New', hidden: true, name: '', expression: 'x' },
    ),
  ).toEqual([
    { field: 'description', after: 'New' },
    { field: 'hidden', after: 'true' },
    { field: 'name', before: 'A' },
  ]);
});

test('null, an empty text and an absent member differ in custom data', () => {
  expect(getMemberChanges({ a: null, b: '', c: 1, d: '' }, { a: '', b: null, c: 1, d: '', e: null })).toEqual(
    [
      { field: 'a', before: 'null', after: '""' },
      { field: 'b', before: '""', after: 'null' },
      { field: 'e', after: 'null' },
    ],
  );
});

test('a long value is cut to one line of 120 characters', () => {
  const getAfter = (value: string) => getDocumentChanges({}, { text: value })[0]?.after;
  expect(getAfter('x'.repeat(120))).toBe('x'.repeat(120));
  expect(getAfter('x'.repeat(121))).toBe(`${'x'.repeat(120)}…`);
  expect(getAfter(' a \n\t b ')).toBe('a b');
});

test('members of nested objects are listed one by one, if both versions are objects', () => {
  const change = (before: JsonValue, after: JsonValue) =>
    getDocumentChanges({ details: before }, { details: after }, ['details']);
  expect(change({ a: 1, b: 2 }, { a: 1, b: 3 })).toEqual([{ field: 'details.b', before: '2', after: '3' }]);
  expect(change(null, { b: 3 })).toEqual([{ field: 'details', after: '{"b":3}' }]);
  expect(change({ b: 3 }, 'text')).toEqual([{ field: 'details', before: '{"b":3}', after: 'text' }]);
  expect(getDocumentChanges({ other: { a: 1 } }, { other: { a: 2 } }, ['details'])).toEqual([
    { field: 'other', before: '{"a":1}', after: '{"a":2}' },
  ]);
});

test('two long values are shown from shortly before their first difference', () => {
  const change = (before: string, after: string) => getDocumentChanges({ sql: before }, { sql: after })[0];
  const words = 'SELECT a, b, c FROM Orders '.repeat(10).trim();
  expect(change(words, `${words} -- reviewed`)).toEqual({
    field: 'sql',
    before: '…FROM Orders SELECT a, b, c FROM Orders',
    after: '…FROM Orders SELECT a, b, c FROM Orders -- reviewed',
  });
  expect(change(`x${words}`, `y${words}`)).toEqual({
    field: 'sql',
    before: `x${words.slice(0, 119)}…`,
    after: `y${words.slice(0, 119)}…`,
  });
  const longWord = 'z'.repeat(200);
  expect(change(longWord, `${longWord}!`)).toEqual({
    field: 'sql',
    before: `…${'z'.repeat(40)}`,
    after: `…${'z'.repeat(40)}!`,
  });
  // Short values are shown in full.
  expect(
    change('SELECT a, b, c, d, e, f, g, h, i, j, k FROM t', 'SELECT a, b, c, d, e, f, g, h, i, j, k FROM u'),
  ).toEqual({
    field: 'sql',
    before: 'SELECT a, b, c, d, e, f, g, h, i, j, k FROM t',
    after: 'SELECT a, b, c, d, e, f, g, h, i, j, k FROM u',
  });
});

test('values that differ in whitespace only are not shown in one line, but line by line', () => {
  expect(getDocumentChanges({ sql: 'SELECT 1' }, { sql: 'SELECT\n  1' })).toEqual([
    { field: 'sql', texts: { before: 'SELECT 1', after: 'SELECT\n  1' } },
  ]);
});

test('SQL and texts of several lines are compared as a whole, unless they are too long', () => {
  const getTexts = (before: JsonValue, after: JsonValue, field = 'expression') =>
    getDocumentChanges({ [field]: before }, { [field]: after }).map(({ texts }) => texts);
  expect(getTexts({ oid: 'e', expression: 'SELECT 1' }, 'SELECT 2')).toEqual([
    { before: 'SELECT 1', after: 'SELECT 2' },
  ]);
  expect(getTexts(null, 'SELECT 2')).toEqual([{ before: '', after: 'SELECT 2' }]);
  expect(getTexts('One', 'Two', 'description')).toEqual([undefined]);
  expect(getTexts('One', 'One\nTwo', 'description')).toEqual([{ before: 'One', after: 'One\nTwo' }]);
  expect(getTexts('One', 'One\n', 'description')).toEqual([undefined]);
  expect(getTexts(['One\nTwo'], 'One\nThree', 'list')).toEqual([undefined]);
  expect(getTexts('', 'x\n'.repeat(60_000), 'description')).toEqual([undefined]);
});

test('nested lists of equally many objects are compared object by object', () => {
  const change = (before: JsonValue, after: JsonValue) =>
    getDocumentChanges({ details: { columns: before } }, { details: { columns: after } }, ['details']);
  const revenue = { table: 'Orders', column: 'Revenue' };
  expect(
    change(
      [revenue, { table: 'Orders', column: 'Channel', dim: '[Orders.Channel]', sort: 'asc' }],
      [revenue, { table: 'Orders', column: 'Sales Channel', dim: '[Orders.Sales Channel]' }],
    ),
  ).toEqual([
    { field: 'details.columns[1].column', before: 'Channel', after: 'Sales Channel' },
    { field: 'details.columns[1].dim', before: '[Orders.Channel]', after: '[Orders.Sales Channel]' },
    { field: 'details.columns[1].sort', before: 'asc' },
  ]);
  expect(change([revenue], [revenue, revenue])).toEqual([
    {
      field: 'details.columns',
      before: '[{"table":"Orders","column":"Revenue"}]',
      after: '[{"table":"Orders","column":"Revenue"},{"table":"Orders","column":"Revenue"}]',
    },
  ]);
  expect(change(['a'], ['b'])).toEqual([{ field: 'details.columns', before: '["a"]', after: '["b"]' }]);
});

test.each<[before: JsonValue, after: JsonValue, beforeText: string, afterText: string]>([
  [null, 'null', 'null', '"null"'],
  ['true', true, '"true"', 'true'],
  ['{"b":1}', { b: 1 }, '"{\\"b\\":1}"', '{"b":1}'],
])('values of another type that look the same are distinguished: %j → %j', (before, after, ...texts) => {
  expect(getMemberChanges({ a: before }, { a: after })).toEqual([
    { field: 'a', before: texts[0], after: texts[1] },
  ]);
});

test('the type of a field in a document is distinguished, too', () => {
  expect(getDocumentChanges({ limit: '5' }, { limit: 5 })).toEqual([
    { field: 'limit', before: '"5"', after: '5' },
  ]);
});

const directory = new UserDirectory({
  users: { items: [{ id: 'f549ac31b13a5f47eedf76a0', name: 'Ann', aliases: [] }], isComplete: true },
  groups: {
    items: [
      { id: 'f549ac31b13a5f47eedf769f', name: 'Executives' },
      { id: 'f549ac31b13a5f47eedf76a1', name: 'Sales' },
      { id: 'f549ac31b13a5f47eedf76a2', name: 'Sales' },
    ],
    isComplete: true,
  },
});

const listNamedChanges = (before: JsonValue, after: JsonValue) =>
  getDocumentChanges({ visibility: before }, { visibility: after }, ['visibility']).map((change) =>
    nameFieldParties(change, directory),
  );

test('the users and groups that a viewpoint is shared with are shown by name on both sides', () => {
  expect(
    listNamedChanges(
      { apps: ['Chat'], groups: ['Marketing', 'Executives'], users: ['f549ac31b13a5f47eedf76a0'] },
      { apps: ['Web'], groups: ['f549ac31b13a5f47eedf769f'], users: ['unknown'] },
    ),
  ).toEqual([
    { field: 'visibility.apps', before: '["Chat"]', after: '["Web"]' },
    { field: 'visibility.groups', before: '["Marketing","Executives"]', after: '["Executives"]' },
    { field: 'visibility.users', before: '["Ann"]', after: '["unknown"]' },
  ]);
});

test('the members of the first visibility of a viewpoint are shown by name, too', () => {
  const after = { apps: ['Chat'], groups: ['f549ac31b13a5f47eedf769f'] };
  for (const before of [null, {}]) {
    expect(listNamedChanges(before, after)).toEqual([
      { field: 'visibility.apps', after: '["Chat"]' },
      { field: 'visibility.groups', after: '["Executives"]' },
    ]);
  }
});

test('a change from the name of a group to its ID has no values to show', () => {
  expect(listNamedChanges({ groups: ['Executives'] }, { groups: ['f549ac31b13a5f47eedf769f'] })).toEqual([
    { field: 'visibility.groups' },
  ]);
});

test('groups with the same name are shown with their IDs, too', () => {
  const [first, second] = ['f549ac31b13a5f47eedf76a1', 'f549ac31b13a5f47eedf76a2'];
  expect(listNamedChanges({ groups: [first] }, { groups: [second] })).toEqual([
    { field: 'visibility.groups', before: `["Sales (${first})"]`, after: `["Sales (${second})"]` },
  ]);
  expect(listNamedChanges({ groups: ['Sales'] }, { groups: [second] })).toEqual([
    { field: 'visibility.groups', before: '["Sales"]', after: `["Sales (${second})"]` },
  ]);
});

test('names are found in lists that are too long to be shown whole', () => {
  const ids = Array.from({ length: 20 }, () => 'f549ac31b13a5f47eedf769f');
  const [change] = listNamedChanges({ groups: ['Marketing'] }, { groups: ids });
  expect(change?.after).toMatch(/^\["Executives",.*…$/);
});
