import { lowerBound } from '../base/lowerBound.ts';
import { getScopeChain } from './scope/lookup.ts';
import { hasUnknownColumn } from './scope/sourceNames.ts';
import type { NameProblem } from './scope/problems.ts';
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
  readonly #clauses: readonly RecoveryPoint[];
  readonly #byStart: readonly SqlSyntaxError[];
  /** For each sorted error, the maximum end of this error and all errors before it. */
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

  /** Returns the errors that are not consequences of others. */
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

  /** True for a problem that is caused by a syntax error or another unknown name. */
  isConsequence(problem: NameProblem): boolean {
    return this.#isCausedBySyntaxError(problem) || this.#isCausedByUnknownName(problem);
  }

  /**
   * True for an error after the parser has recovered: it is not directly at the start of the next clause. A missing
   * structural part is never a root error if another error precedes it.
   */
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
      // The expression uses columns of the table in its FROM clause, which is not allowed here.
      return true;
    }
    if (problem.code === 'duplicate-alias' || this.#isAfterUnexpectedToken(problem)) {
      return (this.#byStart[0]?.start ?? Infinity) < problem.end;
    }
    return this.#isNearSyntaxError(problem) || this.#hasBrokenSources(problem);
  }

  /** True after an unexpected token, which may have ended the query. */
  #isAfterUnexpectedToken({ start }: NameProblem): boolean {
    return this.#firstUnexpected < start;
  }

  /** True if there is a syntax error in the same clause and list item. */
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

  /**
   * True if a syntax error may hide the source of the name: an error in FROM hides tables, an error in the select list
   * hides aliases that ORDER BY and HAVING can use.
   */
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

  /** True if the name is unknown because its table is unknown, or a column of its sub-select. */
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
      // Without FROM every column is unknown: report only the first one.
      const isKnown = this.#withoutSources.has(select);
      this.#withoutSources.add(select);
      return isKnown;
    }
    // Without a qualifier, the sources of the problem are all sources of the scope.
    return sources === scope?.sources
      ? scope.names.hasUnknownColumn
      : sources.some(({ shape }) => hasUnknownColumn(shape));
  }
}

/** Where a select has syntax errors that can cause problems with its names. */
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

/** True if the error concerns the structure of a query: a missing or unexpected keyword or parenthesis. */
function isStructural({ reason, detail }: SqlSyntaxError): boolean {
  const isFrame = detail === ')' || detail === 'END' || detail === 'AS' || isClauseWord(detail.toUpperCase());
  return (
    reason === 'expected-select' ||
    reason === 'missing-from' ||
    reason === 'unexpected' ||
    (isFrame && reason !== 'missing-on')
  );
}
