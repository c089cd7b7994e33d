import type { Catalog } from './catalog.ts';
import type { SqlParseCache } from './parseCache.ts';

/**
 * The kind and surroundings of an expression: a custom table sees all tables, a custom column those of its own table.
 * Callers that process a text repeatedly while it is edited pass a cache.
 */
export type ExpressionContext =
  | { kind: 'table'; catalog: Catalog; memory?: SqlParseCache }
  | { kind: 'column'; table: string; catalog: Catalog; memory?: SqlParseCache };
