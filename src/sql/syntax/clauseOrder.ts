import type { ParserState } from './parserState.ts';
import type { SelectQuery } from './tree.ts';

/** Clauses that have the same order in all dialects; dialects order WINDOW and QUALIFY differently. */
const orderedClauses = ['from', 'where', 'group', 'having'] as const;

type SelectClause = (typeof orderedClauses)[number] | 'window' | 'qualify';

/** Reports a clause that the select already has, or that belongs before one that it has. */
export function reportMisplacedClause(parser: ParserState, select: SelectQuery, clause: SelectClause): void {
  const index = orderedClauses.findIndex((candidate) => candidate === clause);
  const laterClauses = index === -1 ? [] : orderedClauses.slice(index + 1);
  if ([clause, ...laterClauses].some((candidate) => hasClause(select, candidate))) {
    parser.reportUnexpected();
  }
}

function hasClause(select: SelectQuery, clause: SelectClause): boolean {
  switch (clause) {
    case 'from':
      return select.fromOffset >= 0;
    case 'where':
      return select.where !== undefined;
    case 'group':
      return select.groupBy.length > 0;
    case 'having':
      return select.having !== undefined;
    case 'window':
      return select.windows.length > 0;
    case 'qualify':
      return select.qualify !== undefined;
  }
}
