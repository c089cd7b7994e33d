import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyEdits,
  type ChangeSide,
  type Definition,
  definitionAt,
  diagnose,
  type ExpressionContext,
  findMeaningChanges,
  type Meaning,
  type RenameConflict,
  renameSymbolAt,
} from '../../../src/sql/index.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { unquoteName } from '../../../src/sql/syntax/lexedText.ts';
import { cleanTexts } from './generate.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { CATALOG, extractCaret, tableContext } from './model.ts';

/** A conflict in short form: its name and line, and what the name referred to before and would refer to after. */
function formatConflict(text: string, { kind, name, start, before, after }: RenameConflict): string {
  const heading = `${kind} ${name}@${text.slice(0, start).split('\n').length}`;
  return kind === 'captured'
    ? `${heading}: ${before.kind} ${before.name} > ${`${after.kind} ${after.name}`.trimEnd()}`
    : heading;
}

function findConflicts(marked: string, newName: string): string[] | undefined {
  const { text, offset } = extractCaret(marked.replaceAll('⏎', '\n'));
  return renameSymbolAt(text, offset, newName, tableContext)?.conflicts.map((conflict) =>
    formatConflict(text, conflict),
  );
}

describe('a rename that would be captured is rejected, with the capturing name', () => {
  test.each([
    [
      'an alias by one of an inner query',
      'SELECT |o.Amount FROM Orders o⏎WHERE EXISTS (SELECT 1 FROM Customers c⏎WHERE c.Name = o.Status)',
      'c',
      ['captured o@3: alias o > alias c', 'captured Status@3: column Status > nothing'],
    ],
    [
      'an alias that captures one further out',
      'SELECT o.Amount FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers |c WHERE o.Status = c.Name)',
      'o',
      ['captured o@1: alias o > alias o', 'captured Status@1: column Status > nothing'],
    ],
    [
      'a WITH query by the name of a table that is read',
      'WITH |a AS (SELECT 1 AS n) SELECT a.n, x.Amount FROM a, Orders x',
      'Orders',
      ['captured Orders@1: table Orders > cte Orders', 'captured Amount@1: column Amount > nothing'],
    ],
    [
      'a WITH query by the name of the table that it reads itself',
      'WITH |a AS (SELECT Amount FROM Orders) SELECT Amount FROM a',
      'Orders',
      ['captured Orders@1: table Orders > cte Orders'],
    ],
    [
      'a column of a derived table onto another',
      'SELECT d.a, d.b FROM (SELECT Amount AS |a, Status AS b FROM Orders) d',
      'b',
      ['captured b@1: result b > result b', 'duplicate b@1', 'duplicate b@1', 'duplicate b@1'],
    ],
    [
      'two columns of a result',
      'SELECT Amount AS |a, Status AS b FROM Orders',
      'b',
      ['duplicate b@1', 'duplicate b@1'],
    ],
    [
      'two columns of a result through a star',
      'SELECT o.*, c.Name AS |n FROM Orders o, Customers c',
      'Amount',
      ['duplicate Amount@1'],
    ],
    [
      'an alias onto one of the same query',
      'SELECT o.Amount FROM Orders |o, Customers c',
      'c',
      ['duplicate c@1'],
    ],
    [
      'a column of a result by one of a table, in GROUP BY',
      'SELECT Status AS |s, COUNT(*) AS n FROM Orders GROUP BY s',
      'Amount',
      ['captured s@1: result s > column Amount'],
    ],
    [
      'a bare column of a table by a derived one further in',
      'SELECT 1 FROM Orders WHERE EXISTS (SELECT 1 FROM (SELECT 1 AS |x) d WHERE Amount = x)',
      'Amount',
      ['captured Amount@1: column Amount > result Amount'],
    ],
    [
      'columns that a NATURAL JOIN joins',
      'SELECT d.x FROM Orders NATURAL JOIN (SELECT 1 AS |x) d',
      'Amount',
      ['joined (SELECT 1 AS x)@1'],
    ],
    [
      'the first columns that a NATURAL JOIN joins',
      'SELECT d.x FROM Orders NATURAL JOIN (SELECT 1 AS |x) d',
      'Order Id',
      ['joined (SELECT 1 AS x)@1'],
    ],
    [
      'columns that USING joins',
      'SELECT 1 FROM (SELECT 1 AS |k) a JOIN (SELECT 1 AS k) b USING (k)',
      'm',
      ['joined k@1'],
    ],
    [
      'a column list of an inner WITH query',
      'WITH c (|n) AS (SELECT 1), d AS (SELECT 2 AS m) SELECT n, m FROM c, d',
      'm',
      ['captured m@1: result m > ambiguous', 'duplicate m@1'],
    ],
  ])('%s', (_, marked, newName, expected) => {
    expect(findConflicts(marked, newName)).toEqual(expected);
  });

  test.each([
    ['a name of a table that is not read', 'SELECT |o.Amount FROM Orders o', 'Customers'],
    ['the same name', 'SELECT |o.Amount FROM Orders o', 'o'],
    ['the same name in capitals', 'SELECT |o.Amount FROM Orders o', 'O'],
    ['an alias of a sibling query', 'SELECT (SELECT c.Name FROM Customers c) FROM Orders |o', 'c'],
    ['a column that the text does not name', 'SELECT Status AS |s FROM Orders ORDER BY s', 'Amount'],
    [
      'a table outside of the query with the WITH clause',
      'SELECT d.n, x.Amount FROM (WITH |a AS (SELECT 1 AS n) SELECT a.n FROM a) d, Orders x',
      'Orders',
    ],
    [
      'an alias of the other operand of UNION',
      'SELECT o.Amount FROM Orders |o UNION SELECT c.Name FROM Customers c',
      'c',
    ],
    ['the alias of an unknown table', 'SELECT |o.x FROM Nowhere o JOIN Nowhere2 p ON p.y = o.y', 'q'],
    [
      'a result column with the name of the column that it shows',
      'SELECT x FROM (SELECT Amount AS |x FROM Orders) d',
      'Amount',
    ],
  ])('but not %s', (_, marked, newName) => expect(findConflicts(marked, newName)).toEqual([]));
});

/** A conflict with its exact place, and the tables and declarations that its meanings refer to. */
function formatPlace(text: string, { kind, start, end, before, after }: RenameConflict): string {
  const formatMeaning = ({ kind: meaning, table, name, start: declaration }: Meaning): string =>
    [meaning, table, name, declaration === undefined ? '' : `@${declaration}`].filter(Boolean).join(' ');
  return `${kind} "${text.slice(start, end)}"@${start}: ${formatMeaning(before)} > ${formatMeaning(after)}`;
}

describe('a conflict says where it is, and what the name refers to on both sides', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'SELECT |o.Amount FROM Orders o WHERE EXISTS (SELECT 1 FROM Customers c WHERE c.Name = o.Status)',
      'c',
      ['captured "o"@85: alias o @28 > alias c @68', 'captured "Status"@87: column Orders Status > nothing'],
    ],
    [
      'WITH |a AS (SELECT 1 AS n) SELECT a.n, x.Amount FROM a, Orders x',
      'Orders',
      [
        'captured "Orders"@55: table Orders > cte Orders @5',
        'captured "Amount"@40: column Orders Amount > nothing',
      ],
    ],
    [
      'SELECT Status AS |s, COUNT(*) AS n FROM Orders GROUP BY s',
      'Amount',
      ['captured "s"@55: result s @17 > column Orders Amount'],
    ],
    [
      'SELECT Amount AS |a, Status AS b FROM Orders',
      'b',
      ['duplicate "SELECT"@0: nothing > nothing', 'duplicate "b"@30: nothing > nothing'],
    ],
    [
      'SELECT d.a, d.b FROM (SELECT Amount AS |a, Status AS b FROM Orders) d',
      'b',
      [
        'captured "b"@14: result b @52 > result b @39',
        'duplicate "SELECT"@0: nothing > nothing',
        'duplicate "SELECT"@22: nothing > nothing',
        'duplicate "b"@52: nothing > nothing',
      ],
    ],
    [
      'SELECT d.x FROM Orders NATURAL JOIN (SELECT 1 AS |x) d',
      'Amount',
      ['joined "(SELECT 1 AS x)"@36: nothing > nothing'],
    ],
    [
      'WITH c (|n) AS (SELECT 1), d AS (SELECT 2 AS m) SELECT n, m FROM c, d',
      'm',
      ['captured "m"@57: result m @44 > ambiguous', 'duplicate "SELECT"@47: nothing > nothing'],
    ],
  ])('if a name in %s is renamed to %s', (marked, newName, expected) => {
    const { text, offset } = extractCaret(marked);
    const conflicts = renameSymbolAt(text, offset, newName, tableContext)?.conflicts;
    expect(conflicts?.map((conflict) => formatPlace(text, conflict))).toEqual(expected);
  });

  const createSide = (text: string): ChangeSide => ({
    text,
    context: tableContext,
    getIdentity: ({ table, column }) => `${table.name}.${column?.name ?? ''}`,
  });

  test.each<[string, string, readonly string[]]>([
    [
      'SELECT Amount FROM Orders',
      'SELECT Amount FROM Orders WHERE (',
      ['unreadable ""@0: nothing > nothing'],
    ],
    [
      'SELECT Amount FROM Orders',
      'SELECT Amount FROM Orders; SELECT 1',
      ['unreadable ""@0: nothing > nothing'],
    ],
    ['SELECT (', 'SELECT (', []],
    ['SELECT ((', 'SELECT (', []],
    [
      'SELECT Amount FROM Orders o',
      'SELECT Amount FROM Customers o',
      [
        'captured "Orders"@19: table Orders > table Customers',
        'captured "Amount"@7: column Orders Amount > nothing',
      ],
    ],
    [
      'SELECT Name FROM Orders o',
      'SELECT Name FROM Customers o',
      [
        'captured "Orders"@17: table Orders > table Customers',
        'captured "Name"@7: nothing > column Customers Name',
      ],
    ],
    [
      'SELECT 1 FROM Orders JOIN Nowhere USING ([Customer Id])',
      'SELECT 1 FROM Orders JOIN Customers USING ([Customer Id])',
      [
        'captured "Nowhere"@26: nothing > table Customers',
        'joined "[Customer Id]"@41: ambiguous > ambiguous',
      ],
    ],
    [
      'SELECT 1 FROM Products, Nowhere USING ([Customer Id])',
      'SELECT 1 FROM Orders JOIN Customers p USING ([Customer Id])',
      ['joined "[Customer Id]"@39: nothing > ambiguous'],
    ],
    [
      'SELECT [Customer Id] FROM Orders, Customers',
      'SELECT [Customer Id] FROM Orders, Products',
      [
        'captured "[Customer Id]"@7: ambiguous > column Orders Customer Id',
        'captured "Customers"@34: table Customers > table Products',
      ],
    ],
    [
      'SELECT [Customer Id] FROM Orders, Customers',
      'SELECT [Customer Id] FROM Orders NATURAL JOIN Customers',
      ['joined "[Customer Id]"@7: ambiguous > ambiguous'],
    ],
    ['SELECT a FROM Orders o', 'SELECT Nothing_like_it FROM Orders o', []],
    [
      'SELECT Id FROM Nowhere, Orders',
      'SELECT Nothing_like_it FROM Customers, Orders',
      ['captured "Id"@7: nothing > nothing', 'captured "Nowhere"@15: nothing > table Customers'],
    ],
    ['SELECT 1; SELECT 2', 'SELECT 1', ['unreadable ""@0: nothing > nothing']],
    [
      'SELECT Nope FROM Orders o',
      'SELECT Nope FROM Customers o',
      ['captured "Orders"@17: table Orders > table Customers'],
    ],
  ])('if %s becomes %s', (before, after, expected) => {
    const changes = findMeaningChanges(createSide(before), createSide(after));
    expect(changes.map((conflict) => formatPlace(before, conflict))).toEqual(expected);
  });
});

/** Texts in which names of the same spelling have several meanings. */
const scopedTexts = [
  'WITH a AS (SELECT Amount AS x FROM Orders), b AS (SELECT x AS y FROM a) SELECT b.y, a.x FROM b JOIN a ON a.x = b.y',
  'SELECT o.Amount, (SELECT MAX(i.Quantity) FROM [Order Items] i WHERE i.[Order Id] = o.[Order Id]) AS m FROM Orders o ORDER BY m',
  'SELECT d.x, d.y FROM (SELECT Amount AS x, Status AS y FROM Orders) d WHERE EXISTS (SELECT 1 FROM Customers c WHERE c.Name = d.x)',
  'SELECT x FROM (SELECT Amount AS x FROM Orders) d, (SELECT Name AS y FROM Customers) e WHERE x = y',
  'WITH c (n, m) AS (SELECT Amount, Status FROM Orders) SELECT n AS m2, m AS n2 FROM c GROUP BY n, m ORDER BY n2',
  'WITH c AS (SELECT * FROM Orders), d AS (SELECT *, 1 AS z FROM c) SELECT d.Amount, z FROM d, c WHERE c.Status = d.Status',
  'SELECT a.x FROM (SELECT 1 AS x UNION SELECT 2 AS y) a ORDER BY x',
  'SELECT o.Amount AS Status, o.Status AS Amount FROM Orders o ORDER BY Amount',
  'SELECT o.Amount FROM Orders o JOIN LATERAL (SELECT c.Name AS n FROM Customers c WHERE c.Country = o.Status) l ON l.n = o.Status',
  'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 9) SELECT r.n FROM r',
  'SELECT Orders.Amount FROM Orders, Customers o WHERE o.Name = Orders.Status',
  'SELECT Amount AS \'total\', Date AS "d" FROM Orders, [orders.csv] f ORDER BY total',
];

const texts = [...cleanTexts, ...scopedTexts];

interface NameToken {
  readonly text: string;
  readonly start: number;
}

const listNames = (text: string): NameToken[] =>
  [...lex(text).tokens]
    .filter(({ kind }) => kind === 'word' || kind === 'quotedName')
    .map((token) => ({ text: unquoteName(text, token), start: token.start }));

/**
 * What each name in a text refers to, as `definitionAt` reports it; a declaration in the text by the index of its name.
 */
function listDefinitions(text: string, context: ExpressionContext): string[] {
  const names = listNames(text);
  const getNameIndex = (offset: number): number => names.findIndex(({ start }) => start === offset);
  return names.map(({ start }) => {
    const found: Definition | undefined = definitionAt(text, start, context);
    if (found === undefined) {
      return '';
    }
    const { kind, table = '', column = '' } = found;
    return found.start === undefined ? `${kind} ${table}.${column}` : `${kind} ${getNameIndex(found.start)}`;
  });
}

describe('a rename within a text', () => {
  const anyName = fc.oneof(
    fc.constantFrom(
      'a',
      'b',
      'c',
      'd',
      'x',
      'y',
      'n',
      'o',
      'Date',
      'Year',
      'Größe',
      'x y',
      'a]b',
      'a.b',
      'Select',
    ),
    fc.constantFrom(
      ...CATALOG.tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]),
    ),
    fc.constantFrom(...texts.flatMap((text) => listNames(text).map((token) => token.text))),
  );

  test('leaves every name bound as it was, or is rejected', () => {
    let acceptedCount = 0;
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), anyName, (text, index, newName) => {
        const names = listNames(text);
        fc.pre(names.length > 0 && newName.trim() === newName && newName !== '');
        const found = renameSymbolAt(text, names[index % names.length]?.start ?? 0, newName, tableContext);
        fc.pre(found !== undefined);
        if (found === undefined || found.conflicts.length > 0) {
          return;
        }
        acceptedCount += 1;
        const after = applyEdits(text, found.edits);
        const addsNoQualifier = found.edits.every(
          ({ newText }) => listNames(newText).length === 1 || newText.startsWith("'"),
        );
        if (addsNoQualifier) {
          expect(listDefinitions(after, tableContext)).toEqual(listDefinitions(text, tableContext));
        }
        expect(diagnose(after, tableContext).length).toBeLessThanOrEqual(diagnose(text, tableContext).length);
      }),
      { numRuns: getPropertyRuns(250) },
    );
    expect(acceptedCount).toBeGreaterThan(30);
  });

  test('to an unused name is never rejected', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.nat(),
        fc.constantFrom('fresh_one', 'fresh one', 'frésh', 'fresh]one', '9fresh', 'fresh.one'),
        (text, index, newName) => {
          const names = listNames(text);
          fc.pre(names.length > 0);
          const found = renameSymbolAt(text, names[index % names.length]?.start ?? 0, newName, tableContext);
          fc.pre(found !== undefined && !/USING|NATURAL/i.test(text));
          expect(found?.conflicts.map((conflict) => formatConflict(text, conflict))).toEqual([]);
        },
      ),
      { numRuns: getPropertyRuns(250) },
    );
  });
});
