import type { ParserState } from './parserState.ts';
import type { Expr, SelectQuery } from './tree.ts';

/** Parses `GROUP BY` with its items and a trailing `WITH ROLLUP` or `WITH CUBE`. */
export function parseGroupBy(p: ParserState, select: SelectQuery): void {
  p.clause = 'group';
  p.next();
  p.expect('BY');
  do {
    select.groupBy.push(parseGroupItem(p));
  } while (p.accept(',') !== undefined);
  if (p.is('WITH') && (p.peek().text === 'ROLLUP' || p.peek().text === 'CUBE')) {
    p.next();
    p.next();
  }
}

function parseGroupItem(p: ParserState): Expr {
  if (p.is('GROUPING') && p.peek().text === 'SETS') {
    p.next();
    p.next();
  }
  return p.rules.parseExpr(p);
}
