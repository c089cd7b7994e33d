import { describe, expect, test } from 'vitest';
import {
  definitionAt,
  findEngineErrorRange,
  hoverAt,
  findOutputNameRange,
  getQueryOutputNames,
  referencesAt,
  signatureHelpAt,
} from '../../../src/sql/index.ts';
import { columnContext, extractCaret, tableContext } from './model.ts';

describe('definition', () => {
  function findDefinition(marked: string, context = tableContext): unknown {
    const { text, offset } = extractCaret(marked);
    const found = definitionAt(text, offset, context);
    if (found === undefined) {
      return undefined;
    }
    const { start, end, ...rest } = found;
    return start === undefined ? rest : { ...rest, declaration: `${start}:${text.slice(start, end)}` };
  }

  test.each([
    ['SELECT * FROM Ord|ers', { kind: 'table', table: 'Orders' }],
    ['select * from |orders', { kind: 'table', table: 'Orders' }],
    ['SELECT Am|ount FROM Orders', { kind: 'column', table: 'Orders', column: 'Amount' }],
    ['SELECT o.[order| id] FROM Orders o', { kind: 'column', table: 'Orders', column: 'Order Id' }],
    ['SELECT |o.Amount FROM Orders o', { kind: 'alias', table: 'Orders', declaration: '28:o' }],
    ['SELECT o|.Amount FROM Orders o', { kind: 'alias', table: 'Orders', declaration: '28:o' }],
    ['SELECT Orders|.Amount FROM Orders', { kind: 'table', table: 'Orders' }],
    ['SELECT o.Amount FROM Orders |o', { kind: 'alias', table: 'Orders', declaration: '28:o' }],
    ['WITH c AS (SELECT 1 AS n) SELECT n FROM |c', { kind: 'cte', declaration: '5:c' }],
    ['WITH c AS (SELECT 1 AS n) SELECT |n FROM c', { kind: 'column', declaration: '23:n' }],
    [
      'WITH c AS (SELECT Amount AS n FROM Orders) SELECT |n FROM c',
      { kind: 'column', table: 'Orders', column: 'Amount', declaration: '28:n' },
    ],
    [
      'WITH c AS (SELECT Amount FROM Orders) SELECT |Amount FROM c',
      { kind: 'column', table: 'Orders', column: 'Amount' },
    ],
    ['WITH c (x) AS (SELECT 1) SELECT |x FROM c', { kind: 'column', declaration: '8:x' }],
    ['SELECT d.|n FROM (SELECT 1 AS n) d', { kind: 'column', declaration: '29:n' }],
    ['SELECT |d.n FROM (SELECT 1 AS n) d', { kind: 'alias', declaration: '32:d' }],
    [
      'SELECT 1 FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers c WHERE |o.Amount = 1)',
      { kind: 'alias', table: 'Orders', declaration: '21:o' },
    ],
    ['SELECT Nop|e FROM Orders', undefined],
    ["SELECT 'Am|ount' FROM Orders", undefined],
    ['SEL|ECT Amount FROM Orders', undefined],
    ['SELECT Orders|.Amount FROM Orders o', undefined],
  ])('%s', (marked, expected) => expect(findDefinition(marked)).toEqual(expected));

  test('Lookup arguments refer to their own tables', () => {
    const text = 'Lookup([Customers], [Name], [|Customer Id], [Customer Id])';
    expect(findDefinition(text, columnContext)).toEqual({
      kind: 'column',
      table: 'Orders',
      column: 'Customer Id',
    });
    expect(
      findDefinition('Lookup([Customers], [Na|me], [Customer Id], [Customer Id])', columnContext),
    ).toEqual({
      kind: 'column',
      table: 'Customers',
      column: 'Name',
    });
    expect(
      findDefinition('Lookup([Cust|omers], [Name], [Customer Id], [Customer Id])', columnContext),
    ).toEqual({
      kind: 'table',
      table: 'Customers',
    });
  });
});

test('references list every occurrence once, including the declaration', () => {
  const { text, offset } = extractCaret(
    'SELECT |o.Amount FROM Orders o WHERE o.Status = 1 AND EXISTS (SELECT o.Name FROM Customers o)',
  );
  const places = referencesAt(text, offset, tableContext);
  expect(places.map(({ start, isDeclaration }) => [start, isDeclaration])).toEqual([
    [7, false],
    [28, true],
    [36, false],
  ]);
});

describe('hover', () => {
  function getHover(marked: string): unknown {
    const { text, offset } = extractCaret(marked);
    return hoverAt(text, offset, tableContext);
  }

  test.each([
    [
      'SELECT Am|ount FROM Orders',
      { kind: 'column', title: 'Orders.Amount', detail: 'Text', start: 7, end: 13 },
    ],
    ['SELECT * FROM Ord|ers', { kind: 'table', title: 'Orders', columnCount: 6, start: 14, end: 20 }],
    ['SELECT |o.Amount FROM Orders o', { kind: 'alias', title: 'o', detail: 'Orders', start: 7, end: 8 }],
    [
      'SELECT |n FROM (SELECT Amount + 1 AS n FROM Orders) d',
      { kind: 'column', title: 'n', detail: 'Amount + 1', start: 7, end: 8 },
    ],
    [
      'SELECT Add|Days(Amount, 1) FROM Orders',
      { kind: 'function', title: 'ADDDAYS(dt, n)', detail: 'Date and time plus n days', start: 7, end: 14 },
    ],
    [
      'SELECT Index|Of(Status, 1) FROM Orders',
      {
        kind: 'function',
        title: 'INDEXOF(s, find)',
        detail: 'Position of a string in another string',
        unverified: true,
        start: 7,
        end: 14,
      },
    ],
    ['SELECT Nop|e(1)', undefined],
    ["SELECT 'x|'", undefined],
  ])('%s', (marked, expected) => expect(getHover(marked)).toEqual(expected));
});

describe('signature help', () => {
  test.each([
    ['SELECT AddDays(|', 'ADDDAYS', 0],
    ['SELECT AddDays([Order Date], |', 'ADDDAYS', 1],
    ['SELECT AddDays([Order Date], 1|) FROM Orders', 'ADDDAYS', 1],
    ['SELECT AddDays(GetYear(|), 1) FROM Orders', 'GETYEAR', 0],
    ['SELECT AddDays(GetYear(1), |1) FROM Orders', 'ADDDAYS', 1],
    ["SELECT ReplaceAll(Status, 'a|b', 'c') FROM Orders", 'REPLACEALL', 1],
    ['SELECT Lookup(Customers, Name, |', 'LOOKUP', 2],
    ['SELECT AddDays((1 + |), 2)', 'ADDDAYS', 0],
    ['SELECT COALESCE(1, 2, 3, |4)', 'COALESCE', 1],
    // An argument after the last parameter highlights none.
    ['SELECT AddDays(1, 2, |3)', 'ADDDAYS', 2],
  ])('%s', (marked, name, activeParameter) => {
    const { text, offset } = extractCaret(marked);
    const help = signatureHelpAt(text, offset, tableContext);
    expect([help?.label.split('(')[0], help?.activeParameter]).toEqual([name, activeParameter]);
  });

  test.each([
    'SELECT AddDays(1, 2) |',
    'SELECT Nope(|',
    'SELECT AddDays((SELECT | FROM Orders), 1)',
    'SELECT AddDays(1 -- |\n, 2)',
  ])('is not shown: %s', (marked) => {
    const { text, offset } = extractCaret(marked);
    expect(signatureHelpAt(text, offset, tableContext)).toBeUndefined();
  });
});

describe('the location of an engine error', () => {
  test.each([
    ['SELECT o.Nope FROM Orders o', 'no such column: o.Nope', 'Nope'],
    ['SELECT [No Col] FROM Orders', 'no such column: No Col', '[No Col]'],
    ['SELECT 1 FROM FROM Orders', 'near "FROM": syntax error', 'FROM'],
    ['SELECT * FROM nope', 'no such table: Nope', 'nope'],
    ['SELECT * FROM nope', 'no such table: main.nope', 'nope'],
    ['SELECT Id FROM a, b', 'ambiguous column name: Id', 'Id'],
    ['  SELECT 1 \n', 'something else went wrong', 'SELECT 1'],
    ['SELECT 1', 'near ")": syntax error', 'SELECT 1'],
    ['', 'the expression is empty', ''],
  ])('is found by its message: %s, %s', (text, message, expected) => {
    const { start, end } = findEngineErrorRange(text, message);
    expect(text.slice(start, end)).toBe(expected);
  });
});

describe('the location where a query names its column', () => {
  test.each([
    ['SELECT Amount AS [My Col], Status FROM Orders', 'my col', '[My Col]'],
    ['SELECT o.Status FROM Orders o', 'Status', 'Status'],
    ['WITH c AS (SELECT 1 AS x) SELECT x AS y FROM c UNION SELECT 2 AS z', 'y', 'y'],
    ['SELECT * FROM Orders', 'Status', undefined],
    ['', 'Status', undefined],
  ])('is found by the name of the column: %s, %s', (text, column, expected) => {
    const found = findOutputNameRange(text, column, tableContext);
    expect(found && text.slice(found.start, found.end)).toBe(expected);
  });
});

test.each<[string, readonly string[] | undefined]>([
  ['SELECT Amount, o.Status AS [My Col] FROM Orders o', ['Amount', 'My Col']],
  ['WITH c AS (SELECT 1 AS x) SELECT x AS y FROM c UNION SELECT 2 AS z', ['y']],
  ['(SELECT 1 AS x)', ['x']],
  ['SELECT 1 AS x;', ['x']],
  ['SELECT * FROM Orders', undefined],
  ['SELECT o.*, 1 AS x FROM Orders o', undefined],
  ['SELECT 1 AS x, 1 + 1 FROM Orders', undefined],
  ['SELECT 1 AS x FROM', undefined],
  ['SELECT 1 AS x WHERE (', undefined],
  ['SELECT 1 AS x; SELECT 2 AS y', undefined],
  ['SELECT 1 AS x,', undefined],
  ['VALUES (1)', undefined],
  ['', undefined],
])('the columns of a query are found by name, in any letter case: %s', (text, expected) => {
  const names = getQueryOutputNames(text);
  const candidates = ['Amount', 'Status', 'My Col', 'x', 'y', 'z', ''];
  expect(names && candidates.filter((name) => names.has(name))).toEqual(expected);
  expect(names && candidates.filter((name) => names.has(name.toUpperCase()))).toEqual(expected);
});
