import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { getTextMember } from '../documents.ts';
import { createInvalidProblem } from '../problem.ts';
import type { ColumnAddress } from '../store/tableStore.ts';

/** Returns true if the datamodel has a column at exactly that address. */
export type ColumnPredicate = (address: ColumnAddress) => boolean;

export const getRelationEnds = (relation: JsonObject): readonly JsonObject[] => {
  const columns = relation['columns'];
  return Array.isArray(columns) ? columns.filter(isJsonObject) : [];
};

/** The oids of an end: each is the oid of the respective object (rest-api.md, "Relation"). */
const getColumnAddress = (end: JsonObject): ColumnAddress => ({
  dataset: getTextMember(end, 'dataset'),
  table: getTextMember(end, 'table'),
  column: getTextMember(end, 'column'),
});

const isSameAddress = (a: ColumnAddress, b: ColumnAddress): boolean =>
  a.dataset === b.dataset && a.table === b.table && a.column === b.column;

/**
 * Reads the ends that a request sends. A new end must name a column of the datamodel; one that dangles since a delete
 * may stay until the caller removes it (rest-api.md, "Datamodel API" 4), and is marked by `isDropped` (the member
 * appears in platform-facts.md, 2.2).
 * @throws HttpProblem 400 that names the end.
 */
export function readSentEnds(
  sent: readonly JsonObject[],
  stored: readonly JsonObject[],
  hasColumn: ColumnPredicate,
): JsonObject[] {
  return sent.map((end, index) => {
    const address = getColumnAddress(end);
    const exists = hasColumn(address);
    const known = stored.find((other) => isSameAddress(getColumnAddress(other), address));
    if (!exists && known === undefined) {
      throw createInvalidProblem(
        `columns/${index}: the datamodel has no column "${address.column}" in that dataset and table`,
      );
    }
    return { ...known, ...end, isDropped: exists ? null : true };
  });
}

/** Marks each end that has lost its column; returns the same relation when nothing changed. */
export function markDroppedEnds(relation: JsonObject, hasColumn: ColumnPredicate): JsonObject {
  const ends = getRelationEnds(relation);
  const marked = ends.map((end) =>
    end['isDropped'] !== true && !hasColumn(getColumnAddress(end)) ? { ...end, isDropped: true } : end,
  );
  return marked.every((end, index) => end === ends[index]) ? relation : { ...relation, columns: marked };
}
