import type { JsonValue } from '../../base/json.ts';
import type { TableColumn } from '../model/generatedColumns.ts';

/**
 * Loads `createKeptColumnTest` of `src/changes/model/generatedColumns.ts`, which reads SQL, only if a query changes.
 */
export async function loadKeptColumns(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Promise<(column: TableColumn) => boolean> {
  const loaded = await import('../model/generatedColumns.ts');
  return loaded.createKeptColumnTest(before, after);
}
