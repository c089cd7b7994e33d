import type { Catalog } from './catalog.ts';
import { CatalogIndex } from './scope/catalogIndex.ts';
import type { NameResolution } from './scope/resolution.ts';
import type { Caret } from './syntax/caret.ts';
import type { CaretHints } from './syntax/hints.ts';
import { SelectCache } from './syntax/selectCache.ts';
import {
  parseExpressionTokens,
  computeCaretHints,
  isTooLong,
  lexBounded,
  parseStatementTokens,
} from './syntax/parser.ts';
import { relex } from './syntax/relexer.ts';
import type { Lexed } from './syntax/tokens.ts';
import type { SqlTree } from './syntax/tree.ts';

/** The inputs that the names of a tree were resolved with. */
interface ResolutionKey {
  readonly catalog: Catalog;
  /** The own table of a column's expression. */
  readonly table: string | undefined;
}

/**
 * A cache of the parts of one text that were parsed, for the next request: the text has not changed since, or only
 * little. Results are the same as for a text that is parsed from scratch, only sooner. The code that shows the text
 * owns the cache, which holds one state of the text at a time.
 */
export class SqlParseCache {
  #lex: Lexed | undefined;
  #getTree: SqlTree | undefined;
  #getIndex: CatalogIndex | undefined;
  #getResolution:
    | { readonly tree: SqlTree; readonly within: ResolutionKey; readonly found: NameResolution }
    | undefined;
  /** The selects of the current text. */
  readonly #selects = new SelectCache();

  /** Returns the tokens of a text: after an edit, only the edited part is read. */
  lex(text: string): Lexed {
    const before = this.#lex;
    if (before?.text === text) {
      return before;
    }
    const edited = before === undefined || isTooLong(text) ? undefined : relex(before, text);
    if (edited === undefined) {
      this.#selects.clear();
    } else {
      this.#selects.follow(edited.change);
    }
    this.#lex = edited?.lexed ?? lexBounded(text);
    return this.#lex;
  }

  /** Returns the tree of a text, which is parsed only once. */
  getTree(text: string, kind: SqlTree['kind']): SqlTree {
    if (this.#getTree?.text !== text || this.#getTree.kind !== kind) {
      const lexed = this.lex(text);
      this.#getTree = kind === 'statement' ? parseStatementTokens(lexed) : parseExpressionTokens(lexed);
    }
    return this.#getTree;
  }

  /** Returns the hints of the grammar at a caret: after an edit, only the selects around the caret are parsed. */
  getHints(place: { readonly lexed: Lexed; readonly caret: Caret }, kind: SqlTree['kind']): CaretHints {
    const isOfNow = place.lexed.text === this.#lex?.text;
    return computeCaretHints(place, kind, isOfNow ? this.#selects : undefined);
  }

  getIndex(catalog: Catalog): CatalogIndex {
    if (this.#getIndex?.catalog !== catalog) {
      this.#getIndex = new CatalogIndex(catalog);
    }
    return this.#getIndex;
  }

  /** Returns the meanings of the names of a tree, which are resolved only once. */
  getResolution(tree: SqlTree, within: ResolutionKey, look: () => NameResolution): NameResolution {
    const known = this.#getResolution;
    const isKnown =
      known?.tree === tree && known.within.catalog === within.catalog && known.within.table === within.table;
    if (isKnown) {
      return known.found;
    }
    const found = look();
    this.#getResolution = { tree, within, found };
    return found;
  }
}
