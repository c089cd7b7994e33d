import { expect, test } from 'vitest';
import { completionsAt, type ExpressionContext } from '../../../src/sql/index.ts';
import { columnContext, extractCaret, tableContext } from './model.ts';

/** The first items at a caret: kind, label, detail in brackets, and what is inserted if that is not the label. */
function listItems(marked: string, context: ExpressionContext): readonly string[] {
  const { text, offset } = extractCaret(marked);
  return completionsAt(text, offset, context)
    .slice(0, 8)
    .map(({ kind, label, detail, insertText, start, end }) =>
      [
        `${kind} ${label}`,
        detail === undefined ? '' : ` (${detail})`,
        insertText === label ? '' : ` > ${insertText}`,
        start === end ? '' : ` for ${text.slice(start, end)}`,
      ].join(''),
    );
}
test.each<[string, ExpressionContext, readonly string[]]>([
  [
    'SELECT | FROM Orders o, Customers, (SELECT 1 AS x) d',
    tableContext,
    [
      'column Order Id (o (Orders) · Text) > [Order Id]',
      'column Customer Id (o (Orders) · Text) > o.[Customer Id]',
      'column Order Date (o (Orders) · Text) > [Order Date]',
      'column Amount (o (Orders) · Text)',
      'column Status (o (Orders) · Text)',
      'column Margin (o (Orders) · Decimal · hidden)',
      'column Customer Id (Customers · Text) > Customers.[Customer Id]',
      'column Name (Customers · Text)',
    ],
  ],
  [
    'WITH c AS (SELECT 1 AS n) SELECT | FROM c, Orders o',
    tableContext,
    [
      'column n (c)',
      'column Order Id (o (Orders) · Text) > [Order Id]',
      'column Customer Id (o (Orders) · Text) > [Customer Id]',
      'column Order Date (o (Orders) · Text) > [Order Date]',
      'column Amount (o (Orders) · Text)',
      'column Status (o (Orders) · Text)',
      'column Margin (o (Orders) · Decimal · hidden)',
      'cte c',
    ],
  ],
  [
    'WITH c AS (SELECT 1 AS n) SELECT * FROM |',
    tableContext,
    [
      'cte c',
      'table Orders',
      'table Customers',
      'table Order Items > [Order Items]',
      'table Products',
      'table orders.csv > [orders.csv]',
    ],
  ],
  [
    'SELECT o.| FROM Orders o',
    tableContext,
    [
      'column Order Id (o (Orders) · Text) > [Order Id]',
      'column Customer Id (o (Orders) · Text) > [Customer Id]',
      'column Order Date (o (Orders) · Text) > [Order Date]',
      'column Amount (o (Orders) · Text)',
      'column Status (o (Orders) · Text)',
      'column Margin (o (Orders) · Decimal · hidden)',
      'column * (all columns)',
    ],
  ],
  ['SELECT o.Am| FROM Orders o', tableContext, ['column Amount (o (Orders) · Text) for Am']],
  [
    'SELECT o.[| FROM Orders o',
    tableContext,
    [
      'column Order Id (o (Orders) · Text) > [Order Id] for [',
      'column Customer Id (o (Orders) · Text) > [Customer Id] for [',
      'column Order Date (o (Orders) · Text) > [Order Date] for [',
      'column Amount (o (Orders) · Text) > [Amount] for [',
      'column Status (o (Orders) · Text) > [Status] for [',
      'column Margin (o (Orders) · Decimal · hidden) > [Margin] for [',
    ],
  ],
  [
    'SELECT o."Or| FROM Orders o',
    tableContext,
    [
      'column Order Id (o (Orders) · Text) > "Order Id" for "Or',
      'column Order Date (o (Orders) · Text) > "Order Date" for "Or',
    ],
  ],
  [
    'SELECT Orders.| FROM Orders',
    tableContext,
    [
      'column Order Id (Orders · Text) > [Order Id]',
      'column Customer Id (Orders · Text) > [Customer Id]',
      'column Order Date (Orders · Text) > [Order Date]',
      'column Amount (Orders · Text)',
      'column Status (Orders · Text)',
      'column Margin (Orders · Decimal · hidden)',
      'column * (all columns)',
    ],
  ],
  [
    'SELECT d.| FROM (SELECT Amount AS a, Status FROM Orders) d',
    tableContext,
    ['column a (d · Text)', 'column Status (d · Text)', 'column * (all columns)'],
  ],
  [
    'SELECT * FROM Orders o JOIN |',
    tableContext,
    [
      'table Customers',
      'table Order Items > [Order Items]',
      'table Orders',
      'table Products',
      'table orders.csv > [orders.csv]',
    ],
  ],
  [
    'SELECT * FROM Orders o JOIN Customers c ON |',
    tableContext,
    [
      'column Customer Id = Customer Id (relation) > o.[Customer Id] = c.[Customer Id]',
      'column Order Id (o (Orders) · Text) > [Order Id]',
      'column Customer Id (o (Orders) · Text) > o.[Customer Id]',
      'column Order Date (o (Orders) · Text) > [Order Date]',
      'column Amount (o (Orders) · Text)',
      'column Status (o (Orders) · Text)',
      'column Margin (o (Orders) · Decimal · hidden)',
      'column Customer Id (c (Customers) · Text) > c.[Customer Id]',
    ],
  ],
  [
    'SELECT * FROM Orders o JOIN [Order Items] i ON |',
    tableContext,
    [
      'column Order Id = Order Id (relation) > o.[Order Id] = i.[Order Id]',
      'column Order Id (o (Orders) · Text) > o.[Order Id]',
      'column Customer Id (o (Orders) · Text) > [Customer Id]',
      'column Order Date (o (Orders) · Text) > [Order Date]',
      'column Amount (o (Orders) · Text)',
      'column Status (o (Orders) · Text)',
      'column Margin (o (Orders) · Decimal · hidden)',
      'column Order Id (i (Order Items) · Text) > i.[Order Id]',
    ],
  ],
  ['SELECT * FROM Cust|', tableContext, ['table Customers for Cust']],
  [
    'SELECT * FROM [Ord|',
    tableContext,
    [
      'table Orders > [Orders] for [Ord',
      'table Order Items > [Order Items] for [Ord',
      'table orders.csv > [orders.csv] for [Ord',
    ],
  ],
  [
    'SELECT Amount FROM Orders WHERE |',
    tableContext,
    [
      'column Order Id (Orders · Text) > [Order Id]',
      'column Customer Id (Orders · Text) > [Customer Id]',
      'column Order Date (Orders · Text) > [Order Date]',
      'column Amount (Orders · Text)',
      'column Status (Orders · Text)',
      'column Margin (Orders · Decimal · hidden)',
      'table Orders',
      'function LOOKUP (LOOKUP(remote table, remote result column, this match column, remote match column)) > LOOKUP()',
    ],
  ],
  [
    'SELECT Amount FROM Orders ORDER BY |',
    tableContext,
    [
      'column Order Id (Orders · Text) > [Order Id]',
      'column Customer Id (Orders · Text) > [Customer Id]',
      'column Order Date (Orders · Text) > [Order Date]',
      'column Amount (Orders · Text)',
      'column Status (Orders · Text)',
      'column Margin (Orders · Decimal · hidden)',
      'table Orders',
      'function LOOKUP (LOOKUP(remote table, remote result column, this match column, remote match column)) > LOOKUP()',
    ],
  ],
  [
    'SELECT Status AS s, COUNT(*) FROM Orders GROUP BY |',
    tableContext,
    [
      'column Order Id (Orders · Text) > [Order Id]',
      'column Customer Id (Orders · Text) > [Customer Id]',
      'column Order Date (Orders · Text) > [Order Date]',
      'column Amount (Orders · Text)',
      'column Status (Orders · Text)',
      'column Margin (Orders · Decimal · hidden)',
      'column s (result)',
      'table Orders',
    ],
  ],
  [
    'SELECT SU| FROM Orders',
    tableContext,
    [
      'function SUM (SUM(x)) > SUM() for SU',
      'function SUBSTRING (SUBSTRING(s, start, len)) > SUBSTRING() for SU',
      'column Status (Orders · Text) for SU',
    ],
  ],
  [
    'SELECT |',
    tableContext,
    [
      'function LOOKUP (LOOKUP(remote table, remote result column, this match column, remote match column)) > LOOKUP()',
      'function ADDYEARS (ADDYEARS(dt, n)) > ADDYEARS()',
      'function ADDQUARTERS (ADDQUARTERS(dt, n)) > ADDQUARTERS()',
      'function ADDMONTHS (ADDMONTHS(dt, n)) > ADDMONTHS()',
      'function ADDDAYS (ADDDAYS(dt, n)) > ADDDAYS()',
      'function ADDHOURS (ADDHOURS(dt, n)) > ADDHOURS()',
      'function ADDMINUTES (ADDMINUTES(dt, n)) > ADDMINUTES()',
      'function ADDSECONDS (ADDSECONDS(dt, n)) > ADDSECONDS()',
    ],
  ],
  [
    'SELECT Orders.| ',
    tableContext,
    [
      'column Order Id (Orders · Text) > [Order Id]',
      'column Customer Id (Orders · Text) > [Customer Id]',
      'column Order Date (Orders · Text) > [Order Date]',
      'column Amount (Orders · Text)',
      'column Status (Orders · Text)',
      'column Margin (Orders · Decimal · hidden)',
      'column * (all columns)',
    ],
  ],
  ['|', tableContext, ['keyword SELECT', 'keyword WITH']],
  [
    '|',
    columnContext,
    [
      'column Order Id (Orders · Text) > [Order Id]',
      'column Customer Id (Orders · Text) > [Customer Id]',
      'column Order Date (Orders · Text) > [Order Date]',
      'column Amount (Orders · Text)',
      'column Status (Orders · Text)',
      'column Margin (Orders · Decimal · hidden)',
      'function LOOKUP (LOOKUP(remote table, remote result column, this match column, remote match column)) > LOOKUP()',
      'function ADDYEARS (ADDYEARS(dt, n)) > ADDYEARS()',
    ],
  ],
  [
    '[|',
    columnContext,
    [
      'column Order Id (Orders · Text) > [Order Id] for [',
      'column Customer Id (Orders · Text) > [Customer Id] for [',
      'column Order Date (Orders · Text) > [Order Date] for [',
      'column Amount (Orders · Text) > [Amount] for [',
      'column Status (Orders · Text) > [Status] for [',
      'column Margin (Orders · Decimal · hidden) > [Margin] for [',
    ],
  ],
  [
    'Am|',
    columnContext,
    [
      'column Amount (Orders · Text) for Am',
      'function ADDMONTHS (ADDMONTHS(dt, n)) > ADDMONTHS() for Am',
      'function ADDMINUTES (ADDMINUTES(dt, n)) > ADDMINUTES() for Am',
    ],
  ],
  [
    'Lookup([|',
    columnContext,
    [
      'table Orders > [Orders] for [',
      'table Customers > [Customers] for [',
      'table Order Items > [Order Items] for [',
      'table Products > [Products] for [',
      'table orders.csv > [orders.csv] for [',
    ],
  ],
  [
    'Lookup([Customers], [|',
    columnContext,
    [
      'column Customer Id (Customers · Text) > [Customer Id] for [',
      'column Name (Customers · Text) > [Name] for [',
      'column Country (Customers · Text) > [Country] for [',
      'column First Name (Customers · Text) > [First Name] for [',
      'column Last Name (Customers · Text) > [Last Name] for [',
    ],
  ],
])('the first items have their kind, label, and detail: %s', (marked, context, expected) => {
  expect(listItems(marked, context)).toEqual(expected);
});

test.each<[string, readonly string[]]>([
  ['SELECT [Order Id]| FROM Orders', ['']],
  ['SELECT "Order Id"| FROM Orders', ['']],
  ['SELECT o.[Order Id]| FROM Orders o', ['']],
  ['SELECT [Order |Id] FROM Orders', ['[Order Id]']],
  ['SELECT |[Order Id] FROM Orders', ['']],
  ['SELECT Amount| FROM Orders', ['Amount']],
  ['SELECT Am|ount FROM Orders', ['Amount']],
  ['SELECT |Amount FROM Orders', ['']],
  ['SELECT [Am| FROM Orders', ['[Am']],
  ["SELECT 'a|' FROM Orders", []],
  ['SELECT 1| FROM Orders', []],
])('an accepted item replaces what is typed: %s', (marked, expected) => {
  const { text, offset } = extractCaret(marked);
  const replaced = completionsAt(text, offset, tableContext).map(({ start, end }) => text.slice(start, end));
  expect([...new Set(replaced)]).toEqual(expected);
});
