import type { Caret } from './caret.ts';
import type { TokenChange } from './relex.ts';
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
  readonly startIndex: number;
  /** Index of the token after the select. */
  readonly endIndex: number;
  /** Index of the last token that the parser read for it, which may be after its end. */
  readonly lastReadIndex: number;
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

  add(cached: CachedSelect): void {
    this.#byStart.set(cached.startIndex, cached);
  }

  clear(): void {
    this.#byStart.clear();
  }

  /** Removes the selects that an edit affects, and shifts the token indexes of those after it. */
  applyEdit({ startIndex: changeStart, oldEndIndex, newEndIndex }: TokenChange): void {
    const shift = newEndIndex - oldEndIndex;
    const selects = [...this.#byStart.values()];
    this.#byStart.clear();
    for (const cached of selects) {
      if (cached.lastReadIndex < changeStart) {
        this.add(cached);
      } else if (cached.startIndex > oldEndIndex) {
        this.add(shiftSelect(cached, shift));
      }
    }
  }
}

/**
 * A view of the cached selects for one parse: only those that do not contain the caret, with token indexes that do
 * not count the word removed at the caret. Selects in expressions are not cached, because the surrounding text
 * determines where they end.
 */
export class SelectCacheView {
  readonly #cache: SelectCache;
  readonly #caret: Caret;

  constructor(cache: SelectCache, caret: Caret) {
    this.#cache = cache;
    this.#caret = caret;
  }

  /** Returns the cached select that starts at a token and was parsed in the same context. */
  find(index: number, context: SelectContext): CachedSelect | undefined {
    const removedCount = this.#getRemovedTokenCount(index);
    const cached = this.#cache.getAt(index + removedCount);
    const isSame =
      cached !== undefined &&
      cached.role === context.role &&
      cached.depth === context.depth &&
      cached.isInParens === context.isInParens;
    if (!isSame) {
      return undefined;
    }
    const shifted = shiftSelect(cached, -removedCount);
    return this.#isAwayFromCaret(shifted) ? shifted : undefined;
  }

  add(cached: CachedSelect): void {
    if (cached.role !== 'expression' && this.#isAwayFromCaret(cached)) {
      this.#cache.add(shiftSelect(cached, this.#getRemovedTokenCount(cached.startIndex)));
    }
  }

  /** Returns the number of tokens removed before a token: 1 after the caret if a word was removed there. */
  #getRemovedTokenCount(index: number): number {
    return this.#caret.hasIncompleteWord && index >= this.#caret.index ? 1 : 0;
  }

  #isAwayFromCaret({ startIndex, lastReadIndex }: CachedSelect): boolean {
    return lastReadIndex < this.#caret.index || startIndex > this.#caret.index;
  }
}

function shiftSelect(cached: CachedSelect, distance: number): CachedSelect {
  return distance === 0
    ? cached
    : {
        ...cached,
        startIndex: cached.startIndex + distance,
        endIndex: cached.endIndex + distance,
        lastReadIndex: cached.lastReadIndex + distance,
      };
}
