import type { JsonObject } from '../../base/json.ts';
import { compareTexts } from '../../base/sortByText.ts';

/** Members that come first in files, in this order. */
const firstMembers: readonly string[] = [
  'title',
  'name',
  'id',
  'type',
  'description',
  'relationType',
  'buildBehavior',
  'configOptions',
  'size',
  'precision',
  'scale',
  'hidden',
  'isMaterialized',
  'indexed',
  'isUpsertBy',
  'isCustom',
  'database',
  'schemaName',
];

const ranks: ReadonlyMap<string, number> = new Map(firstMembers.map((name, index) => [name, index]));

const getRank = (name: string): number => ranks.get(name) ?? firstMembers.length;

/**
 * Orders the members of an object in the same way for every instance: servers return them in any order, and files of the
 * same state must be the same.
 */
export const orderMembers = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).toSorted(([a], [b]) => getRank(a) - getRank(b) || compareTexts(a, b)),
  );
