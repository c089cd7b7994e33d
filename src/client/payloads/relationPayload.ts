import type { JsonObject } from '../../base/json.ts';
import { minRelationColumns } from '../../contract/datamodel.ts';
import { PayloadError } from '../payloadError.ts';
import { type WriteDocument, arrayAt, objectAt, textAt } from './document.ts';

/**
 * Body of POST and PATCH /relations: the complete `columns` array, at least two, each with the oids of its dataset,
 * table and column. On PATCH, columns not sent are removed (spec, "Relation", rule 3, errors 2).
 * @throws PayloadError
 */
export function relationPayload(document: WriteDocument): JsonObject {
  const columns = arrayAt(document['columns'], ['columns']);
  if (columns.length < minRelationColumns) {
    throw new PayloadError('too-few-columns', ['columns']);
  }
  for (const [index, column] of columns.entries()) {
    const ends = objectAt(column, ['columns', index]);
    for (const name of ['dataset', 'table', 'column']) {
      textAt(ends[name], ['columns', index, name]);
    }
  }
  return { columns };
}
