import type { LexedText, Quote } from './lexedText.ts';

/** A range of offsets in the text; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** An unescaped name. If it is `missing`, as the column in `o.`, its text is empty. */
export interface SqlName extends TextRange {
  readonly text: string;
  readonly quote: Quote;
  /** True if the quote is unclosed. */
  readonly unclosed: boolean;
  readonly missing: boolean;
}

export interface LiteralExpr extends TextRange {
  readonly kind: 'literal';
  readonly type: 'number' | 'string' | 'null' | 'boolean' | 'interval' | 'date' | 'parameter';
}

/** A column reference such as `[a].[b].c`: the last name is the column, the others are its qualifier. */
export interface ColumnRef extends TextRange {
  readonly kind: 'column';
  readonly path: readonly SqlName[];
}

/** A star: `*` or `t.*`. */
export interface Star extends TextRange {
  readonly kind: 'star';
  readonly qualifier: readonly SqlName[];
}

export interface UnaryExpr extends TextRange {
  readonly kind: 'unary';
  /** In upper case: `-`, `+`, `~` or `NOT`. */
  readonly operator: string;
  readonly operand: Expr;
}

/**
 * Arithmetic, concatenation, comparison, `AND`, `OR`, and keyword operators with two operands (`LIKE`, `GLOB`,
 * `REGEXP`, `IS`, `AT TIME ZONE`). Chains are nested in `left`, possibly thousands of levels deep, so use
 * `walkTree` instead of recursion.
 */
export interface BinaryExpr extends TextRange {
  readonly kind: 'binary';
  /** In upper case, keywords separated by one space, including `NOT`: `+`, `||`, `=`, `AND`, `NOT LIKE`, `IS NOT`. */
  readonly operator: string;
  readonly operatorStart: number;
  readonly operatorEnd: number;
  readonly left: Expr;
  readonly right: Expr;
  readonly escape: Expr | undefined;
}

export interface BetweenExpr extends TextRange {
  readonly kind: 'between';
  readonly not: boolean;
  readonly operand: Expr;
  readonly low: Expr;
  readonly high: Expr;
}

export interface InExpr extends TextRange {
  readonly kind: 'in';
  readonly not: boolean;
  readonly operand: Expr;
  /** The values of the list, or a single sub-select. */
  readonly list: readonly Expr[];
}

export interface CaseExpr extends TextRange {
  readonly kind: 'case';
  readonly operand: Expr | undefined;
  readonly branches: readonly { readonly condition: Expr; readonly result: Expr }[];
  readonly otherwise: Expr | undefined;
}

export interface CastExpr extends TextRange {
  readonly kind: 'cast';
  readonly operand: Expr;
  readonly type: TextRange;
}

export interface WindowSpec extends TextRange {
  /** The named window that this one uses or extends. */
  readonly base: SqlName | undefined;
  readonly partitionBy: readonly Expr[];
  readonly orderBy: readonly OrderItem[];
  readonly frame: TextRange | undefined;
}

export interface CallExpr extends TextRange {
  readonly kind: 'call';
  /** The name of the function, without its qualifier: `f` in `schema.f(…)`. */
  readonly name: SqlName;
  readonly qualifier: readonly SqlName[];
  readonly args: readonly Expr[];
  readonly distinct: boolean;
  /** Offset of `(`, or -1 for `CURRENT_DATE` and similar functions. */
  readonly openParenOffset: number;
  /** Offset of `)`, or -1 if it is missing. */
  readonly closeParenOffset: number;
  readonly orderBy: readonly OrderItem[];
  readonly filter: Expr | undefined;
  readonly over: WindowSpec | undefined;
}

export interface ExistsExpr extends TextRange {
  readonly kind: 'exists';
  readonly query: SqlQuery;
}

/** A sub-select that is used as a value, including its parentheses. */
export interface SubSelect extends TextRange {
  readonly kind: 'subselect';
  readonly query: SqlQuery;
}

/** A parenthesized expression (one item), a row value or an array literal. */
export interface ParenExpr extends TextRange {
  readonly kind: 'paren';
  readonly items: readonly Expr[];
}

/** A keyword inside a call, such as the unit in `EXTRACT(YEAR FROM x)`. */
export interface WordExpr extends TextRange {
  readonly kind: 'word';
}

/** A missing operand; its range is empty. */
export interface MissingExpr extends TextRange {
  readonly kind: 'missing';
}

export type Expr =
  | LiteralExpr
  | ColumnRef
  | Star
  | UnaryExpr
  | BinaryExpr
  | BetweenExpr
  | InExpr
  | CaseExpr
  | CastExpr
  | CallExpr
  | ExistsExpr
  | SubSelect
  | ParenExpr
  | WordExpr
  | MissingExpr;

export interface OrderItem extends TextRange {
  readonly expr: Expr;
}

export interface SelectItem extends TextRange {
  readonly expr: Expr;
  readonly alias: SqlName | undefined;
}

export type JoinKind = 'inner' | 'left' | 'right' | 'full' | 'cross';

export interface Join extends TextRange {
  readonly kind: JoinKind;
  readonly natural: boolean;
  /** Set for `CROSS APPLY` and `OUTER APPLY`. */
  readonly lateral?: true;
}

/** What a FROM item reads: a table or CTE, a derived table, a table function, or joins in parentheses. */
export type TableSource =
  | ({ readonly kind: 'table'; readonly path: readonly SqlName[] } & TextRange)
  | ({ readonly kind: 'derived'; readonly query: SqlQuery; readonly lateral: boolean } & TextRange)
  | ({ readonly kind: 'function'; readonly call: CallExpr } & TextRange)
  | ({ readonly kind: 'group'; readonly items: readonly FromItem[] } & TextRange);

/** A source of a FROM clause with its join; the first source and those after a comma have no join. */
export interface FromItem extends TextRange {
  readonly join: Join | undefined;
  readonly source: TableSource;
  readonly alias: SqlName | undefined;
  /** New names for the columns: `a` and `b` in `AS t(a, b)`. */
  readonly columns: readonly SqlName[];
  readonly on: Expr | undefined;
  readonly using: readonly SqlName[];
}

/** A select. It is mutable, because completion uses it while the parser is still at the caret inside it. */
export interface SelectQuery {
  readonly kind: 'select';
  readonly start: number;
  end: number;
  /** Offset of `SELECT`, or -1 if it is missing. */
  keywordOffset: number;
  distinct: boolean;
  top: Expr | undefined;
  readonly items: SelectItem[];
  /** Offset of `FROM`, or -1. */
  fromOffset: number;
  readonly from: FromItem[];
  where: Expr | undefined;
  readonly groupBy: Expr[];
  having: Expr | undefined;
  qualify: Expr | undefined;
  readonly windows: { readonly name: SqlName; readonly spec: WindowSpec }[];
}

export interface SetOperation {
  readonly kind: 'set';
  readonly start: number;
  end: number;
  /** `UNION`, `INTERSECT`, `EXCEPT`, `MINUS`. */
  readonly operator: string;
  readonly all: boolean;
  readonly operatorStart: number;
  readonly operatorEnd: number;
  readonly left: QueryBody;
  readonly right: QueryBody;
}

export interface ValuesQuery extends TextRange {
  readonly kind: 'values';
  readonly rows: readonly Expr[];
}

export type QueryBody = SelectQuery | SetOperation | ValuesQuery | SqlQuery;

export interface Cte {
  readonly start: number;
  end: number;
  readonly name: SqlName;
  /** New names for the columns: `a` and `b` in `WITH t(a, b) AS …`. */
  readonly columns: readonly SqlName[];
  query: SqlQuery | undefined;
}

/** Where a query is used, which determines which names of enclosing queries it can use. */
export type QueryRole = 'root' | 'cte' | 'derived' | 'lateral' | 'expression' | 'set-operand';

export interface SqlQuery {
  readonly kind: 'query';
  readonly role: QueryRole;
  readonly start: number;
  end: number;
  /** Offset of `WITH`, or -1. */
  withOffset: number;
  recursive: boolean;
  readonly ctes: Cte[];
  body: QueryBody | undefined;
  readonly orderBy: OrderItem[];
  /** The expressions of LIMIT, OFFSET and FETCH. */
  readonly limits: Expr[];
  /** The range of all LIMIT, OFFSET and FETCH clauses. */
  limitRange: TextRange | undefined;
}

export type SqlSyntaxErrorReason =
  | 'expected'
  | 'expected-expression'
  | 'expected-name'
  | 'expected-table'
  | 'expected-select'
  | 'missing-comma'
  | 'missing-from'
  | 'missing-join'
  | 'missing-on'
  | 'unclosed-quote'
  | 'unclosed-string'
  | 'unclosed-comment'
  | 'unexpected'
  /** The SELECT of a custom column has more than one value. */
  | 'second-value'
  /** The SELECT of a custom column has a FROM clause. */
  | 'from-in-column'
  | 'too-deep'
  | 'too-long';

/**
 * A syntax error. `detail` is the expected or unexpected token, the opening of an unclosed quote or comment, or for
 * `too-long` the maximum length; empty if an expression, a name or a table is missing.
 */
export interface SqlSyntaxError extends TextRange {
  readonly reason: SqlSyntaxErrorReason;
  readonly detail: string;
}

/** The syntax tree of a custom table: one query; several if semicolons separate them, or if the text has errors. */
export interface StatementTree extends LexedText {
  readonly kind: 'statement';
  readonly queries: readonly SqlQuery[];
  readonly syntaxErrors: readonly SqlSyntaxError[];
}

/** The syntax tree of a custom column: one scalar expression. */
export interface ExpressionTree extends LexedText {
  readonly kind: 'expression';
  readonly expr: Expr | undefined;
  readonly syntaxErrors: readonly SqlSyntaxError[];
}

export type SqlTree = StatementTree | ExpressionTree;
