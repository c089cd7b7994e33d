import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import { mask } from '../../../../src/base/secrets/mask.ts';
import {
  isSameSql,
  matchesCreated,
  matchesStored,
  serverManagedConnectionFields,
} from '../../../../src/changes/endpoints/matchesStored.ts';

type Case = readonly [
  text: string,
  sent: JsonValue,
  stored: JsonValue | undefined,
  previous: JsonValue | undefined,
  isMatch: boolean,
];

describe('whether what the server has stored matches what was sent:', () => {
  test.each<Case>([
    ['equal values', 'a', 'a', 'b', true],
    ['other values', 'a', 'b', 'b', false],
    ['a value instead of an object', { a: 1 }, 'a', undefined, false],
    ['an object instead of a value', 'a', { a: 'a' }, undefined, false],
    ['empty values of different spellings', null, [], 'a', true],
    ['an empty value that was not stored', '', 'a', 'a', false],
    ['a value that was not stored', 'a', '', 'a', false],
    ['a masked secret that was sent', { secret: mask }, { secret: 'x' }, { secret: 'y' }, true],
    ['a masked secret that is shown', { secret: 'x' }, { secret: mask }, { secret: mask }, true],
    ['a list of equal items', [1, { a: 2 }], [1, { a: 2 }], [], true],
    ['a list in another order', [1, 2], [2, 1], [], false],
    ['a shorter list', [1, 2], [1], [1], false],
    ['a longer list', [1], [1, 2], [1, 2], false],
    ['no list', [1], { 0: 1 }, [], false],
    ['no list in place of an empty one', [], null, [1], true],
    ['a member that the server has added', { a: 1 }, { a: 1, b: 2 }, { a: 0 }, true],
    ['a member that the server has added to an item', [{ a: 1 }], [{ a: 1, b: 2 }], [{ a: 0 }], true],
    ['a member that is still there although it was not sent', { a: 1 }, { a: 1, b: 2 }, { b: 2 }, false],
    ['a member of an item that is still there', [{ a: 1 }], [{ a: 1, b: 2 }], [{ b: 2 }], false],
    ['a member that has become empty', { a: 1 }, { a: 1, b: '' }, { b: 2 }, true],
    ['a member that was empty', { a: 1 }, { a: 1, b: 2 }, { b: null }, true],
    ['a nested member that is still there', { a: { x: 1 } }, { a: { x: 1, y: 1 } }, { a: { y: 1 } }, false],
    [
      'a field of the server',
      { a: 1, lastModified: 'x' },
      { a: 1, lastModified: 'y' },
      { lastModified: 'y' },
      true,
    ],
    [
      'a field of the server that was not sent',
      { a: 1 },
      { a: 1, lastModified: 'y' },
      { lastModified: 'y' },
      true,
    ],
  ])('%s', (_text, sent, stored, previous, isMatch) => {
    expect(matchesStored(sent, stored, previous)).toBe(isMatch);
  });

  test('the given fields, which the server maintains, are not compared at any depth', () => {
    const [owner = ''] = serverManagedConnectionFields;
    const sent = { list: [{ [owner]: 'a', name: 'n' }] };
    const stored = { list: [{ [owner]: 'b', name: 'n' }] };
    expect(matchesStored(sent, stored, stored, serverManagedConnectionFields)).toBe(true);
    expect(matchesStored(sent, stored, stored)).toBe(false);
  });
});

describe('whether a new item was created by a request: one', () => {
  test.each<readonly [string, JsonObject, JsonObject, boolean]>([
    ['with the same name', { name: 'A' }, { oid: 'x', name: 'A' }, true],
    ['with another name', { name: 'A' }, { name: 'B' }, false],
    ['whose description is not listed', { name: 'A', description: 'D' }, { name: 'A' }, true],
    ['with another description', { name: 'A', description: 'D' }, { name: 'A', description: 'E' }, false],
    ['with another type', { name: 'A', type: 'Extract' }, { name: 'A', type: 'extract' }, true],
    [
      'with the same columns, to which the server has added IDs and defaults',
      { columns: [{ id: 'a', name: 'A' }, { id: 'b' }] },
      {
        columns: [
          { oid: '1', id: 'a', name: 'A', hidden: false },
          { oid: '2', name: 'b' },
        ],
      },
      true,
    ],
    ['with other columns', { columns: [{ name: 'A' }] }, { columns: [{ name: 'B' }] }, false],
    [
      'with SQL in an object',
      { expression: 'SELECT 1' },
      { expression: { oid: 'e', expression: 'SELECT 1' } },
      true,
    ],
    ['with other SQL', { expression: 'SELECT 1' }, { expression: 'SELECT 2' }, false],
    [
      'with a connection that somebody owns',
      { connection: { provider: 'CSV', owner: 'me' } },
      { connection: { provider: 'CSV', owner: 'them' } },
      true,
    ],
    [
      'with another connection',
      { connection: { provider: 'CSV' } },
      { connection: { provider: 'Excel' } },
      false,
    ],
  ])('%s', (_text, body, created, isMatch) => {
    expect(matchesCreated(body, created)).toBe(isMatch);
  });

  test('SQL that is neither text nor an object is no SQL', () => {
    expect(isSameSql(7, undefined)).toBe(true);
    expect(isSameSql('SELECT 7', 7)).toBe(false);
  });
});
