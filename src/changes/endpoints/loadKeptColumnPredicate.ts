import type { JsonValue } from '../../base/json.ts';
import type { TableColumn } from '../model/generatedColumns.ts';

/**
 * Returns a function that returns whether a custom table keeps a column when its query changes. Call it only for a
 * write that sends a query: it loads a module that needs the SQL parser.
 */
export async function loadKeptColumnPredicate(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Promise<(column: TableColumn) => boolean> {
  const module = await import('../model/generatedColumns.ts');
  return module.createKeptColumnPredicate(before, after);
}
