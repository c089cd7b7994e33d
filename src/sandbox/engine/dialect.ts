import type { LexedText } from '../../sql/syntax/lexedText.ts';
import { parseExpression, parseStatement } from '../../sql/syntax/parser.ts';
import type { TextRange } from '../../sql/syntax/tree.ts';
import type { LookupTarget } from './dialectCalls.ts';
import { spliceText } from './dialectEdits.ts';
import { DialectRenderer } from './dialectRender.ts';

/** The kind of SQL: the query of a custom table, or the expression of a custom column. */
export type ExpressionKind = 'table' | 'column';

export interface TranslatedSql {
  /** The SQL that SQLite runs. */
  readonly sql: string;
  /**
   * The columns that calls of `Lookup` search, and those that they return. Without an index on the searched column, a
   * Lookup takes quadratic time.
   */
  readonly lookups: readonly LookupTarget[];
  /** True if the SQL uses window functions (rank functions), which SQLite does not allow in a WHERE clause. */
  readonly usesWindowFunctions: boolean;
}

/**
 * Translates the platform's SQL (platform-facts.md, 5.4, 5.5) to SQLite with the functions of `registerDialect`. SQL
 * with syntax errors is returned unchanged, so that SQLite reports them.
 * @throws Error for a custom column with a FROM clause: SQLite would silently compute one value for all rows.
 */
export function translateSql(sql: string, kind: ExpressionKind): TranslatedSql {
  const lookups: LookupTarget[] = [];
  let usesWindowFunctions = false;
  const createRenderer = ({ comments }: LexedText): DialectRenderer =>
    new DialectRenderer(blankComments(sql, comments), {
      recordLookup: (target) => lookups.push(target),
      recordWindowFunction: () => {
        usesWindowFunctions = true;
      },
    });
  const untranslated = { sql, lookups: [], usesWindowFunctions: false };
  if (kind === 'column') {
    const tree = parseExpression(sql);
    const { expr, syntaxErrors } = tree;
    if (syntaxErrors.some(({ reason }) => reason === 'from-in-column')) {
      throw new Error("a column expression can't have a FROM clause");
    }
    return syntaxErrors.length > 0 || expr === undefined
      ? untranslated
      : { sql: createRenderer(tree).renderExpr(expr), lookups, usesWindowFunctions };
  }
  const tree = parseStatement(sql);
  const { queries, syntaxErrors } = tree;
  const [query] = queries;
  if (syntaxErrors.length > 0 || query === undefined || queries.length > 1) {
    return untranslated;
  }
  const text = createRenderer(tree).renderQuery(query);
  return { sql: text, lookups, usesWindowFunctions };
}

/** Replaces comments with spaces, so that only whitespace can be next to parentheses. */
const blankComments = (sql: string, comments: readonly TextRange[]): string =>
  spliceText(
    sql,
    { start: 0, end: sql.length },
    comments.map(({ start, end }) => ({ start, end, text: ' '.repeat(end - start) })),
  );
