import { describe, expect, test } from 'vitest';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { findDocumentNameAt } from '../../../../src/sql/embedded/tableJson.ts';

const document = `{
  "oid": "t1", "id": "orders.csv", "name": "Or\\"ders",
  "columns": [
    { "oid": "c1", "name": "Amount", "type": 5 },
    { "name": "New", "expression": "[Amount]" },
    { "oid": "c3", "id": "Status" }
  ]
}`;

const findName = (text: string): ReturnType<typeof findDocumentNameAt> =>
  findDocumentNameAt(parseJsonTree(document), document.indexOf(text) + 1);

describe('the name at a position in the JSON of a table', () => {
  test('is that of a column, with its oid', () => {
    const start = document.indexOf('Amount');
    const found = { start, end: start + 6, name: 'Amount', columnId: 'c1' };
    expect(findDocumentNameAt(parseJsonTree(document), start)).toEqual(found);
    expect(findDocumentNameAt(parseJsonTree(document), start + 6)).toEqual(found);
  });

  test('is that of the table, whatever its escapes', () => {
    const start = document.indexOf('Or\\"ders');
    expect(findDocumentNameAt(parseJsonTree(document), start + 3)).toEqual({
      start,
      end: start + 8,
      name: 'Or"ders',
    });
  });

  test('has no oid if the column is new', () => {
    expect(findName('New')).toMatchObject({ name: 'New', columnId: '' });
  });

  test('is undefined anywhere else', () => {
    expect(findName('orders.csv')).toBeUndefined();
    expect(findName('"type"')).toBeUndefined();
    expect(findName('Status')).toBeUndefined();
    expect(findDocumentNameAt(parseJsonTree(''), 0)).toBeUndefined();
    expect(findDocumentNameAt(parseJsonTree('[1, {"name": "x"'), 12)).toBeUndefined();
    expect(findDocumentNameAt(parseJsonTree('{"name": "half'), 12)).toMatchObject({ name: 'half' });
  });
});
