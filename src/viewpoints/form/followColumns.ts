import type { JsonValue } from '../../base/json.ts';
import { followItems } from '../../jsonText/followItems.ts';
import { readColumn } from './readViewpoint.ts';

/** Tells where a column that stood at a place is now; `undefined` where it is gone. */
export const followColumns = (
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): ((place: number) => number | undefined) => followItems(before, after, isStill);

/** A column of another table or column of the datamodel is another one. */
function isStill(before: JsonValue, after: JsonValue): boolean {
  const [old, current] = [readColumn(before), readColumn(after)];
  return old.table === current.table && old.column === current.column;
}
