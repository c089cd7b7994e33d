import { expect, test } from 'vitest';
import { getRelationHints } from '../../../src/documents/relationHints.ts';
import { parseJsonTree } from '../../../src/json/text/parseJsonTree.ts';

const datamodel = {
  oid: 'm',
  title: 'Retail',
  datasets: [
    {
      oid: 'd',
      name: 'Sales',
      schema: { tables: [{ oid: 't', name: 'Orders', columns: [{ oid: 'c', name: 'Order Id' }] }] },
    },
  ],
};

test('each oid is followed by a name, which is undefined for missing items', () => {
  const text = '{"columns": [{"dataset": "d", "table": "t", "column": "c"}, {"table": "t", "column": "x"}]}';
  expect(getRelationHints(parseJsonTree(text), datamodel)).toEqual([
    { offset: text.indexOf('"d"') + 3, name: 'Sales' },
    { offset: text.indexOf('"t"') + 3, name: 'Orders' },
    { offset: text.indexOf('"c"') + 3, name: 'Order Id' },
    { offset: text.lastIndexOf('"t"') + 3, name: 'Orders' },
    { offset: text.indexOf('"x"') + 3, name: undefined },
  ]);
});

test.each(['', '{', '[]', '{"columns": 1}', '{"columns": [1, {"table": 2}]}'])(
  'the text "%s" has no hints',
  (text) => {
    expect(getRelationHints(parseJsonTree(text), datamodel)).toEqual([]);
  },
);
