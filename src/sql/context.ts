import type { Catalog } from './catalog.ts';
import type { SqlParseCache } from './parseCache.ts';

/**
 * The kind of an expression and the tables it can use: the query of a custom table can use all tables, the expression
 * of a custom column only the columns of its own table. For a text that is being edited, pass a cache.
 */
export type ExpressionContext =
  | { kind: 'table'; catalog: Catalog; cache?: SqlParseCache }
  | { kind: 'column'; table: string; catalog: Catalog; cache?: SqlParseCache };
