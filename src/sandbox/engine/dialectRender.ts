import { assertNever } from '../../base/assertNever.ts';
import type {
  BinaryExpr,
  CallExpr,
  Expr,
  FromItem,
  SqlQuery,
  QueryBody,
  SelectQuery,
  SetOperation,
  TableSource,
  TextRange,
  WindowSpec,
} from '../../sql/syntax/tree.ts';
import { getExprChildren } from '../../sql/syntax/walk.ts';
import { type CallRecorder, rewriteCall } from './dialectCalls.ts';
import {
  renderCast,
  renderDateLiteral,
  inferValueKind,
  createNameReplacement,
  type TextReplacement,
  spliceText,
  quoteSqliteName,
} from './dialectEdits.ts';

/**
 * Renders a syntax tree of the platform's dialect as SQLite's SQL: nodes with another syntax or meaning in SQLite are
 * rewritten, all other text is copied. The parser limits the depth, except for left-associative chains of operators.
 */
export class DialectRenderer {
  readonly #source: string;
  readonly #recorder: CallRecorder;

  constructor(source: string, recorder: CallRecorder) {
    this.#source = source;
    this.#recorder = recorder;
  }

  renderQuery(query: SqlQuery): string {
    const replacements: TextReplacement[] = query.ctes.flatMap((cte) => [
      createNameReplacement(cte.name),
      ...cte.columns.map(createNameReplacement),
      ...(cte.query === undefined ? [] : [this.#renderQueryReplacement(cte.query)]),
    ]);
    if (query.body !== undefined) {
      replacements.push(
        this.#createReplacement(this.#getBodyRange(query.body), this.#renderBody(query.body)),
      );
    }
    replacements.push(...query.orderBy.map((item) => this.#renderExprReplacement(item.expr)));
    if (query.limitRange !== undefined) {
      replacements.push({ ...query.limitRange, text: this.#renderLimit(query) });
    }
    const text = spliceText(this.#source, this.#getQueryRange(query), replacements);
    return query.limitRange === undefined ? text + this.#renderTopAsLimit(query.body) : text;
  }

  renderExpr(expr: Expr): string {
    switch (expr.kind) {
      case 'binary':
        return this.#renderBinary(expr);
      case 'call':
        return this.#renderCall(expr);
      case 'cast':
        return renderCast(expr, this.renderExpr(expr.operand), this.#source);
      case 'column':
        return spliceText(this.#source, expr, expr.path.map(createNameReplacement));
      case 'star':
        return spliceText(this.#source, expr, expr.qualifier.map(createNameReplacement));
      case 'literal':
        return expr.type === 'date' ? renderDateLiteral(this.#getRangeText(expr)) : this.#getRangeText(expr);
      case 'exists':
      case 'subselect':
        return spliceText(this.#source, expr, [this.#renderQueryReplacement(expr.query)]);
      case 'unary':
      case 'between':
      case 'in':
      case 'case':
      case 'paren':
      case 'word':
      case 'missing':
        return spliceText(
          this.#source,
          expr,
          getExprChildren(expr).map((child) => this.#renderExprReplacement(child as Expr)),
        );
      default:
        return assertNever(expr);
    }
  }

  #getRangeText({ start, end }: TextRange): string {
    return this.#source.slice(start, end);
  }

  #createReplacement({ start, end }: TextRange, text: string): TextReplacement {
    return { start, end, text };
  }

  #renderExprReplacement(expr: Expr): TextReplacement {
    return this.#createReplacement(expr, this.renderExpr(expr));
  }

  #renderExprReplacements(...exprs: readonly (Expr | undefined)[]): TextReplacement[] {
    return exprs.flatMap((expr) => (expr === undefined ? [] : [this.#renderExprReplacement(expr)]));
  }

  /** Renders a chain of operators with a loop, since a long chain would be too deep for recursion. */
  #renderBinary(outermost: BinaryExpr): string {
    const chain: BinaryExpr[] = [];
    let leftmost: Expr = outermost;
    while (leftmost.kind === 'binary') {
      chain.push(leftmost);
      leftmost = leftmost.left;
    }
    let text = this.renderExpr(leftmost);
    let kind = inferValueKind(leftmost, this.#source);
    for (const node of chain.reverse()) {
      const right = this.renderExpr(node.right);
      if (node.operator !== '+') {
        text += this.#source.slice(node.left.end, node.right.start) + right;
        text +=
          node.escape === undefined
            ? ''
            : spliceText(this.#source, { start: node.right.end, end: node.end }, [
                this.#renderExprReplacement(node.escape),
              ]);
        kind = inferValueKind(node, this.#source);
        continue;
      }
      const rightKind = inferValueKind(node.right, this.#source);
      const isConcatenation = kind === 'text' || rightKind === 'text';
      const isAddition = kind === 'number' && rightKind === 'number';
      const addition = isAddition ? `((${text}) + (${right}))` : `dm_plus(${text}, ${right})`;
      text = isConcatenation ? `((${text}) || (${right}))` : addition;
      kind = isConcatenation ? 'text' : rightKind === kind ? kind : 'unknown';
    }
    return text;
  }

  #renderCall(call: CallExpr): string {
    const args = call.args.map((arg) => this.renderExpr(arg));
    const rewritten = rewriteCall(call, args, this.#recorder, this.#source);
    if (rewritten !== undefined) {
      return rewritten;
    }
    return spliceText(this.#source, call, [
      ...call.args.map((arg, index) => this.#createReplacement(arg, args[index] ?? '')),
      ...call.orderBy.map((item) => this.#renderExprReplacement(item.expr)),
      ...this.#renderExprReplacements(call.filter),
      ...(call.over === undefined ? [] : this.#renderWindow(call.over)),
    ]);
  }

  #renderWindow(spec: WindowSpec): TextReplacement[] {
    return [...spec.partitionBy, ...spec.orderBy.map((item) => item.expr)].map((expr) =>
      this.#renderExprReplacement(expr),
    );
  }

  #renderBody(body: QueryBody): string {
    switch (body.kind) {
      case 'select':
        return this.#renderSelect(body);
      case 'set':
        return this.#renderSetOperation(body);
      case 'values':
        return spliceText(this.#source, body, this.#renderExprReplacements(...body.rows));
      case 'query':
        return this.renderQuery(body);
      default:
        return assertNever(body);
    }
  }

  /**
   * Renders an operand of UNION as a derived table if it has parentheses or TOP, because SQLite allows neither
   * parentheses nor LIMIT there. An INTERSECT on the right becomes a derived table, too: SQLite would not compute it
   * first.
   */
  #renderSetOperation(operation: SetOperation): string {
    const renderOperand = (body: QueryBody): string => {
      const text = this.#renderBody(body) + this.#renderTopAsLimit(body);
      const isDerived =
        body.kind === 'query' ||
        (body.kind === 'set' && body === operation.right) ||
        (body.kind === 'select' && body.top !== undefined);
      return isDerived ? `SELECT * FROM (${text})` : text;
    };
    const operator = this.#source.slice(operation.operatorStart, operation.operatorEnd);
    return `${renderOperand(operation.left)} ${operator.replace(/^minus/i, 'EXCEPT')} ${renderOperand(operation.right)}`;
  }

  #getQueryRange(query: SqlQuery): TextRange {
    const body = query.body === undefined ? query : this.#getBodyRange(query.body);
    return { start: Math.min(query.start, body.start), end: Math.max(query.end, body.end) };
  }

  #renderQueryReplacement(query: SqlQuery): TextReplacement {
    return this.#createReplacement(this.#getQueryRange(query), this.renderQuery(query));
  }

  /** Returns the range of a query body, including the parentheses around it. */
  #getBodyRange(body: QueryBody): TextRange {
    if (body.kind === 'set') {
      return { start: this.#getBodyRange(body.left).start, end: this.#getBodyRange(body.right).end };
    }
    if (body.kind !== 'query') {
      return body;
    }
    const openingOffset = /\(\s*$/.exec(this.#source.slice(0, body.start))?.index ?? body.start;
    const closingLength = /^\s*\)/.exec(this.#source.slice(body.end))?.[0].length ?? 0;
    return { start: openingOffset, end: body.end + closingLength };
  }

  #renderSelect(select: SelectQuery): string {
    const replacements = select.items.flatMap((item) => this.#renderItem(item.expr, item.alias));
    replacements.push(...this.#renderFrom(select.from));
    replacements.push(...this.#renderExprReplacements(...select.groupBy, select.having, select.qualify));
    replacements.push(...select.windows.flatMap(({ spec }) => this.#renderWindow(spec)));
    replacements.push(...this.#renderExprReplacements(select.where));
    return spliceText(this.#source, select, this.#removeTop(select, replacements));
  }

  /** Renders a column of a SELECT. A computed column without an alias is named by its original SQL. */
  #renderItem(expr: Expr, alias: SelectQuery['items'][number]['alias']): TextReplacement[] {
    const replacement = this.#renderExprReplacement(expr);
    if (alias !== undefined) {
      return [replacement, createNameReplacement(alias)];
    }
    const hasName = expr.kind === 'column' || expr.kind === 'star';
    return [
      hasName
        ? replacement
        : { ...replacement, text: `${replacement.text} AS ${quoteSqliteName(this.#getRangeText(expr))}` },
    ];
  }

  #renderFrom(items: readonly FromItem[]): TextReplacement[] {
    return items.flatMap((item) => [
      ...this.#renderTableSource(item.source),
      ...(item.alias === undefined ? [] : [createNameReplacement(item.alias)]),
      ...[...item.columns, ...item.using].map(createNameReplacement),
      ...this.#renderExprReplacements(item.on),
    ]);
  }

  #renderTableSource(source: TableSource): TextReplacement[] {
    switch (source.kind) {
      case 'table':
        return source.path.map(createNameReplacement);
      case 'derived':
        return [this.#renderQueryReplacement(source.query)];
      case 'function':
        return [this.#createReplacement(source.call, this.#renderCall(source.call))];
      case 'group':
        return this.#renderFrom(source.items);
      default:
        return assertNever(source);
    }
  }

  /** Removes `TOP n`, which becomes `LIMIT n` at the end of the query. */
  #removeTop(select: SelectQuery, replacements: TextReplacement[]): TextReplacement[] {
    if (select.top === undefined) {
      return replacements;
    }
    const textBeforeTop = this.#source.slice(select.start, select.top.start);
    const start = select.start + textBeforeTop.toUpperCase().lastIndexOf('TOP');
    return [...replacements, { start, end: select.top.end, text: '' }];
  }

  #renderTopAsLimit(body: QueryBody | undefined): string {
    const top = body?.kind === 'select' ? body.top : undefined;
    return top === undefined ? '' : ` LIMIT ${this.renderExpr(top)}`;
  }

  /** Renders `OFFSET a ROWS FETCH NEXT b ROWS ONLY` as `LIMIT b OFFSET a`; copies a LIMIT clause. */
  #renderLimit(query: SqlQuery): string {
    const limitRange = query.limitRange ?? query;
    const limitText = this.#getRangeText(limitRange);
    if (/^limit/i.test(limitText)) {
      return spliceText(this.#source, limitRange, this.#renderExprReplacements(...query.limits));
    }
    const [firstLimit, secondLimit] = query.limits.map((limit) => this.renderExpr(limit));
    if (/^fetch/i.test(limitText)) {
      return `LIMIT ${firstLimit ?? '1'}`;
    }
    return `LIMIT ${secondLimit ?? '-1'} OFFSET ${firstLimit ?? '0'}`;
  }
}
