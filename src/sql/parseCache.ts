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

/** The inputs of a name resolution, besides the tree. */
interface ResolutionKey {
  readonly catalog: Catalog;
  /** The table that contains the column, for the expression of a custom column. */
  readonly table: string | undefined;
}

/**
 * Caches the results of lexing, parsing and name resolution for the current version of one text, and reuses them after
 * small edits. The results are the same as without the cache. The owner of the text, such as an editor, owns its cache.
 */
export class SqlParseCache {
  #lex: Lexed | undefined;
  #getTree: SqlTree | undefined;
  #getIndex: CatalogIndex | undefined;
  #getResolution:
    | { readonly tree: SqlTree; readonly within: ResolutionKey; readonly found: NameResolution }
    | undefined;
  /** The parsed selects of the current text. */
  readonly #selects = new SelectCache();

  /** Returns the tokens of a text. After an edit, only the edited part is lexed again if possible. */
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

  /** Returns the syntax tree of a text, which is parsed only once. */
  getTree(text: string, kind: SqlTree['kind']): SqlTree {
    if (this.#getTree?.text !== text || this.#getTree.kind !== kind) {
      const lexed = this.lex(text);
      this.#getTree = kind === 'statement' ? parseStatementTokens(lexed) : parseExpressionTokens(lexed);
    }
    return this.#getTree;
  }

  /** Returns the parser's hints at a caret. Selects that do not contain the caret are taken from the cache. */
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

  /** Returns the name resolution of a tree, which is computed only once. */
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
