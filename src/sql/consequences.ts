import { countBefore } from '../base/countBefore.ts';
import { chain } from './scope/lookup.ts';
import { hasUnknownColumn } from './scope/sourceNames.ts';
import type { NameProblem } from './scope/problems.ts';
import { isClauseWord } from './syntax/keywords.ts';
import type { Token } from './syntax/token.ts';
import type { Select, SqlTree, SyntaxFault } from './syntax/tree.ts';

/** A place where the grammar stands on firm ground again. */
interface Ground {
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
export class Consequences {
  readonly #tree: SqlTree;
  readonly #faults: readonly SyntaxFault[];
  readonly #grounds: readonly Ground[];
  readonly #clauses: readonly Ground[];
  readonly #byStart: readonly SyntaxFault[];
  /** The furthest end of each fault and all that start before it. */
  readonly #faultEnds: readonly number[];
  readonly #hasFromInColumn: boolean;
  readonly #firstUnexpected: number;
  readonly #withoutSources = new Set<Select>();
  readonly #lost = new Map<Select, LostSources>();

  constructor(tree: SqlTree) {
    this.#tree = tree;
    this.#faults = tree.faults;
    this.#grounds = tree.faults.length === 0 ? [] : groundsOf(tree.tokens);
    this.#clauses = this.#grounds.filter(({ isClause }) => isClause);
    let furthest = 0;
    this.#byStart = tree.faults.toSorted((a, b) => a.start - b.start);
    this.#faultEnds = this.#byStart.map(({ end }) => (furthest = Math.max(furthest, end)));
    this.#hasFromInColumn = tree.faults.some(({ reason }) => reason === 'from-in-column');
    this.#firstUnexpected = this.#byStart.find(({ reason }) => reason === 'unexpected')?.start ?? Infinity;
  }

  /** The faults that are no consequences of others, in order of text. */
  ownFaults(): readonly SyntaxFault[] {
    const kept: SyntaxFault[] = [];
    for (const fault of this.#faults) {
      const last = kept.at(-1);
      if (last === undefined || isUnclosed(fault) || this.#isOwn(fault, last)) {
        kept.push(fault);
      }
    }
    return kept;
  }

  /** True for a problem that is there because something else is wrong. */
  hides(problem: NameProblem): boolean {
    return this.#followsFromSyntax(problem) || this.#followsFromNames(problem);
  }

  /** Faults of the frame of a text tell nothing after another fault; others do in a clause that went well so far. */
  #isOwn(fault: SyntaxFault, last: SyntaxFault): boolean {
    if (isStructural(fault)) {
      return false;
    }
    const next = firstFrom(this.#clauses, last.end);
    return next !== undefined && next.index + 1 < this.#tokenAt(fault.start);
  }

  #tokenAt(offset: number): number {
    const { tokens } = this.#tree;
    return countBefore(tokens.length, (index) => (tokens.get(index)?.start ?? 0) < offset);
  }

  #followsFromSyntax(problem: NameProblem): boolean {
    if (this.#faults.length === 0) {
      return false;
    }
    if (this.#hasFromInColumn) {
      // Whoever wrote a FROM meant the columns of that table.
      return true;
    }
    if (problem.code === 'duplicate-alias' || this.#isAfterTheLostWay(problem)) {
      return (this.#byStart[0]?.start ?? Infinity) < problem.end;
    }
    return this.#isNearFault(problem) || this.#hasLostSources(problem);
  }

  /** What cannot stand where it does may have ended the query: what follows stands outside it. */
  #isAfterTheLostWay({ start }: NameProblem): boolean {
    return this.#firstUnexpected < start;
  }

  /** In the same clause and list item. */
  #isNearFault({ start, end }: NameProblem): boolean {
    const grounds = this.#grounds;
    const before = countBefore(grounds.length, (index) => (grounds[index]?.start ?? 0) <= start);
    const to = firstFrom(grounds, end)?.start ?? Number.POSITIVE_INFINITY;
    return this.#hasFaultIn(grounds[before - 1]?.start ?? 0, to);
  }

  #hasFaultIn(from: number, to: number): boolean {
    const count = countBefore(this.#byStart.length, (index) => (this.#byStart[index]?.start ?? 0) < to);
    return (this.#faultEnds[count - 1] ?? 0) > from;
  }

  /** A query tells what names belong to by its FROM, and what ORDER BY and HAVING may name by its list. */
  #hasLostSources({ scope, start, path }: NameProblem): boolean {
    return (scope === undefined ? [] : chain(scope)).some(({ select }) => {
      if (select === undefined || select.from.length === 0) {
        return select !== undefined;
      }
      const { inFrom, inList } = this.#lostIn(select);
      return inFrom || (inList && start > select.fromKeyword && path.length === 1);
    });
  }

  #lostIn(select: Select): LostSources {
    const known = this.#lost.get(select);
    if (known !== undefined) {
      return known;
    }
    const end = select.from.reduce((furthest, item) => Math.max(furthest, item.end), 0);
    const next = firstFrom(this.#clauses, end)?.start ?? Number.POSITIVE_INFINITY;
    const lost = {
      inFrom: this.#hasFaultIn(select.fromKeyword, next),
      inList: this.#hasFaultIn(select.start, select.fromKeyword),
    };
    this.#lost.set(select, lost);
    return lost;
  }

  /** A name that is unknown because another one is: that of its table, or of the column that a sub-select gives. */
  #followsFromNames({ reason, scope, sources }: NameProblem): boolean {
    const scopes = scope === undefined ? [] : chain(scope);
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
interface LostSources {
  readonly inFrom: boolean;
  readonly inList: boolean;
}

const firstFrom = (grounds: readonly Ground[], offset: number): Ground | undefined =>
  grounds[countBefore(grounds.length, (index) => (grounds[index]?.start ?? 0) < offset)];

function groundsOf(tokens: Iterable<Token>): readonly Ground[] {
  const found: Ground[] = [];
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

const isUnclosed = ({ reason }: SyntaxFault): boolean => reason.startsWith('unclosed');

/** Something of the frame of a text is missing, or stands where another is missing. */
function isStructural({ reason, detail }: SyntaxFault): boolean {
  const isFrame = detail === ')' || detail === 'END' || detail === 'AS' || isClauseWord(detail.toUpperCase());
  return (
    reason === 'expected-select' ||
    reason === 'missing-from' ||
    reason === 'unexpected' ||
    (isFrame && reason !== 'missing-on')
  );
}
