import { parseExpression, parseStatement } from '../../sql/syntax/parser.ts';
import type { LookupTarget } from './dialectCalls.ts';
import { DialectRenderer } from './dialectRender.ts';

/** The position of an expression: the query of a custom table, or the expression of a custom column. */
export type DialectContext = 'table' | 'column';

export interface Translation {
  /** The SQL that SQLite runs. */
  readonly sql: string;
  /**
   * Columns that `Lookup` searches, with the column that it returns: an index on each keeps a Lookup from being
   * quadratic.
   */
  readonly lookups: readonly LookupTarget[];
  /** True when the text computes over rows (rank functions), which an UPDATE cannot do directly. */
  readonly windowed: boolean;
}

/**
 * Translates the platform's SQL (platform-facts.md, 5.4, 5.5) to SQLite with the functions of `registerDialect`. A text
 * that does not parse cleanly is left unchanged, so that SQLite's own error message is returned.
 * @throws Error for a custom column with a FROM: SQLite would silently compute one value for all rows.
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
