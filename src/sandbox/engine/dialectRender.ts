import { assertNever } from '../../base/assertNever.ts';
import type {
  Binary,
  Call,
  Expr,
  FromItem,
  Query,
  QueryBody,
  Select,
  SetOperation,
  TableSource,
  WindowSpec,
} from '../../sql/syntax/tree.ts';
import { exprChildren } from '../../sql/syntax/walk.ts';
import { type CallNotes, rewriteCall } from './dialectCalls.ts';
import { castTo, dateLiteral, kindOf, namePart, type Part, splice, sqliteName } from './dialectText.ts';

interface Positioned {
  readonly start: number;
  readonly end: number;
}

/**
 * Writes a tree of the platform's dialect for SQLite: nodes that mean something else there are rewritten, all other
 * text stays as it was written. The parser bounds the depth, except that chains of operators lean left.
 */
export class DialectRenderer {
  readonly #source: string;
  readonly #notes: CallNotes;

  constructor(source: string, notes: CallNotes) {
    this.#source = source;
    this.#notes = notes;
  }

  query(query: Query): string {
    const parts: Part[] = query.ctes.flatMap((cte) => [
      namePart(cte.name),
      ...cte.columns.map(namePart),
      ...(cte.query === undefined ? [] : [this.#queryPart(cte.query)]),
    ]);
    if (query.body !== undefined) {
      parts.push(this.#part(this.#extentOf(query.body), this.#body(query.body)));
    }
    parts.push(...query.orderBy.map((item) => this.#exprPart(item.expr)));
    if (query.limitExtent !== undefined) {
      parts.push({ ...query.limitExtent, text: this.#limit(query) });
    }
    return splice(this.#source, this.#extentOfQuery(query), parts) + this.#limitOfTop(query);
  }

  expr(expr: Expr): string {
    switch (expr.kind) {
      case 'binary':
        return this.#binary(expr);
      case 'call':
        return this.#call(expr);
      case 'cast':
        return castTo(expr, this.expr(expr.operand), this.#source);
      case 'column':
        return splice(this.#source, expr, expr.path.map(namePart));
      case 'star':
        return splice(this.#source, expr, expr.qualifier.map(namePart));
      case 'literal':
        return expr.type === 'date' ? dateLiteral(this.#textOf(expr)) : this.#textOf(expr);
      case 'exists':
      case 'subselect':
        return splice(this.#source, expr, [this.#queryPart(expr.query)]);
      case 'unary':
      case 'between':
      case 'in':
      case 'case':
      case 'paren':
      case 'word':
      case 'missing':
        return splice(
          this.#source,
          expr,
          exprChildren(expr).map((child) => this.#exprPart(child as Expr)),
        );
      default:
        return assertNever(expr);
    }
  }

  #textOf({ start, end }: Positioned): string {
    return this.#source.slice(start, end);
  }

  #part({ start, end }: Positioned, text: string): Part {
    return { start, end, text };
  }

  #exprPart(expr: Expr): Part {
    return this.#part(expr, this.expr(expr));
  }

  #exprParts(...exprs: readonly (Expr | undefined)[]): Part[] {
    return exprs.flatMap((expr) => (expr === undefined ? [] : [this.#exprPart(expr)]));
  }

  /** Walks down the left side of a chain and writes it from the inside out. */
  #binary(outermost: Binary): string {
    const chain: Binary[] = [];
    let first: Expr = outermost;
    while (first.kind === 'binary') {
      chain.push(first);
      first = first.left;
    }
    let text = this.expr(first);
    let kind = kindOf(first, this.#source);
    for (const node of chain.reverse()) {
      const right = this.expr(node.right);
      if (node.operator !== '+') {
        text += this.#source.slice(node.left.end, node.right.start) + right;
        text +=
          node.escape === undefined
            ? ''
            : splice(this.#source, { start: node.right.end, end: node.end }, [this.#exprPart(node.escape)]);
        kind = kindOf(node, this.#source);
        continue;
      }
      const rightKind = kindOf(node.right, this.#source);
      const joins = kind === 'text' || rightKind === 'text';
      const adds = kind === 'number' && rightKind === 'number';
      const sum = adds ? `((${text}) + (${right}))` : `dm_plus(${text}, ${right})`;
      text = joins ? `((${text}) || (${right}))` : sum;
      kind = joins ? 'text' : rightKind === kind ? kind : 'unknown';
    }
    return text;
  }

  #call(call: Call): string {
    const args = call.args.map((arg) => this.expr(arg));
    const rewritten = rewriteCall(call, args, this.#notes, this.#source);
    if (rewritten !== undefined) {
      return rewritten;
    }
    return splice(this.#source, call, [
      ...call.args.map((arg, index) => this.#part(arg, args[index] ?? '')),
      ...call.orderBy.map((item) => this.#exprPart(item.expr)),
      ...this.#exprParts(call.filter),
      ...(call.over === undefined ? [] : this.#window(call.over)),
    ]);
  }

  #window(spec: WindowSpec): Part[] {
    return [...spec.partitionBy, ...spec.orderBy.map((item) => item.expr)].map((expr) =>
      this.#exprPart(expr),
    );
  }

  #body(body: QueryBody): string {
    switch (body.kind) {
      case 'select':
        return this.#select(body);
      case 'set':
        return this.#set(body);
      case 'values':
        return splice(this.#source, body, this.#exprParts(...body.rows));
      case 'query':
        return this.query(body);
      default:
        return assertNever(body);
    }
  }

  /** SQLite takes no parentheses around the arms of a UNION, so such an arm becomes a derived table. */
  #set(set: SetOperation): string {
    const arm = (body: QueryBody): string =>
      body.kind === 'query' ? `SELECT * FROM (${this.query(body)})` : this.#body(body);
    const written = this.#source.slice(set.operatorStart, set.operatorEnd);
    return `${arm(set.left)} ${written.replace(/^minus/i, 'EXCEPT')} ${arm(set.right)}`;
  }

  #extentOfQuery(query: Query): Positioned {
    const body = query.body === undefined ? query : this.#extentOf(query.body);
    return { start: Math.min(query.start, body.start), end: Math.max(query.end, body.end) };
  }

  #queryPart(query: Query): Part {
    return this.#part(this.#extentOfQuery(query), this.query(query));
  }

  /** What a body covers, the parentheses around an arm included. */
  #extentOf(body: QueryBody): Positioned {
    if (body.kind === 'set') {
      return { start: this.#extentOf(body.left).start, end: this.#extentOf(body.right).end };
    }
    if (body.kind !== 'query') {
      return body;
    }
    const opening = /\(\s*$/.exec(this.#source.slice(0, body.start))?.index ?? body.start;
    const closing = /^\s*\)/.exec(this.#source.slice(body.end))?.[0].length ?? 0;
    return { start: opening, end: body.end + closing };
  }

  #select(select: Select): string {
    const parts = select.items.flatMap((item) => this.#item(item.expr, item.alias));
    parts.push(...this.#from(select.from));
    parts.push(...this.#exprParts(...select.groupBy, select.having, select.qualify));
    parts.push(...select.windows.flatMap(({ spec }) => this.#window(spec)));
    parts.push(...this.#exprParts(select.where));
    return splice(this.#source, select, this.#withoutTop(select, parts));
  }

  /** A computed column without an alias is named as it was written, not as it was rewritten. */
  #item(expr: Expr, alias: Select['items'][number]['alias']): Part[] {
    const part = this.#exprPart(expr);
    if (alias !== undefined) {
      return [part, namePart(alias)];
    }
    const named = expr.kind === 'column' || expr.kind === 'star';
    return [named ? part : { ...part, text: `${part.text} AS ${sqliteName(this.#textOf(expr))}` }];
  }

  #from(items: readonly FromItem[]): Part[] {
    return items.flatMap((item) => [
      ...this.#tableSource(item.source),
      ...(item.alias === undefined ? [] : [namePart(item.alias)]),
      ...[...item.columns, ...item.using].map(namePart),
      ...this.#exprParts(item.on),
    ]);
  }

  #tableSource(source: TableSource): Part[] {
    switch (source.kind) {
      case 'table':
        return source.path.map(namePart);
      case 'derived':
        return [this.#queryPart(source.query)];
      case 'function':
        return [this.#part(source.call, this.#call(source.call))];
      case 'group':
        return this.#from(source.items);
      default:
        return assertNever(source);
    }
  }

  /** `SELECT TOP n …` is `SELECT … LIMIT n`; the word stands right before n. */
  #withoutTop(select: Select, parts: Part[]): Part[] {
    if (select.top === undefined) {
      return parts;
    }
    const before = this.#source.slice(select.start, select.top.start);
    const start = select.start + before.toUpperCase().lastIndexOf('TOP');
    return [...parts, { start, end: select.top.end, text: '' }];
  }

  #limitOfTop({ body, limitExtent }: Query): string {
    const top = body?.kind === 'select' ? body.top : undefined;
    return top === undefined || limitExtent !== undefined ? '' : ` LIMIT ${this.expr(top)}`;
  }

  /** `OFFSET a ROWS FETCH NEXT b ROWS ONLY` in SQLite's words; LIMIT stays as it is. */
  #limit(query: Query): string {
    const extent = query.limitExtent ?? query;
    const written = this.#textOf(extent);
    if (/^limit/i.test(written)) {
      return splice(this.#source, extent, this.#exprParts(...query.limits));
    }
    const [first, second] = query.limits.map((limit) => this.expr(limit));
    if (/^fetch/i.test(written)) {
      return `LIMIT ${first ?? '1'}`;
    }
    return `LIMIT ${second ?? '-1'} OFFSET ${first ?? '0'}`;
  }
}
