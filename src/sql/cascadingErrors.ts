import { lowerBound } from '../base/lowerBound.ts';
import { getScopeChain } from './scope/lookup.ts';
import { hasUnknownColumn } from './scope/sourceNames.ts';
import type { NameProblem } from './scope/problems.ts';
import { isClauseWord } from './syntax/keywords.ts';
import type { Token } from './syntax/token.ts';
import type { SelectQuery, SqlTree, SqlSyntaxError } from './syntax/tree.ts';

/** A place where the grammar stands on firm ground again. */
interface RecoveryPoint {
  readonly start: number;
  /** Index of the token. */
  readonly index: number;
  /** A clause starts; else the next item of a list. */
  readonly isClause: boolean;
}

/**
 * Tells what is wrong in a text from what only follows from it, so that one mistake is one message. The grammar goes
 * on after a mistake as well as it can; until it stands on firm ground again, at the next clause, what it meets is a
 * consequence, and so are names that it does not know where it has lost its way.
 */
export class CascadingErrorFilter {
  readonly #tree: SqlTree;
  readonly #syntaxErrors: readonly SqlSyntaxError[];
  readonly #recoveryPoints: readonly RecoveryPoint[];
  readonly #clauses: readonly RecoveryPoint[];
  readonly #byStart: readonly SqlSyntaxError[];
  /** The furthest end of each fault and all that start before it. */
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

  /** The faults that are no consequences of others, in order of text. */
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

  /** True for a problem that is there because something else is wrong. */
  isConsequence(problem: NameProblem): boolean {
    return this.#isCausedBySyntaxError(problem) || this.#isCausedByUnknownName(problem);
  }

  /** Faults of the frame of a text tell nothing after another fault; others do in a clause that went well so far. */
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
      // Whoever wrote a FROM meant the columns of that table.
      return true;
    }
    if (problem.code === 'duplicate-alias' || this.#isAfterUnexpectedToken(problem)) {
      return (this.#byStart[0]?.start ?? Infinity) < problem.end;
    }
    return this.#isNearSyntaxError(problem) || this.#hasBrokenSources(problem);
  }

  /** What cannot stand where it does may have ended the query: what follows stands outside it. */
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

  /** A query tells what names belong to by its FROM, and what ORDER BY and HAVING may name by its list. */
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

  /** A name that is unknown because another one is: that of its table, or of the column that a sub-select gives. */
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
      // Without FROM every column is unknown: the first of them says so.
      const isKnown = this.#withoutSources.has(select);
      this.#withoutSources.add(select);
      return isKnown;
    }
    // The sources are one that a qualifier names, or all of the scope.
    return sources === scope?.sources
      ? scope.names.hasUnknownColumn
      : sources.some(({ shape }) => hasUnknownColumn(shape));
  }
}

/** What is wrong in a select that names of it may follow from. */
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

/** Something of the frame of a text is missing, or stands where another is missing. */
function isStructural({ reason, detail }: SqlSyntaxError): boolean {
  const isFrame = detail === ')' || detail === 'END' || detail === 'AS' || isClauseWord(detail.toUpperCase());
  return (
    reason === 'expected-select' ||
    reason === 'missing-from' ||
    reason === 'unexpected' ||
    (isFrame && reason !== 'missing-on')
  );
}
