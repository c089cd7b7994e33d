import type { Catalog } from './catalog.ts';
import type { SqlParseCache } from './parseCache.ts';

/**
 * Where an expression stands: a custom table sees all tables, a custom column those of its own table. Who asks about a
 * text again and again as it is edited gives a memory along.
 */
export type ExpressionContext =
  | { kind: 'table'; catalog: Catalog; memory?: SqlParseCache }
  | { kind: 'column'; table: string; catalog: Catalog; memory?: SqlParseCache };
