import type { Caret } from './caret.ts';
import type { TokenChange } from './relexer.ts';
import type { QueryRole, SelectQuery } from './tree.ts';

/** What the reading of a select depends on besides its tokens. */
export interface SelectContext {
  readonly role: QueryRole;
  readonly depth: number;
  readonly isInParens: boolean;
}

/** A select with the tokens it was read from, by their indexes. */
export interface CachedSelect extends SelectContext {
  readonly select: SelectQuery;
  readonly from: number;
  /** Index of the token behind it. */
  readonly to: number;
  /** The last token that was looked at. */
  readonly seen: number;
}

/**
 * The selects of a text that is being edited. A parse that only wants to know what stands around the caret takes them
 * over as they are: what they name is right, where they stand is as of the text that they were read from.
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

  /** Forgets what an edit touched and moves what stands behind it. */
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
 * Known selects as one parse sees them: away from its caret, and counted without the word that was taken out there.
 * Those of expressions are read with what is around them, on which it depends where they end.
 */
export class SelectReuse {
  readonly #known: SelectCache;
  readonly #caret: Caret;

  constructor(known: SelectCache, caret: Caret) {
    this.#known = known;
    this.#caret = caret;
  }

  /** The select that starts at a token. */
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

  /** How many tokens before this one the parse does not see. */
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
