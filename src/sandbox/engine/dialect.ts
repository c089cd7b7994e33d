import { parseExpression, parseStatement } from '../../sql/syntax/parser.ts';
import type { FoundBy } from './dialectCalls.ts';
import { DialectRenderer } from './dialectRender.ts';

/** Where an expression stands: it is a custom table's query, or computes a custom column. */
export type DialectContext = 'table' | 'column';

export interface Translation {
  /** The text as SQLite runs it. */
  readonly sql: string;
  /**
   * Columns by which `Lookup` finds rows, with the column that it answers: an index on each keeps a Lookup from being
   * quadratic.
   */
  readonly lookups: readonly FoundBy[];
  /** True when the text computes over rows (rank functions), which an UPDATE cannot do directly. */
  readonly windowed: boolean;
}

/**
 * Writes the platform's SQL (platform-facts 5.4, 5.5) for SQLite with the functions of `registerDialect`. A text that
 * does not parse cleanly stays as it is, so that SQLite's own words about it come back.
 * @throws Error for a custom column with a FROM: SQLite would compute one value for all rows without a word.
 */
export function translate(sql: string, context: DialectContext): Translation {
  const lookups: FoundBy[] = [];
  let windowed = false;
  const renderer = new DialectRenderer(sql, {
    lookup: (found) => lookups.push(found),
    window: () => {
      windowed = true;
    },
  });
  const unchanged = { sql, lookups: [], windowed: false };
  if (context === 'column') {
    const { expr, faults } = parseExpression(sql);
    if (faults.some(({ reason }) => reason === 'from-in-column')) {
      throw new Error('a column expression has no FROM clause');
    }
    return faults.length > 0 || expr === undefined
      ? unchanged
      : { sql: renderer.expr(expr), lookups, windowed };
  }
  const { queries, faults } = parseStatement(sql);
  const [query] = queries;
  if (faults.length > 0 || query === undefined || queries.length > 1) {
    return unchanged;
  }
  const text = renderer.query(query);
  return { sql: text, lookups, windowed };
}
