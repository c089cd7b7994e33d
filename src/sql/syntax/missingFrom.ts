import { parseMoreSources, startsJoin } from './from.ts';
import type { ParserState } from './parserState.ts';
import type { FromItem, SelectQuery } from './tree.ts';

/**
 * Recovers from a missing FROM, as in `SELECT a Orders o JOIN …`, where the table was parsed as an alias: parses the
 * sources. Returns false if FROM is not missing.
 */
export function recoverMissingFrom(parser: ParserState, select: SelectQuery): boolean {
  const lastItem = select.items.at(-1);
  const table = lastItem?.alias;
  if (lastItem === undefined || table === undefined || lastItem.expr.end === table.start) {
    return false;
  }
  const hasAlias =
    parser.isAtName && parser.peek().symbol !== '.' && (parser.isClauseAt(1) || parser.peek().symbol === ',');
  if (parser.peek(1).symbol === 'FROM' || (!hasAlias && !startsJoin(parser))) {
    return false;
  }
  if (hasAlias && !isFollowedByJoinOrClause(parser)) {
    return false;
  }
  parser.reportMissing('missing-from', 'FROM');
  select.items[select.items.length - 1] = { ...lastItem, alias: undefined, end: lastItem.expr.end };
  const alias = hasAlias ? parser.toName(parser.next()) : undefined;
  const recoveredItem: FromItem = {
    start: table.start,
    end: alias?.end ?? table.end,
    join: undefined,
    source: { kind: 'table', path: [table], start: table.start, end: table.end },
    alias,
    columns: [],
    on: undefined,
    using: [],
  };
  select.from.push(recoveredItem);
  parseMoreSources(parser, select.from);
  return true;
}

function isFollowedByJoinOrClause(parser: ParserState): boolean {
  return parser.isClauseAt(1) && parser.peek(1).symbol !== 'ON';
}
