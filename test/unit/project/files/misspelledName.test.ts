import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEdits } from '../../../../src/base/textEdit.ts';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import {
  type MisspelledName,
  createNameFixes,
  findMeantNames,
} from '../../../../src/project/files/misspelledName.ts';

/** The texts with each fix, and `!` before the preferred one. */
const applyFixes = (text: string, misspelled: MisspelledName): readonly string[] =>
  createNameFixes(parseJsonTree(text), misspelled).map(
    ({ edit, isPreferred }) => `${isPreferred ? '!' : ''}${applyEdits(text, [edit])}`,
  );

test('a value or a key is replaced with its quotes, and nothing else changes', () => {
  const text = '// Relation\n{ "columns": [{"table": "It\\u0065ms", /* c */ "column": "A"},], }';
  const path = ['columns', 0, 'table'];
  expect(applyFixes(text, { name: 'Items', path, candidates: ['Item "s\\n"'] })).toEqual([
    String.raw`!// Relation
{ "columns": [{"table": "Item \"s\\n\"", /* c */ "column": "A"},], }`,
  ]);
  expect(
    applyFixes('{"a": {"Sale" : {}}}', {
      name: 'Sale',
      path: ['a', 'Sale'],
      isKey: true,
      candidates: ['Sales'],
    }),
  ).toEqual(['!{"a": {"Sales" : {}}}']);
});

test('a key is not changed to one that its object already has, or to a less similar one in its place', () => {
  const misspelled = { name: 'Sale', path: ['Sale'], isKey: true, candidates: ['Sales', 'Salt'] } as const;
  expect(applyFixes('{"Sale": 1, "Sales": 2}', misspelled)).toEqual([]);
  expect(applyFixes('{"Sale": 1, "Salt": 2}', misspelled)).toEqual(['!{"Sales": 1, "Salt": 2}']);
});

test('only a single name that does not change who sees what is preferred', () => {
  const misspelled = { name: 'a', path: [0], candidates: ['b'] };
  expect(applyFixes('["a"]', misspelled)).toEqual(['!["b"]']);
  expect(applyFixes('["a"]', { ...misspelled, changesAccess: true })).toEqual(['["b"]']);
  expect(applyFixes('["a"]', { ...misspelled, candidates: ['b', 'c'] })).toEqual(['["b"]', '["c"]']);
});

test('there is no fix if the text has changed, so that the path leads to something else', () => {
  const misspelled = { name: 'Items', path: ['columns', 0, 'table'], candidates: ['Item'] };
  for (const text of [
    '',
    '{}',
    '{"columns": []}',
    '{"columns": [{"table": "Orders"}]}',
    '{"columns": [{"table": ["Items"]}]}',
  ]) {
    expect(applyFixes(text, misspelled)).toEqual([]);
  }
  expect(
    applyFixes('{"Sales": {}}', { name: 'Sale', path: ['Sale'], isKey: true, candidates: ['S'] }),
  ).toEqual([]);
});

test('property: a fix changes one value, whatever is in it and around it', () => {
  const candidate = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
      fc.nat(),
      candidate,
      (names, seed, meant) => {
        const index = seed % names.length;
        const text = JSON.stringify(names, undefined, seed % 3);
        const [fixed] = createNameFixes(parseJsonTree(text), {
          name: names[index] ?? '',
          path: [index],
          candidates: [meant],
        });
        expect(fixed && JSON.parse(applyEdits(text, [fixed.edit]))).toEqual(names.with(index, meant));
      },
    ),
  );
});

test('no name is suggested if none is similar', () => {
  expect(findMeantNames({ name: 'Stock', path: [] }, ['Orders'])).toBeUndefined();
  expect(findMeantNames({ name: 'Order', path: [] }, ['Orders', 'Ordr', 'Items'])).toMatchObject({
    candidates: ['Orders', 'Ordr'],
  });
});
