import { lowerBound } from '../base/lowerBound.ts';
import { getScopeChain } from './scope/lookup.ts';
import { hasUnknownColumn } from './scope/sourceNames.ts';
import type { NameProblem } from './scope/problems.ts';
import { isClauseWord } from './syntax/keywords.ts';
import type { Token } from './syntax/token.ts';
import type { SelectQuery, SqlTree, SqlSyntaxError } from './syntax/tree.ts';

/** A place where the grammar can recover. */
interface RecoveryPoint {
  readonly start: number;
  /** Index of the token. */
  readonly index: number;
  /** True at the start of a clause, false at the next item of a list. */
  readonly isClause: boolean;
}

/**
 * Separates the root errors of a text from their consequences, so that one mistake yields one message. The grammar
 * continues after a mistake as well as it can; until it recovers, at the next clause, every error that it finds is a
 * consequence, and so are unknown names in the part that it could not follow.
 */
export class CascadingErrorFilter {
  readonly #tree: SqlTree;
  readonly #syntaxErrors: readonly SqlSyntaxError[];
  readonly #recoveryPoints: readonly RecoveryPoint[];
  readonly #clauses: readonly RecoveryPoint[];
  readonly #byStart: readonly SqlSyntaxError[];
  /** The furthest end of each error and all that start before it. */
  readonly #errorEnds: readonly number[];
  readonly #hasFromInColumn: boolean;
  readonly #firstUnexpected: number;
  readonly #withoutSources = new Set<SelectQuery>();
  readonly #brokenSources = new Map<SelectQuery, BrokenSources>();

  constructor(tree: SqlTree) {
    this.#tree = tree;
    this.#syntaxErrors = tree.syntaxErrors;
    this.#recoveryPoints = tree.syntaxErrors.length === 0 ? [] : findRecoveryPoints(tree.tokens);
    this.#clauses = this.#recoveryPoints.filter(({ isClause }) => isClause);
    let furthest = 0;
    this.#byStart = tree.syntaxErrors.toSorted((a, b) => a.start - b.start);
    this.#errorEnds = this.#byStart.map(({ end }) => (furthest = Math.max(furthest, end)));
    this.#hasFromInColumn = tree.syntaxErrors.some(({ reason }) => reason === 'from-in-column');
    this.#firstUnexpected = this.#byStart.find(({ reason }) => reason === 'unexpected')?.start ?? Infinity;
  }

  /** The errors that are not consequences of others, in order of text. */
  getRootErrors(): readonly SqlSyntaxError[] {
    const kept: SqlSyntaxError[] = [];
    for (const fault of this.#syntaxErrors) {
      const last = kept.at(-1);
      if (last === undefined || isUnclosed(fault) || this.#isRootError(fault, last)) {
        kept.push(fault);
      }
    }
    return kept;
  }

  /** True for a problem that exists only because something else is wrong. */
  isConsequence(problem: NameProblem): boolean {
    return this.#isCausedBySyntaxError(problem) || this.#isCausedByUnknownName(problem);
  }

  /** A structural error after another error means nothing; other errors count in a clause that was valid so far. */
  #isRootError(fault: SqlSyntaxError, last: SqlSyntaxError): boolean {
    if (isStructural(fault)) {
      return false;
    }
    const next = findFirstFrom(this.#clauses, last.end);
    return next !== undefined && next.index + 1 < this.#getTokenIndex(fault.start);
  }

  #getTokenIndex(offset: number): number {
    const { tokens } = this.#tree;
    return lowerBound(tokens.length, (index) => (tokens.get(index)?.start ?? 0) < offset);
  }

  #isCausedBySyntaxError(problem: NameProblem): boolean {
    if (this.#syntaxErrors.length === 0) {
      return false;
    }
    if (this.#hasFromInColumn) {
      // A FROM shows that the columns of that table were meant.
      return true;
    }
    if (problem.code === 'duplicate-alias' || this.#isAfterUnexpectedToken(problem)) {
      return (this.#byStart[0]?.start ?? Infinity) < problem.end;
    }
    return this.#isNearSyntaxError(problem) || this.#hasBrokenSources(problem);
  }

  /** An unexpected token may have ended the query: the text after it is outside the query. */
  #isAfterUnexpectedToken({ start }: NameProblem): boolean {
    return this.#firstUnexpected < start;
  }

  /** In the same clause and list item. */
  #isNearSyntaxError({ start, end }: NameProblem): boolean {
    const grounds = this.#recoveryPoints;
    const before = lowerBound(grounds.length, (index) => (grounds[index]?.start ?? 0) <= start);
    const to = findFirstFrom(grounds, end)?.start ?? Number.POSITIVE_INFINITY;
    return this.#hasErrorIn(grounds[before - 1]?.start ?? 0, to);
  }

  #hasErrorIn(from: number, to: number): boolean {
    const count = lowerBound(this.#byStart.length, (index) => (this.#byStart[index]?.start ?? 0) < to);
    return (this.#errorEnds[count - 1] ?? 0) > from;
  }

  /** The FROM of a query determines the sources of names, and its list the names for ORDER BY and HAVING. */
  #hasBrokenSources({ scope, start, path }: NameProblem): boolean {
    return (scope === undefined ? [] : getScopeChain(scope)).some(({ select }) => {
      if (select === undefined || select.from.length === 0) {
        return select !== undefined;
      }
      const { inFrom, inList } = this.#getBrokenSources(select);
      return inFrom || (inList && start > select.fromKeyword && path.length === 1);
    });
  }

  #getBrokenSources(select: SelectQuery): BrokenSources {
    const known = this.#brokenSources.get(select);
    if (known !== undefined) {
      return known;
    }
    const end = select.from.reduce((furthest, item) => Math.max(furthest, item.end), 0);
    const next = findFirstFrom(this.#clauses, end)?.start ?? Number.POSITIVE_INFINITY;
    const lost = {
      inFrom: this.#hasErrorIn(select.fromKeyword, next),
      inList: this.#hasErrorIn(select.start, select.fromKeyword),
    };
    this.#brokenSources.set(select, lost);
    return lost;
  }

  /** A name that is unknown because another one is: that of its table, or of a column of a sub-select. */
  #isCausedByUnknownName({ reason, scope, sources }: NameProblem): boolean {
    const scopes = scope === undefined ? [] : getScopeChain(scope);
    if (reason === 'not-in-scope') {
      return scopes.some((at) => at.names.hasUnknownTable);
    }
    if (reason !== 'no-column') {
      return false;
    }
    const isAlone = scopes.length > 0 && scopes.every(({ select }) => select?.from.length === 0);
    const select = scope?.select;
    if (isAlone && select !== undefined) {
      // Without FROM every column is unknown: only the first of them is reported.
      const isKnown = this.#withoutSources.has(select);
      this.#withoutSources.add(select);
      return isKnown;
    }
    // The sources are the one that a qualifier names, or all of the scope.
    return sources === scope?.sources
      ? scope.names.hasUnknownColumn
      : sources.some(({ shape }) => hasUnknownColumn(shape));
  }
}

/** The errors in a select that may cause problems with its names. */
interface BrokenSources {
  readonly inFrom: boolean;
  readonly inList: boolean;
}

const findFirstFrom = (grounds: readonly RecoveryPoint[], offset: number): RecoveryPoint | undefined =>
  grounds[lowerBound(grounds.length, (index) => (grounds[index]?.start ?? 0) < offset)];

function findRecoveryPoints(tokens: Iterable<Token>): readonly RecoveryPoint[] {
  const found: RecoveryPoint[] = [];
  let index = 0;
  for (const { kind, text, start } of tokens) {
    const isClause = text === ';' || (kind === 'word' && isClauseWord(text));
    if (isClause || text === ',') {
      found.push({ start, index, isClause });
    }
    index += 1;
  }
  return found;
}

const isUnclosed = ({ reason }: SqlSyntaxError): boolean => reason.startsWith('unclosed');

/** True if a structural part is missing, or stands where another one is missing. */
function isStructural({ reason, detail }: SqlSyntaxError): boolean {
  const isFrame = detail === ')' || detail === 'END' || detail === 'AS' || isClauseWord(detail.toUpperCase());
  return (
    reason === 'expected-select' ||
    reason === 'missing-from' ||
    reason === 'unexpected' ||
    (isFrame && reason !== 'missing-on')
  );
}
