import { parseExpression, parseStatement } from '../../sql/syntax/parser.ts';
import type { LookupTarget } from './dialectCalls.ts';
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
  readonly lookups: readonly LookupTarget[];
  /** True when the text computes over rows (rank functions), which an UPDATE cannot do directly. */
  readonly windowed: boolean;
}

/**
 * Writes the platform's SQL (platform-facts 5.4, 5.5) for SQLite with the functions of `registerDialect`. A text that
 * does not parse cleanly stays as it is, so that SQLite's own words about it come back.
 * @throws Error for a custom column with a FROM: SQLite would compute one value for all rows without a word.
 */
export function translateSql(sql: string, context: DialectContext): Translation {
  const lookups: LookupTarget[] = [];
  let windowed = false;
  const renderer = new DialectRenderer(sql, {
    recordLookup: (found) => lookups.push(found),
    recordWindow: () => {
      windowed = true;
    },
  });
  const unchanged = { sql, lookups: [], windowed: false };
  if (context === 'column') {
    const { expr, syntaxErrors } = parseExpression(sql);
    if (syntaxErrors.some(({ reason }) => reason === 'from-in-column')) {
      throw new Error('a column expression has no FROM clause');
    }
    return syntaxErrors.length > 0 || expr === undefined
      ? unchanged
      : { sql: renderer.renderExpr(expr), lookups, windowed };
  }
  const { queries, syntaxErrors } = parseStatement(sql);
  const [query] = queries;
  if (syntaxErrors.length > 0 || query === undefined || queries.length > 1) {
    return unchanged;
  }
  const text = renderer.renderQuery(query);
  return { sql: text, lookups, windowed };
}
