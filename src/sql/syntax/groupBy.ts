import type { ParserState } from './parserState.ts';
import type { Expr, SelectQuery } from './tree.ts';

/** Parses `GROUP BY` with its items and a trailing `WITH ROLLUP` or `WITH CUBE`. */
export function parseGroupBy(parser: ParserState, select: SelectQuery): void {
  parser.clause = 'group';
  parser.next();
  parser.expect('BY');
  do {
    select.groupBy.push(parseGroupItem(parser));
  } while (parser.accept(',') !== undefined);
  if (parser.is('WITH') && (parser.peek().symbol === 'ROLLUP' || parser.peek().symbol === 'CUBE')) {
    parser.next();
    parser.next();
  }
}

function parseGroupItem(parser: ParserState): Expr {
  if (parser.is('GROUPING') && parser.peek().symbol === 'SETS') {
    parser.next();
    parser.next();
  }
  return parser.rules.parseExpr(parser);
}
