import type { ParserState } from './parserState.ts';
import type { OrderItem } from './tree.ts';

/** Parses `ORDER BY …`; the current token is ORDER. */
export function parseOrderItems(p: ParserState): OrderItem[] {
  p.next();
  p.expect('BY');
  const items: OrderItem[] = [];
  do {
    const expr = p.rules.parseExpr(p);
    if (p.isAtCaret) {
      p.addHint('keyword', 'ASC', 'DESC', 'NULLS FIRST', 'NULLS LAST');
    }
    if (p.is('ASC') || p.is('DESC')) {
      p.next();
    }
    if (p.isAtCaret) {
      p.addHint('keyword', 'NULLS FIRST', 'NULLS LAST');
    }
    if (p.is('NULLS')) {
      p.next();
      p.addHint('keyword', 'FIRST', 'LAST');
      if (p.is('FIRST') || p.is('LAST')) {
        p.next();
      }
    }
    items.push({ expr, start: expr.start, end: Math.max(expr.end, p.previousEnd) });
  } while (p.accept(',') !== undefined);
  return items;
}
