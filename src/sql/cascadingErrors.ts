import { lowerBound } from '../base/lowerBound.ts';
import { getScopeChain } from './scope/lookup.ts';
import { hasUnknownColumn } from './scope/scopeSourceIndex.ts';
import type { NameProblem } from './scope/nameProblem.ts';
import { isClauseWord } from './syntax/keywords.ts';
import type { Token } from './syntax/token.ts';
import type { SelectQuery, SqlTree, SqlSyntaxError } from './syntax/tree.ts';

/** A token where the parser can recover from an error: the start of a clause, or a comma. */
interface RecoveryPoint {
  readonly start: number;
  /** Index of the token. */
  readonly index: number;
  /** True at the start of a clause or statement, false at the comma before the next list item. */
  readonly isClause: boolean;
}

/**
 * Separates root errors from the errors that they cause, so that one mistake yields one message. After an error, the
 * parser recovers at the next clause. Syntax errors before that point are consequences, and so are unknown names in the
 * text that it could not parse.
 */
export class CascadingErrorFilter {
  readonly #tree: SqlTree;
  readonly #syntaxErrors: readonly SqlSyntaxError[];
  readonly #recoveryPoints: readonly RecoveryPoint[];
  readonly #clauseStarts: readonly RecoveryPoint[];
  readonly #sortedErrors: readonly SqlSyntaxError[];
  /** For each sorted error, the maximum end of this error and all errors before it. */
  readonly #errorEnds: readonly number[];
  readonly #hasFromInColumn: boolean;
  readonly #firstUnexpectedStart: number;
  readonly #reportedSelects = new Set<SelectQuery>();
  readonly #brokenSources = new Map<SelectQuery, BrokenSources>();

  constructor(tree: SqlTree) {
    this.#tree = tree;
    this.#syntaxErrors = tree.syntaxErrors;
    this.#recoveryPoints = tree.syntaxErrors.length === 0 ? [] : findRecoveryPoints(tree.tokens);
    this.#clauseStarts = this.#recoveryPoints.filter(({ isClause }) => isClause);
    let furthestEnd = 0;
    this.#sortedErrors = tree.syntaxErrors.toSorted((a, b) => a.start - b.start);
    this.#errorEnds = this.#sortedErrors.map(({ end }) => (furthestEnd = Math.max(furthestEnd, end)));
    this.#hasFromInColumn = tree.syntaxErrors.some(({ reason }) => reason === 'from-in-column');
    this.#firstUnexpectedStart =
      this.#sortedErrors.find(({ reason }) => reason === 'unexpected')?.start ?? Infinity;
  }

  /** Returns the errors that are not consequences of others. */
  getRootErrors(): readonly SqlSyntaxError[] {
    const rootErrors: SqlSyntaxError[] = [];
    for (const syntaxError of this.#syntaxErrors) {
      const lastRootError = rootErrors.at(-1);
      if (
        lastRootError === undefined ||
        isUnclosed(syntaxError) ||
        this.#isRootError(syntaxError, lastRootError)
      ) {
        rootErrors.push(syntaxError);
      }
    }
    return rootErrors;
  }

  /** True for a problem that is caused by a syntax error or another unknown name. */
  isConsequence(problem: NameProblem): boolean {
    return this.#isCausedBySyntaxError(problem) || this.#isCausedByUnknownName(problem);
  }

  /**
   * True for an error after the parser has recovered: the error follows the start of the next clause, with at least one
   * token between them. An error in the structure of a query is never a root error if another error precedes it.
   */
  #isRootError(syntaxError: SqlSyntaxError, lastRootError: SqlSyntaxError): boolean {
    if (isStructural(syntaxError)) {
      return false;
    }
    const nextClause = findFirstFrom(this.#clauseStarts, lastRootError.end);
    return nextClause !== undefined && nextClause.index + 1 < this.#getTokenIndex(syntaxError.start);
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
      // The expression uses columns of the table in its FROM clause, which is not allowed here.
      return true;
    }
    if (problem.code === 'duplicate-alias' || this.#isAfterUnexpectedToken(problem)) {
      return (this.#sortedErrors[0]?.start ?? Infinity) < problem.end;
    }
    return this.#isNearSyntaxError(problem) || this.#hasBrokenSources(problem);
  }

  /** True after an unexpected token, which may have ended the query. */
  #isAfterUnexpectedToken({ start }: NameProblem): boolean {
    return this.#firstUnexpectedStart < start;
  }

  /** True if there is a syntax error in the same clause and list item. */
  #isNearSyntaxError({ start, end }: NameProblem): boolean {
    const recoveryPoints = this.#recoveryPoints;
    const pointCount = lowerBound(
      recoveryPoints.length,
      (index) => (recoveryPoints[index]?.start ?? 0) <= start,
    );
    const nextPointStart = findFirstFrom(recoveryPoints, end)?.start ?? Number.POSITIVE_INFINITY;
    return this.#hasErrorIn(recoveryPoints[pointCount - 1]?.start ?? 0, nextPointStart);
  }

  #hasErrorIn(start: number, end: number): boolean {
    const count = lowerBound(
      this.#sortedErrors.length,
      (index) => (this.#sortedErrors[index]?.start ?? 0) < end,
    );
    return (this.#errorEnds[count - 1] ?? 0) > start;
  }

  /**
   * True if a syntax error may hide the source of the name: an error in FROM hides tables, an error in the select list
   * hides aliases that ORDER BY and HAVING can use.
   */
  #hasBrokenSources({ scope, start, path }: NameProblem): boolean {
    return getScopeChain(scope).some(({ select }) => {
      if (select === undefined || select.from.length === 0) {
        return select !== undefined;
      }
      const { hasErrorInFrom, hasErrorInList } = this.#getBrokenSources(select);
      return hasErrorInFrom || (hasErrorInList && start > select.fromOffset && path.length === 1);
    });
  }

  #getBrokenSources(select: SelectQuery): BrokenSources {
    const cached = this.#brokenSources.get(select);
    if (cached !== undefined) {
      return cached;
    }
    const end = select.from.reduce((furthestEnd, item) => Math.max(furthestEnd, item.end), 0);
    const nextClauseStart = findFirstFrom(this.#clauseStarts, end)?.start ?? Number.POSITIVE_INFINITY;
    const brokenSources = {
      hasErrorInFrom: this.#hasErrorIn(select.fromOffset, nextClauseStart),
      hasErrorInList: this.#hasErrorIn(select.start, select.fromOffset),
    };
    this.#brokenSources.set(select, brokenSources);
    return brokenSources;
  }

  /**
   * True if the name is unknown because its table or a column of its source is unknown, or because its select has no
   * FROM clause and another column was already reported for that. Must be called only once per problem, because it
   * remembers the selects whose first problem was reported.
   */
  #isCausedByUnknownName({ reason, scope, sources }: NameProblem): boolean {
    const scopes = getScopeChain(scope);
    if (reason === 'not-in-scope') {
      return scopes.some((scopeInChain) => scopeInChain.sourceIndex.hasUnknownTable);
    }
    if (reason !== 'no-column') {
      return false;
    }
    const hasNoSources = scopes.length > 0 && scopes.every(({ select }) => select?.from.length === 0);
    const select = scope?.select;
    if (hasNoSources && select !== undefined) {
      // Without FROM every column is unknown: report only the first one.
      const isAlreadyReported = this.#reportedSelects.has(select);
      this.#reportedSelects.add(select);
      return isAlreadyReported;
    }
    // Without a qualifier, the sources of the problem are all sources of the scope.
    return sources === scope?.sources
      ? scope.sourceIndex.hasUnknownColumn
      : sources.some(({ shape }) => hasUnknownColumn(shape));
  }
}

/** Where a select has syntax errors that can cause problems with its names. */
interface BrokenSources {
  readonly hasErrorInFrom: boolean;
  readonly hasErrorInList: boolean;
}

const findFirstFrom = (recoveryPoints: readonly RecoveryPoint[], offset: number): RecoveryPoint | undefined =>
  recoveryPoints[lowerBound(recoveryPoints.length, (index) => (recoveryPoints[index]?.start ?? 0) < offset)];

function findRecoveryPoints(tokens: Iterable<Token>): readonly RecoveryPoint[] {
  const recoveryPoints: RecoveryPoint[] = [];
  let index = 0;
  for (const { kind, symbol, start } of tokens) {
    const isClause = symbol === ';' || (kind === 'word' && isClauseWord(symbol));
    if (isClause || symbol === ',') {
      recoveryPoints.push({ start, index, isClause });
    }
    index += 1;
  }
  return recoveryPoints;
}

const isUnclosed = ({ reason }: SqlSyntaxError): boolean => reason.startsWith('unclosed');

/** True if the error concerns the structure of a query: a missing or unexpected keyword or parenthesis. */
function isStructural({ reason, detail }: SqlSyntaxError): boolean {
  const isStructuralDetail =
    detail === ')' || detail === 'END' || detail === 'AS' || isClauseWord(detail.toUpperCase());
  return (
    reason === 'expected-select' ||
    reason === 'missing-from' ||
    reason === 'unexpected' ||
    (isStructuralDetail && reason !== 'missing-on')
  );
}
