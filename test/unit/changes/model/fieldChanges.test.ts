import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { getDocumentChanges, getMemberChanges } from '../../../../src/changes/model/fieldChanges.ts';

const emptyValues: readonly JsonValue[] = [null, '', false, [], {}];

test('all spellings of an empty value are the same in a document', () => {
  for (const before of emptyValues) {
    for (const after of emptyValues) {
      expect(getDocumentChanges({ description: before }, { description: after })).toEqual([]);
    }
    expect(getDocumentChanges({}, { description: before })).toEqual([]);
  }
});

test('a changed field of a document has a text before or after', () => {
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
