import fc from 'fast-check';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, test } from 'vitest';
import { translateSql } from '../../../../src/sandbox/engine/dialect.ts';
import { registerDialect } from '../../../../src/sandbox/engine/dialectRegistry.ts';

function createDatabase(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  registerDialect(db);
  db.exec(
    `
    CREATE TABLE Orders ([Order Id] INTEGER, Customer INTEGER, Amount REAL, Note TEXT, [a]]b] TEXT);
  `.replace('[a]]b]', '`a]b`'),
  );
  db.exec(`
    INSERT INTO Orders VALUES (1, 7, 10.5, 'x', 'odd'), (2, 8, 20, NULL, ''), (3, 7, 5, 'it''s', NULL);
    CREATE TABLE Customers (Id INTEGER, Name TEXT, Customer TEXT);
    INSERT INTO Customers VALUES (7, 'Ada', 'no key'), (8, 'Grace', 'no key');
    CREATE TABLE [orders.csv] (Id INTEGER);
    INSERT INTO [orders.csv] VALUES (42);
  `);
  return db;
}

function queryRows(sql: string): unknown[][] {
  const db = createDatabase();
  try {
    return db
      .prepare(translateSql(sql, 'table').sql)
      .all()
      .map((row) => Object.values(row));
  } finally {
    db.close();
  }
}

/** The value of an expression, computed as by a custom table without FROM. */
const evaluate = (expression: string): unknown => queryRows(`SELECT ${expression}`)[0]?.[0];

/** A custom column's values over Orders. */
function computeColumn(expression: string): unknown[] {
  const db = createDatabase();
  try {
    const { sql } = translateSql(expression, 'column');
    return db
      .prepare(`SELECT (${sql}) AS v FROM Orders`)
      .all()
      .map((row) => row['v']);
  } finally {
    db.close();
  }
}

test("a custom column may be a SELECT without FROM, as in the vendor's demo", () => {
  expect(computeColumn("select [Customer] + ' ' + [Note]")).toEqual(
    computeColumn("[Customer] + ' ' + [Note]"),
  );
  expect(computeColumn('SELECT /* twice */ Amount * 2;')).toEqual([21, 40, 10]);
  expect(() => computeColumn('SELECT MAX(Amount) FROM Orders')).toThrow(
    "a column expression can't have a FROM clause",
  );
});

describe('+ (platform-facts.md, 5.4)', () => {
  it.each([
    ["'a' + 'b'", 'ab'],
    ["'a' + 'b' + 'c'", 'abc'],
    ['1 + 2', 3],
    ['1 + 2 + 3.5', 6.5],
    ["'a' + 1", 'a1'],
    ["1 + 2 + 'a'", '3a'],
    ["'a' + 1 + 2", 'a12'],
    ["'a' + NULL", null],
    ['NULL + 1', null],
    ["('a' + 'b') + ('c' + 'd')", 'abcd'],
    ["'1' + '2'", '12'],
    ['1 + 2 * 3', 7],
    ["'n' + 2 * 3", 'n6'],
    ["CASE WHEN 1 = 1 THEN 'a' END + 'b'", 'ab'],
    ["Upper('a') + Lower('B')", 'Ab'],
    ["9007199254740993 + 1 + ''", '9007199254740994'],
    ["2 * 3 + 'n'", '6n'],
  ])('%s', (expression, expected) => {
    expect(evaluate(expression)).toBe(expected);
  });

  it('adds or concatenates depending on the values if the expression does not show their types', () => {
    expect(computeColumn('[Note] + [Note]')).toEqual(['xx', null, "it'sit's"]);
    expect(computeColumn('[Amount] + [Order Id]')).toEqual([11.5, 22, 8]);
    expect(computeColumn("[Note] + ' ' + [Order Id]")).toEqual(['x 1', null, "it's 3"]);
  });

  it('concatenates long chains exactly as written', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 60 }), (texts) => {
        const literals = texts.map((text) => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`);
        expect(evaluate(literals.join(' + '))).toBe(texts.map((text) => text.replaceAll('\0', '')).join(''));
      }),
      { numRuns: 30 },
    );
  });

  it('adds whole numbers as numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 40 }), (numbers) => {
        expect(evaluate(numbers.join(' + '))).toBe(numbers.reduce((sum, number) => sum + number, 0));
      }),
      { numRuns: 30 },
    );
  });
});

describe('functions of platform-facts.md, 5.4', () => {
  const moment = "'2026-01-31 13:45:10'";
  it.each([
    [`ADDYEARS('2024-02-29', 1)`, '2025-02-28'],
    [`ADDQUARTERS(${moment}, 1)`, '2026-04-30T13:45:10'],
    [`ADDMONTHS('2026-01-31', 1)`, '2026-02-28'],
    [`AddMonths('2026-03-31', -1)`, '2026-02-28'],
    [`ADDDAYS('2026-01-31', 1)`, '2026-02-01'],
    [`ADDHOURS(${moment}, 11)`, '2026-02-01T00:45:10'],
    [`ADDMINUTES('2026-01-01', -1)`, '2025-12-31T23:59:00'],
    [`ADDSECONDS('2026-01-01', 1)`, '2026-01-01T00:00:01'],
    ['CREATEDATE(2020,01,01)', '2020-01-01'],
    ['CreateDate(2020, 1, 31)', '2020-01-31'],
    [`GETYEAR(${moment})`, 2026],
    [`GETQUARTER(${moment})`, 1],
    [`GETMONTH(${moment})`, 1],
    [`GETDAY(${moment})`, 31],
    [`GETHOUR(${moment})`, 13],
    [`GETMINUTE(${moment})`, 45],
    [`GETSECOND(${moment})`, 10],
    [`DAYOFWEEK('2026-01-04')`, 1],
    [`DAYOFYEAR('2026-02-01')`, 32],
    [`WEEKOFYEAR('2026-01-01')`, 1],
    [`WEEKOFYEAR('2027-01-01')`, 53],
    ["TOFLOAT('1.5')", 1.5],
    [`YEAR(${moment})`, 2026],
    [`MONTH(${moment})`, 1],
    [`DAYOFMONTH(${moment})`, 31],
    ["YEARDIFF('2026-01-31', '2020-02-01')", 5],
    ["QUARTERDIFF('2026-01-31', '2025-01-31')", 4],
    ["MONTHDIFF('2026-03-30', '2026-01-31')", 1],
    ["DAYDIFF('2026-01-31', '2026-01-01')", 30],
    ["DayDiff('2026-01-01', '2026-01-31')", -30],
    [`HOURDIFF(${moment}, '2026-01-31')`, 13],
    ["MINUTEDIFF('2026-01-01 01:00', '2026-01-01')", 60],
    ["SECONDDIFF('2026-01-01 00:01', '2026-01-01')", 60],
    ["LEFT('abc', 2)", 'ab'],
    ["RIGHT('abc', 2)", 'bc'],
    ["RIGHT('abc', 9)", 'abc'],
    ["LEN('año😀')", 4],
    ["LOWER('ÄB')", 'äb'],
    ["Upper('äb')", 'ÄB'],
    ["TRIM('  a ')", 'a'],
    ["LTRIM(' a')", 'a'],
    ["RTRIM('a ')", 'a'],
    ["SUBSTRING('abcdef', 2, 3)", 'bcd'],
    ["SubString('abcdef', 4)", 'def'],
    ["REPLACE('aXbX', 'X', '-')", 'a-b-'],
    ["ReplaceAll('a$b$', '$', '$&')", 'a$&b$&'],
    ["INDEXOF('abc', 'c')", 3],
    ["INDEXOF('abc', 'x')", 0],
    ["CONCAT('a', 'b')", 'ab'],
    ["Concat('a', Concat('b', 1))", 'ab1'],
    ["REPLICATE('ab', 2)", 'abab'],
    ["REVERSE('abc')", 'cba'],
    ["STRPARTS('a-b-c', '-', 2)", 'b'],
    ["STRPARTS('a-b-c', '-', 9)", null],
    ['TOSTRING(12)', '12'],
    ["TOINT('12')", 12],
    ["ToInt('12.9')", 12],
    ["TOBIGINT('12')", 12],
    ["TODOUBLE('2')", 2],
    ["TODATETIME('2026-01-31 10:00')", '2026-01-31T10:00:00'],
    ["CAST('12' AS INTEGER)", 12],
    ["CAST('2026-01-31 10:00' AS DATE)", '2026-01-31'],
    ["CAST('2026-01-31' AS TIMESTAMP)", '2026-01-31'],
    ['CAST(12 AS VARCHAR(10))', '12'],
    ["CAST('1.5' AS DOUBLE)", 1.5],
    ["CAST(12 AS VARCHAR(10)) + 'a'", '12a'],
    ["CASE WHEN 1 > 2 THEN 'a' ELSE 'b' END", 'b'],
    ['ISNULL(NULL)', 1],
    ['IsNull(1)', 0],
    ['NOT IsNull(1)', 1],
    ['IsNull(NULL, 5)', 5],
    ['IFNULL(NULL, 2)', 2],
    ['COALESCE(NULL, NULL, 3)', 3],
    ['NULLIF(1, 1)', null],
    ["IFINT(1 = 1, '2', 3)", 2],
    ["IFSTRING(1 = 2, 'a', 'b')", 'b'],
    ['IFDOUBLE(NULL, 1, 2.5)', 2.5],
    ['ABS(-1)', 1],
    ['CEILING(1.2)', 2],
    ['FLOOR(1.8)', 1],
    ['ROUND(1.256, 2)', 1.26],
    ['MOD(7, 3)', 1],
    ['MOD(7.5, 2)', 1.5],
    ['POWER(2, 3)', 8],
    ['SQRT(9)', 3],
    ['EXP(0)', 1],
    ['LN(1)', 0],
    ['LOG10(1000)', 3],
    ['SIN(0)', 0],
    ['COS(0)', 1],
    ['TAN(0)', 0],
    ['ASIN(0)', 0],
    ['ACOS(1)', 0],
    ['ATAN(0)', 0],
    ['SIGN(-2)', -1],
    ["IsNullOrEmpty('')", 1],
    ['IsNullOrEmpty(NULL)', 1],
    ["IsNullOrEmpty('a')", 0],
    ["EXTRACT(YEAR FROM '2026-01-31')", 2026],
    ["DATE '2026-01-31'", '2026-01-31'],
    ["TIMESTAMP '2026-01-31 10:00:00'", '2026-01-31T10:00:00'],
  ])('%s', (expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  it.each(['ADDDAYS(NULL, 1)', 'LEFT(NULL, 1)', "CONCAT('a', NULL)", 'GETYEAR(NULL)', 'TOINT(NULL)'])(
    '%s is null',
    (expression) => {
      expect(evaluate(expression)).toBeNull();
    },
  );

  it('supports the current date and time', () => {
    const today = new Date().toISOString().slice(0, 10);
    expect(String(evaluate('CURRENTDATE()')) >= today).toBe(true);
    expect(String(evaluate('CURRENTTIMESTAMP()')) >= today).toBe(true);
    expect(evaluate('Now()')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    expect(evaluate('CURRENTTIME()')).toMatch(/^\d\d:\d\d:\d\d$/);
    expect(evaluate('CURRENT_TIMESTAMP')).toMatch(/T/);
    expect(evaluate('RAND() BETWEEN 0 AND 1')).toBe(1);
  });

  it('aggregates', () => {
    const sql = `SELECT SUM(Amount), COUNT(*), COUNT(DISTINCT Customer), AVG(Amount), MIN(Amount), MAX(Amount), MEDIAN(Amount),
      ROUND(STDEV(Amount), 4), ROUND(STDEVP(Amount), 4), ROUND(VAR(Amount), 4), ROUND(VARP(Amount), 4) FROM Orders`;
    expect(queryRows(sql)).toEqual([[35.5, 3, 2, 35.5 / 3, 5, 20, 10.5, 7.5884, 6.1959, 57.5833, 38.3889]]);
    expect(queryRows('SELECT STDEV(Amount), MEDIAN(Amount), VARP(Amount) FROM Orders WHERE 1 = 0')).toEqual([
      [null, null, null],
    ]);
  });

  it.each([
    ['RANKASC(Customer, Amount)', [2, 1, 1]],
    ['RankDesc(Amount)', [2, 1, 3]],
    ['RANKDENSEASC(Customer)', [1, 2, 1]],
    ['RANKDENSEDESC(Customer)', [2, 1, 2]],
    ['RANKCOMPETITIONASC(Customer)', [1, 3, 1]],
    ['RANKCOMPETITIONDESC(Customer)', [2, 1, 2]],
  ])('%s', (expression, expected) => {
    expect(queryRows(`SELECT ${expression} AS r FROM Orders ORDER BY [Order Id]`).flat()).toEqual(expected);
    expect(translateSql(expression, 'column').usesWindowFunctions).toBe(true);
  });

  it.each([
    ["GETYEAR('soon')", 'GETYEAR: "soon" isn\'t a date'],
    ["GETDAY('2026-02-30')", 'GETDAY: "2026-02-30" isn\'t a date'],
    ["GETHOUR('25:00')", 'GETHOUR: "25:00" isn\'t a date'],
    ['CREATEDATE(2026, 2, 30)', 'CREATEDATE: "2026-2-30" isn\'t a date'],
    ["TOINT('x')", 'TOINT: "x" isn\'t a number'],
    ['LEFT(1)', 'wrong number of arguments to function LEFT()'],
    ['NOSUCH(1)', 'no such function: NOSUCH'],
  ])('%s fails with a message', (expression, message) => {
    expect(() => evaluate(expression)).toThrow(message);
  });
});

describe('constructs of platform-facts.md, 5.5', () => {
  it.each([
    ['SELECT Id FROM [orders.csv]', [[42]]],
    ['SELECT [orders.csv].Id FROM [orders.csv]', [[42]]],
    ['SELECT o.[Order Id] FROM Orders o WHERE o.Customer = 8', [[2]]],
    ['SELECT [Orders].Customer FROM [ORDERS] WHERE [order id] = 2', [[8]]],
    ['SELECT "Order Id" FROM "Orders" WHERE `Customer` = 8', [[2]]],
    ['SELECT [a]]b] FROM Orders WHERE [Order Id] = 1', [['odd']]],
    ["SELECT [Order Id] FROM Orders WHERE NOT IsNull(Note) AND Note NOT IN ('x')", [[3]]],
    ["SELECT [Order Id] FROM Orders WHERE Note LIKE 'it%' OR Customer IN ( 8 )", [[2], [3]]],
    ["SELECT 'it''s', '''q', '\"$%>'", [["it's", "'q", '"$%>']]],
    ['SELECT 007 + 01', [[8]]],
    ['SELECT 1 AS DATE, 2 AS Value, 3 AS group, 4 AS [order]', [[1, 2, 3, 4]]],
    [
      'SELECT 1 AS a, 2 AS b UNION ALL SELECT 3, 4',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['SELECT 1 UNION SELECT 1 MINUS SELECT 2', [[1]]],
    ['(SELECT 1 AS a) UNION ALL (SELECT 2)', [[1], [2]]],
    ['(SELECT 1 AS a)', [[1]]],
    ['SELECT 1 UNION ALL (SELECT 2 UNION SELECT 2) UNION ALL SELECT 3', [[1], [2], [3]]],
    ['SELECT 1 UNION SELECT 2 INTERSECT SELECT 2', [[1], [2]]],
    ['SELECT 2 INTERSECT SELECT 2 UNION SELECT 1', [[1], [2]]],
    ['(/* a */ SELECT 1) UNION ALL (SELECT 2 -- b\n)', [[1], [2]]],
    ['SELECT TOP 1 Customer FROM Orders UNION ALL SELECT TOP 1 Id FROM Customers ORDER BY 1', [[7], [7]]],
    ['SELECT TOP 1 [Order Id] FROM Orders ORDER BY [Order Id] DESC', [[3]]],
    ['SELECT [Order Id] FROM Orders ORDER BY 1 OFFSET 1 ROWS FETCH NEXT 1 ROWS ONLY', [[2]]],
    ['SELECT [Order Id] FROM Orders ORDER BY 1 FETCH FIRST 2 ROWS ONLY', [[1], [2]]],
    ['SELECT COUNT(*) FROM Orders GROUP BY Customer HAVING COUNT(*) > 1', [[2]]],
    ['SELECT (SELECT MAX(Amount) FROM Orders) + 1', [[21]]],
    [
      "SELECT x.n FROM (SELECT Name + '!' AS n FROM Customers) x WHERE x.n IN (SELECT 'Ada' + '!')",
      [['Ada!']],
    ],
    [
      "WITH c ([who]) AS (SELECT Name + '?' FROM Customers) SELECT who FROM c ORDER BY who DESC",
      [['Grace?'], ['Ada?']],
    ],
    [
      'SELECT c.Name FROM Customers c LEFT JOIN Orders o ON o.Customer = c.Id AND o.Amount + 0 > 15 WHERE IsNull(o.[Order Id])',
      [['Ada']],
    ],
    ["SELECT 'a' + 'b' -- the end  \n  ", [['ab']]],
    ['SELECT 1;', [[1]]],
    ['VALUES (1, 2)', [[1, 2]]],
    ["SELECT Note FROM Orders WHERE Note LIKE 'x!%' ESCAPE '!' OR Note = 'x'", [['x']]],
  ])('%s', (sql, expected) => {
    expect(queryRows(sql)).toEqual(expected);
  });

  it.each([
    ['Lookup([Customers], [Name], [Customer], [Id])', ['Ada', 'Grace', 'Ada']],
    ['LOOKUP(Customers, Name, Customer, Id)', ['Ada', 'Grace', 'Ada']],
    ['IsNull(Lookup([Customers], [Name], [Order Id], [Id])) AND 1 = 1', [1, 1, 1]],
    ["Trim(Lookup([Customers], [Name], [Customer], [Id])) + '!'", ['Ada!', 'Grace!', 'Ada!']],
    ['[Amount] / Lookup([Customers], [Id], [Customer], [Id])', [1.5, 2.5, 5 / 7]],
    ['Lookup([Customers], [Name], [Customer] + 0, [Id])', ['Ada', 'Grace', 'Ada']],
    [
      "CASE WHEN [Amount] > 15 THEN CASE WHEN IsNull([Note]) THEN 'empty' ELSE 'noted' END ELSE 'small' END",
      ['small', 'empty', 'small'],
    ],
    ["CASE WHEN [Note] IN ('x','y') OR [Amount] > 15 AND [Customer] = 8 THEN 1 ELSE 0 END", [1, 1, 0]],
    ["[Note] + '' -- a comment", ['x', null, "it's"]],
    ['orders.[Order Id] * 2', [2, 4, 6]],
  ])('the expression of a custom column: %s', (expression, expected) => {
    expect(computeColumn(expression)).toEqual(expected);
  });

  it('finds the lookup columns of Lookup', () => {
    expect(translateSql('Lookup([Customers], [Name], [Customer], [Id])', 'column').lookups).toEqual([
      { table: 'Customers', column: 'Id', result: 'Name' },
    ]);
  });

  it('names a computed column as it was written', () => {
    const db = createDatabase();
    const { sql } = translateSql("SELECT Name + '!', [a]]b] FROM Customers, Orders", 'table');
    expect(
      db
        .prepare(sql)
        .columns()
        .map((each) => each.name),
    ).toEqual(["Name + '!'", 'a]b']);
    db.close();
  });

  it.each([
    ['SELECT Revenu FROM Orders', 'no such column: Revenu'],
    ['SELECT "Revenu" FROM Orders', 'no such column: Revenu'],
    ['SELECT o.[Revenu] FROM Orders o', 'no such column: o.Revenu'],
    ['SELECT 1 FROM Nope', 'no such table: Nope'],
    ['SELECT FROM Orders', 'near "FROM": syntax error'],
    ['SELECT (1 FROM Orders', 'near "FROM": syntax error'],
    ['SELECT Customer FROM Orders, Customers', 'ambiguous column name: Customer'],
  ])('%s: the engine’s own message', (sql, message) => {
    expect(() => queryRows(sql)).toThrow(message);
  });

  it('returns a text for input that is not SQL', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof translateSql(text, 'table').sql).toBe('string');
        expect(typeof translateSql(text, 'column').sql).toBe('string');
      }),
      { numRuns: 200 },
    );
  });

  it('handles long chains of operators', () => {
    const chain = Array.from({ length: 900 }, () => '1').join(' + ');
    expect(evaluate(chain)).toBe(900);
    expect(
      translateSql(Array.from({ length: 20_000 }, () => 'a').join(' AND '), 'column').sql.length,
    ).toBeGreaterThan(1e5);
  });
});
