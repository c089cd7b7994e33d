import type { ParserState } from './parserState.ts';
import type { OrderItem } from './tree.ts';

/** Parses `ORDER BY …`; the current token is ORDER. */
export function parseOrderItems(parser: ParserState): OrderItem[] {
  parser.next();
  parser.expect('BY');
  const items: OrderItem[] = [];
  do {
    const expr = parser.rules.parseExpr(parser);
    if (parser.isAtCaret) {
      parser.addHint('keyword', 'ASC', 'DESC', 'NULLS FIRST', 'NULLS LAST');
    }
    if (parser.is('ASC') || parser.is('DESC')) {
      parser.next();
    }
    if (parser.isAtCaret) {
      parser.addHint('keyword', 'NULLS FIRST', 'NULLS LAST');
    }
    if (parser.is('NULLS')) {
      parser.next();
      parser.addHint('keyword', 'FIRST', 'LAST');
      if (parser.is('FIRST') || parser.is('LAST')) {
        parser.next();
      }
    }
    items.push({ expr, start: expr.start, end: Math.max(expr.end, parser.previousEnd) });
  } while (parser.accept(',') !== undefined);
  return items;
}
