import { chain } from './scope/lookup.ts';
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
  readonly #withoutSources = new Set<Select>();

  constructor(tree: SqlTree) {
    this.#tree = tree;
    this.#faults = tree.faults;
    this.#grounds = tree.faults.length === 0 ? [] : groundsOf(tree.tokens);
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
    const index = this.#tokenAt(fault.start);
    return (
      !isStructural(fault) &&
      this.#grounds.some((ground) => ground.isClause && ground.start >= last.end && ground.index + 1 < index)
    );
  }

  #tokenAt(offset: number): number {
    const { tokens } = this.#tree;
    let low = 0;
    let high = tokens.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tokens.get(middle)?.start ?? 0) < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #followsFromSyntax(problem: NameProblem): boolean {
    if (this.#faults.length === 0) {
      return false;
    }
    if (this.#faults.some(({ reason }) => reason === 'from-in-column')) {
      // Whoever wrote a FROM meant the columns of that table.
      return true;
    }
    if (problem.code === 'duplicate-alias' || this.#isAfterTheLostWay(problem)) {
      return this.#faults.some(({ start }) => start < problem.end);
    }
    return this.#isNearFault(problem) || this.#hasLostSources(problem);
  }

  /** What cannot stand where it does may have ended the query: what follows stands outside it. */
  #isAfterTheLostWay({ start }: NameProblem): boolean {
    return this.#faults.some((fault) => fault.reason === 'unexpected' && fault.start < start);
  }

  /** In the same clause and list item. */
  #isNearFault({ start, end }: NameProblem): boolean {
    const from = this.#grounds.findLast((ground) => ground.start <= start)?.start ?? 0;
    const to = this.#grounds.find((ground) => ground.start >= end)?.start ?? Number.POSITIVE_INFINITY;
    return this.#hasFaultIn(from, to);
  }

  #hasFaultIn(from: number, to: number): boolean {
    return this.#faults.some((fault) => fault.start < to && fault.end > from);
  }

  /** A query tells what names belong to by its FROM, and what ORDER BY and HAVING may name by its list. */
  #hasLostSources({ scope, start, path }: NameProblem): boolean {
    return (scope === undefined ? [] : chain(scope)).some(({ select }) => {
      if (select === undefined || select.from.length === 0) {
        return select !== undefined;
      }
      const end = Math.max(...select.from.map((item) => item.end));
      const next = this.#grounds.find((ground) => ground.isClause && ground.start >= end);
      const inFrom = this.#hasFaultIn(select.fromKeyword, next?.start ?? Number.POSITIVE_INFINITY);
      const isLater = start > select.fromKeyword && path.length === 1;
      return inFrom || (isLater && this.#hasFaultIn(select.start, select.fromKeyword));
    });
  }

  /** A name that is unknown because another one is: that of its table, or of the column that a sub-select gives. */
  #followsFromNames({ reason, scope, sources }: NameProblem): boolean {
    const scopes = scope === undefined ? [] : chain(scope);
    if (reason === 'not-in-scope') {
      return scopes.some((at) =>
        at.sources.some(
          ({ target, alias, item }) =>
            target.kind === 'unknown' && alias === undefined && item?.source.kind === 'table',
        ),
      );
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
    return sources.some(({ shape }) =>
      shape.columns.some(({ name, symbol }) => name !== '' && symbol === undefined),
    );
  }
}

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
