import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBaseTable, createCustomTable, EngineFolder, integerType, createModel } from './models.ts';

const createFolder = (): EngineFolder =>
  new EngineFolder()
    .writeCsv('People', 'Id,City', '1,Rome', '2,Oslo')
    .writeCsv('Secrets', 'Id,Word', '1,hidden');

const secrets = createBaseTable('Secrets', [{ name: 'Id', type: integerType }, { name: 'Word' }]);
const createPeople = (expression: string) =>
  createBaseTable('People', [
    { name: 'Id', type: integerType },
    { name: 'City' },
    { name: 'Made', expression },
  ]);

describe('the expression of a custom column', () => {
  it.each([
    ["'x'), [City] = ('overwritten'", /one value/],
    ["'x'), [City] = ('overwritten'--", /one value/],
    ['1) FROM Secrets /*', /own table.*Secrets/],
    ['1) FROM People /*', /syntax error/],
    ['1 WHEN 2 THEN 3', /syntax error/],
    ['1 END + CASE WHEN 1 THEN 2', /syntax error/],
    ['1) + (2', /syntax error/],
    ['1 AS x', /syntax error/],
    ['1, 2', /row value|syntax error/],
    ['(SELECT MAX(Word) FROM Secrets)', /own table.*Secrets/],
    ['(WITH People AS (SELECT Word FROM Secrets) SELECT MAX(Word) FROM People)', /own table.*Secrets/],
    ['(SELECT MAX(sql) FROM sqlite_master)', /isn't a table of the datamodel/],
    ['MAX([Id])', /misuse of aggregate/],
  ])('%s is rejected', async (expression, message) => {
    using folder = createFolder();
    expect(await folder.build(createModel([createPeople(expression), secrets]))).toEqual({
      status: 'failed',
      table: 'People',
      message: expect.stringMatching(message),
    });
  });

  it('writes only its own column', async () => {
    using folder = createFolder();
    await folder.build(createModel([createPeople("[City] + '!'"), secrets]));
    expect(folder.queryRows('SELECT Id, City, Made FROM People')).toEqual([
      [1, 'Rome', 'Rome!'],
      [2, 'Oslo', 'Oslo!'],
    ]);
  });

  it('reads another table through Lookup', async () => {
    using folder = createFolder();
    await folder.build(createModel([createPeople('Lookup([Secrets], [Word], [Id], [Id])'), secrets]));
    expect(folder.queryRows('SELECT Made FROM People')).toEqual([['hidden'], [null]]);
  });

  it("is computed in a table whose own columns have SQLite's names for the row ID", async () => {
    using folder = new EngineFolder().writeCsv('Rows', 'rowid,oid', '7,8', '9,10');
    const rows = createBaseTable('Rows', [
      { name: 'rowid', type: integerType },
      { name: 'oid', type: integerType },
      { name: 'Sum', type: integerType, expression: '[rowid] + [oid]' },
    ]);
    await folder.build(createModel([rows]));
    expect(folder.queryRows('SELECT * FROM Rows')).toEqual([
      [7, 8, 15],
      [9, 10, 19],
    ]);
  });
});

describe('the query of a custom table', () => {
  const notASelect = 'only a SELECT or a single value is allowed';
  const notATable = (name: string): string => `[${name}] isn't a table of the datamodel`;
  it.each([
    ['SELECT 1; SELECT 2', 'the expression contains more than one statement'],
    ['SELECT 1) UNION SELECT * FROM (SELECT 2', 'near ")": syntax error'],
    ['DELETE FROM People', notASelect],
    ['EXPLAIN SELECT 1', 'near "SELECT": syntax error'],
    ['PRAGMA journal_mode = WAL', notASelect],
    ["VACUUM INTO 'FILE'", 'near "INTO": syntax error'],
    ["ATTACH 'FILE' AS x", notASelect],
    ['SELECT * FROM sqlite_master', notATable('sqlite_master')],
    ["SELECT * FROM pragma_table_info('People')", notATable('pragma_table_info')],
    ['SELECT * FROM temp.sqlite_master', notATable('sqlite_temp_master')],
    ['SELECT count(*) FROM sqlite_master', notATable('sqlite_master')],
    ['SELECT count(*) FROM temp.sqlite_schema', notATable('sqlite_schema')],
    ['SELECT count(*) FROM pragma_function_list', notATable('pragma_function_list')],
    ['SELECT count(*) FROM dbstat AS People', notATable('dbstat')],
    ["SELECT load_extension('FILE')", 'no such function: load_extension'],
    ['WITH x AS (SELECT 1) DELETE FROM People', notASelect],
  ])('%s is rejected: %s', async (sql, message) => {
    using folder = createFolder();
    const file = join(folder.path, 'file');
    const rejectedTable = createCustomTable('Bad', sql.replace('FILE', file));
    expect(await folder.build(createModel([createPeople("'x'"), rejectedTable]))).toEqual({
      status: 'failed',
      table: 'Bad',
      message,
    });
    expect(existsSync(file)).toBe(false);
  });

  it('yields no more rows than the engine allows, and reports the limit', async () => {
    using folder = createFolder();
    const rows = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 101) SELECT x FROM n';
    const buildMany = (sql: string) =>
      folder.build(createModel([createCustomTable('Many', sql)]), 'full', { maxRows: 100 });
    expect(await buildMany(rows)).toEqual({
      status: 'failed',
      table: 'Many',
      message: 'The query returns more than 100 rows, the limit of the sandbox',
    });
    expect(await buildMany(rows.replace('101', '100'))).toMatchObject({ rowCounts: { Many: 100 } });
  });

  it('creates no value larger than the engine allows', async () => {
    using folder = createFolder();
    for (const sql of ['SELECT zeroblob(900000000) AS b', "SELECT replicate('x', 500000000) AS b"]) {
      expect(await folder.build(createModel([createCustomTable('Big', sql)]))).toMatchObject({
        status: 'failed',
        table: 'Big',
        message: expect.stringMatching(/larger than 16 MB/),
      });
    }
  });
});
