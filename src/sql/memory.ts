import type { Catalog } from './catalog.ts';
import { CatalogIndex } from './scope/catalogIndex.ts';
import type { Resolution } from './scope/resolution.ts';
import type { Caret } from './syntax/caret.ts';
import type { CaretHints } from './syntax/hints.ts';
import { KnownSelects } from './syntax/knownSelects.ts';
import { expressionOf, hintsAt, isTooLong, lexBounded, statementOf } from './syntax/parser.ts';
import { relex } from './syntax/relexer.ts';
import type { Lexed } from './syntax/tokens.ts';
import type { SqlTree } from './syntax/tree.ts';

/** What the names of a tree were looked up in. */
interface LookedUpIn {
  readonly catalog: Catalog;
  /** The own table of a column's expression. */
  readonly table: string | undefined;
}

/**
 * What was read of one text, for the next question about it: nothing has changed since, or little. Answers are those
 * of a text read from nothing, only sooner. Whoever shows the text owns it; it holds one state of the text at a time.
 */
export class SqlMemory {
  #lexed: Lexed | undefined;
  #tree: SqlTree | undefined;
  #index: CatalogIndex | undefined;
  #resolution:
    | { readonly tree: SqlTree; readonly within: LookedUpIn; readonly found: Resolution }
    | undefined;
  /** Selects of the text as it is now. */
  readonly #selects = new KnownSelects();

  /** The tokens of a text: after an edit only what it touched is read. */
  lexed(text: string): Lexed {
    const before = this.#lexed;
    if (before?.text === text) {
      return before;
    }
    const edited = before === undefined || isTooLong(text) ? undefined : relex(before, text);
    if (edited === undefined) {
      this.#selects.clear();
    } else {
      this.#selects.follow(edited.change);
    }
    this.#lexed = edited?.lexed ?? lexBounded(text);
    return this.#lexed;
  }

  /** The tree of a text: read once, however many ask. */
  tree(text: string, kind: SqlTree['kind']): SqlTree {
    if (this.#tree?.text !== text || this.#tree.kind !== kind) {
      const lexed = this.lexed(text);
      this.#tree = kind === 'statement' ? statementOf(lexed) : expressionOf(lexed);
    }
    return this.#tree;
  }

  /** What the grammar wants at a caret: after an edit only the selects around the caret are read. */
  hintsAt(place: { readonly lexed: Lexed; readonly caret: Caret }, kind: SqlTree['kind']): CaretHints {
    const isOfNow = place.lexed.text === this.#lexed?.text;
    return hintsAt(place, kind, isOfNow ? this.#selects : undefined);
  }

  index(catalog: Catalog): CatalogIndex {
    if (this.#index?.catalog !== catalog) {
      this.#index = new CatalogIndex(catalog);
    }
    return this.#index;
  }

  /** What the names of a tree mean: looked up once, however many ask. */
  resolution(tree: SqlTree, within: LookedUpIn, look: () => Resolution): Resolution {
    const known = this.#resolution;
    const isKnown =
      known?.tree === tree && known.within.catalog === within.catalog && known.within.table === within.table;
    if (isKnown) {
      return known.found;
    }
    const found = look();
    this.#resolution = { tree, within, found };
    return found;
  }
}
