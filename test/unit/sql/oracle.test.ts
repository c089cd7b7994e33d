import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, diagnose, renameSymbolAt } from '../../../src/sql/index.ts';
import { lex } from '../../../src/sql/syntax/lexer.ts';
import { generatedQuery } from './generate.ts';
import { getPropertyRuns } from '../../support/soak.ts';
import { CATALOG, TABLE } from './model.ts';

/** An empty database with the tables of the model: it decides whether the names of a query are valid. */
function database(): DatabaseSync {
  const db = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: false });
  for (const { name, columns } of CATALOG.tables) {
    const quoted = (id: string): string => `"${id.replaceAll('"', '""')}"`;
    db.exec(`CREATE TABLE ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')})`);
  }
  return db;
}

/** The engine's result: our code for its first error, `ok` if it accepts the query. */
function engineSays(db: DatabaseSync, sql: string): string {
  try {
    db.prepare(sql);
    return 'ok';
  } catch (error) {
    const words = error instanceof Error ? error.message : '';
    if (words.startsWith('ambiguous column name')) {
      return 'ambiguous-column';
    }
    return words.startsWith('no such column') ? 'unknown' : words;
  }
}

describe('SQLite agrees', () => {
  test('on which names of generated queries are right', () => {
    const db = database();
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(generatedQuery, (sql) => {
        const engine = engineSays(db, sql);
        seen.set(engine, (seen.get(engine) ?? 0) + 1);
        const ours = diagnose(sql, TABLE).map(({ code }) => code);
        if (engine === 'ok') {
          expect(ours).toEqual([]);
        } else if (engine === 'ambiguous-column') {
          expect(ours).toContain('ambiguous-column');
        } else {
          expect(engine).toBe('unknown');
          expect(ours.some((code) => code === 'unknown-column' || code === 'unknown-table')).toBe(true);
        }
      }),
      { numRuns: getPropertyRuns(1500), seed: 20_261_121 },
    );
    // The property proves nothing unless every result occurred.
    for (const answer of ['ok', 'unknown', 'ambiguous-column']) {
      expect(seen.get(answer) ?? 0).toBeGreaterThan(50);
    }
  });

  test('that a rename within a text keeps its result', () => {
    const db = database();
    for (const [place, { name, columns }] of CATALOG.tables.entries()) {
      const rows = [1, 2, 3].map(
        (row) => `(${columns.map((_, at) => (place * 7 + row * 3 + at * 5) % 11).join(', ')})`,
      );
      db.exec(`INSERT INTO "${name}" VALUES ${rows.join(', ')}`);
    }
    const answer = (sql: string): unknown => {
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
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.oneof(generatedQuery, nested),
        fc.nat(),
        fc.constantFrom(...names),
        (sql, at, newName) => {
          fc.pre(engineSays(db, sql) === 'ok' && diagnose(sql, TABLE).length === 0);
          const places = [...lex(sql).tokens].filter(({ kind }) => kind === 'word' || kind === 'name');
          const found = renameSymbolAt(sql, places[at % places.length]?.start ?? 0, newName, TABLE);
          fc.pre(found?.conflicts.length === 0);
          accepted += 1;
          expect(answer(applyEdits(sql, found?.edits ?? []))).toEqual(answer(sql));
        },
      ),
      { numRuns: getPropertyRuns(300), seed: 20_261_121 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
