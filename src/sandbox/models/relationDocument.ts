import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { getTextMember } from '../documents.ts';
import { createValidationProblem } from '../problem.ts';
import type { ColumnAddress } from '../store/tableStore.ts';

/** Returns true if the datamodel has a column with exactly these oids of dataset, table and column. */
export type ColumnPredicate = (address: ColumnAddress) => boolean;

/** Returns the ends of a relation: the columns that it links. */
export const getRelationEnds = (relation: JsonObject): readonly JsonObject[] => {
  const columns = relation['columns'];
  return Array.isArray(columns) ? columns.filter(isJsonObject) : [];
};

/** Returns the oids of dataset, table and column of a relation end (rest-api.md, "Relation"). */
const getColumnAddress = (end: JsonObject): ColumnAddress => ({
  dataset: getTextMember(end, 'dataset'),
  table: getTextMember(end, 'table'),
  column: getTextMember(end, 'column'),
});

const isSameColumnAddress = (a: ColumnAddress, b: ColumnAddress): boolean =>
  a.dataset === b.dataset && a.table === b.table && a.column === b.column;

/**
 * Validates the relation ends of a request and merges them with the stored ones. A new end must name a column of the
 * datamodel. An end whose column was deleted may stay until the caller removes it (rest-api.md, "Datamodel API" 4); it
 * is marked with `isDropped` (platform-facts.md, 2.2).
 * @throws HttpProblem 400 that names the invalid end.
 */
export function mergeRelationEnds(
  inputs: readonly JsonObject[],
  storedEnds: readonly JsonObject[],
  hasColumn: ColumnPredicate,
): JsonObject[] {
  return inputs.map((end, index) => {
    const address = getColumnAddress(end);
    const exists = hasColumn(address);
    const storedEnd = storedEnds.find((other) => isSameColumnAddress(getColumnAddress(other), address));
    if (!exists && storedEnd === undefined) {
      throw createValidationProblem(
        `columns/${index}: the datamodel has no column "${address.column}" in that dataset and table`,
      );
    }
    return { ...storedEnd, ...end, isDropped: exists ? null : true };
  });
}

/** Marks each end whose column was deleted; returns the same object if nothing changed. */
export function markDroppedEnds(relation: JsonObject, hasColumn: ColumnPredicate): JsonObject {
  const ends = getRelationEnds(relation);
  const marked = ends.map((end) =>
    end['isDropped'] !== true && !hasColumn(getColumnAddress(end)) ? { ...end, isDropped: true } : end,
  );
  return marked.every((end, index) => end === ends[index]) ? relation : { ...relation, columns: marked };
}
