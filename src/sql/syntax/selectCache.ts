import type { Caret } from './caret.ts';
import type { TokenChange } from './relexer.ts';
import type { QueryRole, SelectQuery } from './tree.ts';

/** The parser state that affects how a select is parsed, besides its tokens. */
export interface SelectContext {
  readonly role: QueryRole;
  /** The nesting depth of the parser. */
  readonly depth: number;
  readonly isInParens: boolean;
}

/** A parsed select with the indexes of its tokens. */
export interface CachedSelect extends SelectContext {
  readonly select: SelectQuery;
  readonly from: number;
  /** Index of the token after the select. */
  readonly to: number;
  /** Index of the last token that the parser read for it, which may be after its end. */
  readonly seen: number;
}

/**
 * Caches the selects of a text that is being edited, for completion at a caret. Their names are correct, but their
 * offsets refer to the version of the text from which they were parsed.
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

  /** Removes the selects that an edit affects, and shifts the token indexes of those after it. */
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
 * Access to the cached selects during one parse: only those that do not contain the caret, with token indexes that do
 * not count the word removed at the caret. Selects in expressions are not cached, because the surrounding text
 * determines where they end.
 */
export class SelectReuse {
  readonly #known: SelectCache;
  readonly #caret: Caret;

  constructor(known: SelectCache, caret: Caret) {
    this.#known = known;
    this.#caret = caret;
  }

  /** Returns the cached select that starts at a token and was parsed in the same context. */
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

  /** Returns the number of tokens removed before a token: 1 after the caret if a word was removed there. */
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
