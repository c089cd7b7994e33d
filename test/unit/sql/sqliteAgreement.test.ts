import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, diagnose, renameSymbolAt } from '../../../src/sql/index.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { generatedQuery } from './generate.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { CATALOG, tableContext } from './model.ts';

/** An empty database with the tables of the model: it decides whether the names of a query are valid. */
function createDatabase(): DatabaseSync {
  const db = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: false });
  for (const { name, columns } of CATALOG.tables) {
    const quote = (id: string): string => `"${id.replaceAll('"', '""')}"`;
    db.exec(`CREATE TABLE ${quote(name)} (${columns.map((column) => quote(column.name)).join(', ')})`);
  }
  return db;
}

/** The engine's result: our code for its first error, `ok` if it accepts the query. */
function getEngineResult(db: DatabaseSync, sql: string): string {
  try {
    db.prepare(sql);
    return 'ok';
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (message.startsWith('ambiguous column name')) {
      return 'ambiguous-column';
    }
    return message.startsWith('no such column') ? 'unknown' : message;
  }
}

describe('SQLite agrees', () => {
  test('on which names of generated queries are valid', () => {
    const db = createDatabase();
    const resultCounts = new Map<string, number>();
    fc.assert(
      fc.property(generatedQuery, (sql) => {
        const engineResult = getEngineResult(db, sql);
        resultCounts.set(engineResult, (resultCounts.get(engineResult) ?? 0) + 1);
        const ourCodes = diagnose(sql, tableContext).map(({ code }) => code);
        if (engineResult === 'ok') {
          expect(ourCodes).toEqual([]);
        } else if (engineResult === 'ambiguous-column') {
          expect(ourCodes).toContain('ambiguous-column');
        } else {
          expect(engineResult).toBe('unknown');
          // The engine calls a column of an unknown table an unknown column.
          const code = ourCodes.find((each) => each.startsWith('unknown-'));
          expect(['unknown-column', 'unknown-table'], ourCodes.join()).toContain(code);
          resultCounts.set(`our ${code}`, (resultCounts.get(`our ${code}`) ?? 0) + 1);
        }
      }),
      { numRuns: getPropertyRuns(1500), seed: 20_261_121 },
    );
    // The property proves nothing unless every result occurred.
    for (const result of ['ok', 'unknown', 'our unknown-column', 'our unknown-table', 'ambiguous-column']) {
      expect(resultCounts.get(result) ?? 0).toBeGreaterThan(50);
    }
  });

  test('on the order of clauses, and that none is repeated', () => {
    const db = createDatabase();
    const clauses = ['FROM Orders', 'WHERE Amount > 1', 'GROUP BY Amount', 'HAVING COUNT(*) > 1'];
    const addClause = (texts: readonly string[]): readonly string[] =>
      texts.flatMap((text) => clauses.map((clause) => `${text} ${clause}`));
    const queries: string[] = [];
    for (let texts: readonly string[] = ['SELECT 1']; queries.length < 341; texts = addClause(texts)) {
      queries.push(...texts);
    }
    const isSyntaxError = (sql: string): boolean => /syntax error/.test(getEngineResult(db, sql));
    const hasSyntaxError = (sql: string): boolean =>
      diagnose(sql, tableContext).some(({ code }) => code === 'syntax');
    const counts = { valid: 0, invalid: 0 };
    for (const sql of queries) {
      counts[isSyntaxError(sql) ? 'invalid' : 'valid'] += 1;
      expect([sql, hasSyntaxError(sql)]).toEqual([sql, isSyntaxError(sql)]);
    }
    // Each subset of the clauses is valid in one order.
    expect(counts).toEqual({ valid: 16, invalid: 325 });
  });

  test('that a rename within a text keeps its result', () => {
    const db = createDatabase();
    for (const [tableIndex, { name, columns }] of CATALOG.tables.entries()) {
      const rows = [1, 2, 3].map(
        (row) =>
          `(${columns.map((_, columnIndex) => (tableIndex * 7 + row * 3 + columnIndex * 5) % 11).join(', ')})`,
      );
      db.exec(`INSERT INTO "${name}" VALUES ${rows.join(', ')}`);
    }
    const runQuery = (sql: string): unknown => {
      const statement = db.prepare(sql);
      statement.setReturnArrays(true);
      return statement.all();
    };
    const nested = generatedQuery.map(
      (sql) => `WITH k AS (${sql}) SELECT a.n, b.n AS m FROM k a, k b ORDER BY m, a.n`,
    );
    const names = [
      'a',
      'b',
      'k',
      'n',
      'm',
      'Orders',
      'Amount',
      'inner_one',
      'renamed',
      'Name',
      'Year',
      'x y',
    ];
    let acceptedCount = 0;
    fc.assert(
      fc.property(
        fc.oneof(generatedQuery, nested),
        fc.nat(),
        fc.constantFrom(...names),
        (sql, index, newName) => {
          fc.pre(getEngineResult(db, sql) === 'ok' && diagnose(sql, tableContext).length === 0);
          const nameTokens = [...lex(sql).tokens].filter(
            ({ kind }) => kind === 'word' || kind === 'quotedName',
          );
          const found = renameSymbolAt(
            sql,
            nameTokens[index % nameTokens.length]?.start ?? 0,
            newName,
            tableContext,
          );
          fc.pre(found?.conflicts.length === 0);
          acceptedCount += 1;
          expect(runQuery(applyEdits(sql, found?.edits ?? []))).toEqual(runQuery(sql));
        },
      ),
      { numRuns: getPropertyRuns(300), seed: 20_261_121 },
    );
    expect(acceptedCount).toBeGreaterThan(100);
  });
});
