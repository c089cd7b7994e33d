import type { Lexed, Quote } from './tokens.ts';

/** The part of the text that a node covers: `start` inclusive, `end` exclusive. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** A written name, unescaped. `missing` names have no text: `o.` without a column. */
export interface SqlName extends Extent {
  readonly text: string;
  readonly quote: Quote;
  /** The quote was never closed. */
  readonly open: boolean;
  readonly missing: boolean;
}

export interface LiteralExpr extends Extent {
  readonly kind: 'literal';
  readonly type: 'number' | 'string' | 'null' | 'boolean' | 'interval' | 'date' | 'parameter';
}

/** `[a].[b].c`: the last name is the column, the ones before it qualify it. */
export interface ColumnRef extends Extent {
  readonly kind: 'column';
  readonly path: readonly SqlName[];
}

/** `*` or `t.*`. */
export interface Star extends Extent {
  readonly kind: 'star';
  readonly qualifier: readonly SqlName[];
}

export interface UnaryExpr extends Extent {
  readonly kind: 'unary';
  /** Upper case: `-`, `+`, `~`, `NOT`, `PRIOR`. */
  readonly operator: string;
  readonly operand: Expr;
}

/**
 * Arithmetic, concatenation, comparison, `AND`, `OR`, and the word operators with two operands (`LIKE`, `GLOB`,
 * `REGEXP`, `IS`, `AT TIME ZONE`, `COLLATE`). Chains lean left and may be thousands deep: walk them with
 * {@link walkTree}, never by plain recursion over `left`.
 */
export interface BinaryExpr extends Extent {
  readonly kind: 'binary';
  /** Upper case, words joined by one blank, `NOT` included: `+`, `||`, `=`, `AND`, `NOT LIKE`, `IS NOT`. */
  readonly operator: string;
  readonly operatorStart: number;
  readonly operatorEnd: number;
  readonly left: Expr;
  readonly right: Expr;
  readonly escape: Expr | undefined;
}

export interface BetweenExpr extends Extent {
  readonly kind: 'between';
  readonly not: boolean;
  readonly operand: Expr;
  readonly low: Expr;
  readonly high: Expr;
}

export interface InExpr extends Extent {
  readonly kind: 'in';
  readonly not: boolean;
  readonly operand: Expr;
  /** A list, or one sub-select. */
  readonly list: readonly Expr[];
}

export interface CaseExpr extends Extent {
  readonly kind: 'case';
  readonly operand: Expr | undefined;
  readonly branches: readonly { readonly condition: Expr; readonly result: Expr }[];
  readonly otherwise: Expr | undefined;
}

export interface CastExpr extends Extent {
  readonly kind: 'cast';
  readonly operand: Expr;
  readonly type: Extent;
}

export interface WindowSpec extends Extent {
  readonly base: SqlName | undefined;
  readonly partitionBy: readonly Expr[];
  readonly orderBy: readonly OrderItem[];
  readonly frame: Extent | undefined;
}

export interface CallExpr extends Extent {
  readonly kind: 'call';
  /** The function's own name; `schema.f(…)` keeps the rest in `qualifier`. */
  readonly name: SqlName;
  readonly qualifier: readonly SqlName[];
  readonly args: readonly Expr[];
  readonly distinct: boolean;
  /** Offset of `(`, or -1 for `CURRENT_DATE` and similar functions. */
  readonly open: number;
  /** Offset of `)`, or -1 while it is missing. */
  readonly close: number;
  readonly orderBy: readonly OrderItem[];
  readonly filter: Expr | undefined;
  readonly over: WindowSpec | undefined;
}

export interface ExistsExpr extends Extent {
  readonly kind: 'exists';
  readonly query: SqlQuery;
}

/** A sub-select in the place of a value, parentheses included. */
export interface SubSelect extends Extent {
  readonly kind: 'subselect';
  readonly query: SqlQuery;
}

/** `(a)` has one item, a row value several. */
export interface ParenExpr extends Extent {
  readonly kind: 'paren';
  readonly items: readonly Expr[];
}

/** A keyword inside a call: the unit of `EXTRACT(YEAR FROM x)`. */
export interface WordExpr extends Extent {
  readonly kind: 'word';
}

/** An operand that is missing; its extent is empty. */
export interface MissingExpr extends Extent {
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

export interface OrderItem extends Extent {
  readonly expr: Expr;
}

export interface SelectItem extends Extent {
  readonly expr: Expr;
  readonly alias: SqlName | undefined;
}

export type JoinKind = 'inner' | 'left' | 'right' | 'full' | 'cross';

export interface Join extends Extent {
  readonly kind: JoinKind;
  readonly natural: boolean;
  /** `APPLY`. */
  readonly lateral?: true;
}

/** The target of a FROM clause: a table or CTE, a derived table, a table function, a group of joins. */
export type TableSource =
  | ({ readonly kind: 'table'; readonly path: readonly SqlName[] } & Extent)
  | ({ readonly kind: 'derived'; readonly query: SqlQuery; readonly lateral: boolean } & Extent)
  | ({ readonly kind: 'function'; readonly call: CallExpr } & Extent)
  | ({ readonly kind: 'group'; readonly items: readonly FromItem[] } & Extent);

/** One source of a FROM clause with the join that leads to it; the first one and those after `,` have none. */
export interface FromItem extends Extent {
  readonly join: Join | undefined;
  readonly source: TableSource;
  readonly alias: SqlName | undefined;
  readonly columns: readonly SqlName[];
  readonly on: Expr | undefined;
  readonly using: readonly SqlName[];
}

/** Filled while the text is parsed, so that a caret inside it already sees it. */
export interface SelectQuery {
  readonly kind: 'select';
  readonly start: number;
  end: number;
  /** `SELECT` itself may be missing in half-typed text; its offset is -1 then. */
  keyword: number;
  distinct: boolean;
  top: Expr | undefined;
  readonly items: SelectItem[];
  /** Offset of `FROM`, or -1. */
  fromKeyword: number;
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

export interface ValuesQuery extends Extent {
  readonly kind: 'values';
  readonly rows: readonly Expr[];
}

export type QueryBody = SelectQuery | SetOperation | ValuesQuery | SqlQuery;

export interface Cte {
  readonly start: number;
  end: number;
  readonly name: SqlName;
  readonly columns: readonly SqlName[];
  query: SqlQuery | undefined;
}

/** The position of a query, which decides what it sees of the queries around it. */
export type QueryRole = 'root' | 'cte' | 'derived' | 'lateral' | 'expression' | 'arm';

export interface SqlQuery {
  readonly kind: 'query';
  readonly role: QueryRole;
  readonly start: number;
  end: number;
  /** Offset of `WITH`, or -1. */
  withKeyword: number;
  recursive: boolean;
  readonly ctes: Cte[];
  body: QueryBody | undefined;
  readonly orderBy: OrderItem[];
  /** The expressions of LIMIT, OFFSET and FETCH. */
  readonly limits: Expr[];
  /** From the first of LIMIT, OFFSET, FETCH to the end of the last one. */
  limitExtent: Extent | undefined;
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
  /** A custom column that is written with SELECT lists more than one value. */
  | 'second-value'
  /** A custom column that is written with SELECT has a FROM. */
  | 'from-in-column'
  | 'too-deep'
  | 'too-long';

/** A syntax error; `detail` is the token expected or found. */
export interface SqlSyntaxError extends Extent {
  readonly reason: SqlSyntaxErrorReason;
  readonly detail: string;
}

/** A text of a custom table: normally one query, more only in broken text. */
export interface StatementTree extends Lexed {
  readonly kind: 'statement';
  readonly queries: readonly SqlQuery[];
  readonly syntaxErrors: readonly SqlSyntaxError[];
}

/** A text of a custom column: one scalar expression. */
export interface ExpressionTree extends Lexed {
  readonly kind: 'expression';
  readonly expr: Expr | undefined;
  readonly syntaxErrors: readonly SqlSyntaxError[];
}

export type SqlTree = StatementTree | ExpressionTree;
