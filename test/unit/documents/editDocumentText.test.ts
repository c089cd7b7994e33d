import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonEquals } from '../../../src/base/canonicalJson.ts';
import { parseJsonText } from '../../../src/documents/jsonText.ts';
import { formatDocument } from '../../../src/documents/jsonText.ts';
import { editDocumentText } from '../../../src/documents/editDocumentText.ts';
import { anyJson } from './anyJson.ts';
import { getPropertyRuns } from '../../support/soak.ts';

test('comments and layout of unchanged parts are kept', () => {
  const text =
    '{\n  // the name\n  "name": "a",\n  "columns": [\n    { "dim": "x" }, // first\n    { "dim": "y" }\n  ]\n}\n';
  const newValue = { name: 'b', columns: [{ dim: 'x' }, { dim: 'y', title: 'Y' }] };
  expect(editDocumentText(text, newValue)).toBe(
    '{\n  // the name\n  "name": "b",\n  "columns": [\n    { "dim": "x" }, // first\n    { "dim": "y", "title": "Y" }\n  ]\n}\n',
  );
});

test('added, removed and changed items keep the comments of the others, matched by key', () => {
  const text =
    '[\n  { "oid": "1", "name": "a" }, // first\n  { "oid": "2", "name": "b" }, // second\n  { "oid": "3", "name": "c", "type": 8, "size": 10 } // third\n]\n';
  const newValue = [
    { oid: '0', name: 'z' },
    { oid: '1', name: 'a' },
    { oid: '3', name: 'C', type: 8, size: 10 },
  ];
  expect(editDocumentText(text, newValue)).toBe(
    '[\n  { "oid": "0", "name": "z" },\n  { "oid": "1", "name": "a" }, // first\n  { "oid": "3", "name": "C", "type": 8, "size": 10 } // third\n]\n',
  );
});

test('the comments of a text without a value are kept', () => {
  expect(editDocumentText('// to be written\n', { a: 1 })).toBe('// to be written\n{\n  "a": 1\n}\n');
});

test('a text that already has the value is unchanged', () => {
  expect(editDocumentText('{ "a":1.0 }', { a: 1 })).toBe('{ "a":1.0 }');
});

test('an unreadable text is replaced', () => {
  expect(editDocumentText('{', { a: 1 })).toBe('{\n  "a": 1\n}\n');
});

test('property: the result has the expected value', () => {
  fc.assert(
    fc.property(anyJson, anyJson, (oldValue, newValue) => {
      const parsed = parseJsonText(editDocumentText(formatDocument(oldValue), newValue), {
        allowsComments: false,
      });
      expect('value' in parsed && jsonEquals(parsed.value, newValue)).toBe(true);
    }),
    { numRuns: getPropertyRuns(200) },
  );
});
