import type { Caret } from './caret.ts';
import type { TokenChange } from './relexer.ts';
import type { QueryRole, SelectQuery } from './tree.ts';

/** The inputs to the parsing of a select besides its tokens. */
export interface SelectContext {
  readonly role: QueryRole;
  readonly depth: number;
  readonly isInParens: boolean;
}

/** A select with the indexes of its tokens. */
export interface CachedSelect extends SelectContext {
  readonly select: SelectQuery;
  readonly from: number;
  /** Index of the token after it. */
  readonly to: number;
  /** The last token that was read for it. */
  readonly seen: number;
}

/**
 * The selects of a text that is being edited. A parse that only needs the text around the caret reuses them as they
 * are: their names are right, but their offsets are those of the text that they were parsed from.
 */
export class SelectCache {
  readonly #byStart = new Map<number, CachedSelect>();

  getAt(index: number): CachedSelect | undefined {
    return this.#byStart.get(index);
  }

  add(known: CachedSelect): void {
    this.#byStart.set(known.from, known);
  }

  clear(): void {
    this.#byStart.clear();
  }

  /** Removes the selects that an edit affected and moves those after it. */
  follow({ from, oldEnd, newEnd }: TokenChange): void {
    const shift = newEnd - oldEnd;
    const all = [...this.#byStart.values()];
    this.#byStart.clear();
    for (const known of all) {
      if (known.seen < from) {
        this.add(known);
      } else if (known.from > oldEnd) {
        this.add(shiftSelect(known, shift));
      }
    }
  }
}

/**
 * The cached selects for one parse: away from its caret, and counted without the word that was removed there. Those of
 * expressions are parsed together with the text around them, since it determines where they end.
 */
export class SelectReuse {
  readonly #known: SelectCache;
  readonly #caret: Caret;

  constructor(known: SelectCache, caret: Caret) {
    this.#known = known;
    this.#caret = caret;
  }

  /** Returns the select that starts at a token. */
  find(index: number, where: SelectContext): CachedSelect | undefined {
    const out = this.#getRemovedTokenCount(index);
    const known = this.#known.getAt(index + out);
    const isSame =
      known !== undefined &&
      known.role === where.role &&
      known.depth === where.depth &&
      known.isInParens === where.isInParens;
    if (!isSame) {
      return undefined;
    }
    const here = shiftSelect(known, -out);
    return this.#isAway(here) ? here : undefined;
  }

  keep(known: CachedSelect): void {
    if (known.role !== 'expression' && this.#isAway(known)) {
      this.#known.add(shiftSelect(known, this.#getRemovedTokenCount(known.from)));
    }
  }

  /** Returns the number of tokens before this one that the parse does not see. */
  #getRemovedTokenCount(index: number): number {
    return this.#caret.phantom && index >= this.#caret.index ? 1 : 0;
  }

  #isAway({ from, seen }: CachedSelect): boolean {
    return seen < this.#caret.index || from > this.#caret.index;
  }
}

function shiftSelect(known: CachedSelect, by: number): CachedSelect {
  return by === 0 ? known : { ...known, from: known.from + by, to: known.to + by, seen: known.seen + by };
}
