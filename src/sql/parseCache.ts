import type { Catalog } from './catalog.ts';
import { CatalogIndex } from './scope/catalogIndex.ts';
import type { NameResolution } from './scope/nameResolution.ts';
import type { Caret } from './syntax/caret.ts';
import type { CaretHints } from './syntax/caretHints.ts';
import { SelectCache } from './syntax/selectCache.ts';
import {
  parseExpressionTokens,
  computeCaretHints,
  isTooLong,
  lexBounded,
  parseStatementTokens,
} from './syntax/parser.ts';
import { relex } from './syntax/relex.ts';
import type { LexedText } from './syntax/lexedText.ts';
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
  #lexed: LexedText | undefined;
  #tree: SqlTree | undefined;
  #index: CatalogIndex | undefined;
  #resolution:
    | { readonly tree: SqlTree; readonly key: ResolutionKey; readonly resolution: NameResolution }
    | undefined;
  /** The parsed selects of the current text. */
  readonly #selects = new SelectCache();

  /** Returns the tokens of a text. After an edit, only the edited part is lexed again if possible. */
  lex(text: string): LexedText {
    const previous = this.#lexed;
    if (previous?.text === text) {
      return previous;
    }
    const relexed = previous === undefined || isTooLong(text) ? undefined : relex(previous, text);
    if (relexed === undefined) {
      this.#selects.clear();
    } else {
      this.#selects.applyEdit(relexed.change);
    }
    this.#lexed = relexed?.lexed ?? lexBounded(text);
    return this.#lexed;
  }

  /** Returns the syntax tree of a text, which is parsed only once. */
  getTree(text: string, kind: SqlTree['kind']): SqlTree {
    if (this.#tree?.text !== text || this.#tree.kind !== kind) {
      const lexed = this.lex(text);
      this.#tree = kind === 'statement' ? parseStatementTokens(lexed) : parseExpressionTokens(lexed);
    }
    return this.#tree;
  }

  /** Returns the parser's hints at a caret. Selects that do not contain the caret are taken from the cache. */
  getHints(
    position: { readonly lexed: LexedText; readonly caret: Caret },
    kind: SqlTree['kind'],
  ): CaretHints {
    const isCurrentText = position.lexed.text === this.#lexed?.text;
    return computeCaretHints(position, kind, isCurrentText ? this.#selects : undefined);
  }

  getCatalogIndex(catalog: Catalog): CatalogIndex {
    if (this.#index?.catalog !== catalog) {
      this.#index = new CatalogIndex(catalog);
    }
    return this.#index;
  }

  /** Returns the name resolution of a tree, which is computed only once. */
  getResolution(tree: SqlTree, key: ResolutionKey, resolve: () => NameResolution): NameResolution {
    const cached = this.#resolution;
    const isCached =
      cached?.tree === tree && cached.key.catalog === key.catalog && cached.key.table === key.table;
    if (isCached) {
      return cached.resolution;
    }
    const resolution = resolve();
    this.#resolution = { tree, key, resolution };
    return resolution;
  }
}
