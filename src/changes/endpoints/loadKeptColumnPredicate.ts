import type { JsonValue } from '../../base/json.ts';
import type { TableColumn } from '../model/generatedColumns.ts';

/**
 * Calls `createKeptColumnPredicate` of `src/changes/model/generatedColumns.ts`, whose module is loaded only if a query
 * changes, since it needs the SQL parser.
 */
export async function loadKeptColumnPredicate(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Promise<(column: TableColumn) => boolean> {
  const module = await import('../model/generatedColumns.ts');
  return module.createKeptColumnPredicate(before, after);
}
