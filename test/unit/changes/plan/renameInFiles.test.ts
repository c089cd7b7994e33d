import { describe, expect, test } from 'vitest';
import { renameInFiles } from '../../../../src/changes/plan/rename/renameInFiles.ts';
import { applyEdits } from '../../../../src/sql/language.ts';

const model = {
  oid: 'm',
  title: 'Shop',
  datasets: [
    {
      oid: 'd',
      schema: {
        tables: [
          { oid: 'o', id: 'orders', name: 'Orders', columns: [{ oid: 'q', id: 'qty', name: 'Qty' }] },
          { oid: 's', id: 'stores', name: 'Stores', columns: [{ oid: 'k', id: 'qty', name: 'Qty' }] },
        ],
      },
    },
  ],
};
const columnResource = {
  kind: 'columnExpression',
  datamodelId: 'm',
  datasetId: 'd',
  tableId: 'o',
  columnId: 'x',
} as const;

const rename = (
  request: { tableId: string; columnId?: string; newName: string },
  files: Parameters<typeof renameInFiles>[2],
): readonly string[] =>
  renameInFiles(model, request, files).map(({ file, edits }) => applyEdits(file.text, edits));

describe('a rename in SQL files', () => {
  test('of a table changes its names only, and leaves out files without one', () => {
    const files = [
      { text: "SELECT Orders.Qty, 'Orders' FROM Orders" },
      { text: 'SELECT Orders.Qty FROM Stores Orders' },
      { text: 'SELECT broken FROM' },
      { text: '' },
    ];
    expect(rename({ tableId: 'o', newName: 'Sales Orders' }, files)).toEqual([
      "SELECT [Sales Orders].Qty, 'Orders' FROM [Sales Orders]",
    ]);
  });

  test('of a column changes only the column of its table, even in a copy of the SQL of a column', () => {
    const files = [
      { text: 'SELECT o.Qty, s.Qty FROM Orders o, Stores s' },
      { text: '[Qty] * 2', resource: columnResource },
      { text: '[Qty] * 2', resource: { ...columnResource, tableId: 's' } },
    ];
    expect(rename({ tableId: 'o', columnId: 'q', newName: 'Quantity' }, files)).toEqual([
      'SELECT o.Quantity, s.Qty FROM Orders o, Stores s',
      '[Quantity] * 2',
    ]);
  });

  test.each([
    { tableId: 'gone', newName: 'New' },
    { tableId: 'o', columnId: 'gone', newName: 'New' },
  ])('of a missing table or column changes nothing (%j)', (request) =>
    expect(rename(request, [{ text: 'SELECT Qty FROM Orders' }])).toEqual([]),
  );
});
