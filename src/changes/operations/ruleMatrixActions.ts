import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type RuleSubject, getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { computeMatrixChange, findInPlaceUpdate } from '../../security/matrix/matrixChange.ts';
import { type CellEdit, isConflicting } from '../../security/matrix/matrixDraft.ts';
import { createRuleMatrix } from '../../security/matrix/ruleMatrix.ts';
import type { Operation } from '../model/operation.ts';
import { createRuleUpdateWrite } from '../rules/ruleWrites.ts';
import { createOperation, type OperationLocation } from '../model/operationLocation.ts';
import { createBulkRuleOperation } from './ruleActions.ts';

/**
 * Creates one operation for the changed cells of the rule grid, based on the current rules.
 * @param rules the server's current rules
 * @returns `conflict` if a cell has changed since the user began editing; `unchanged` if all cells already have the
 *   wanted content
 * @throws RangeError for a cell that cannot be changed
 */
export function createCellEditOperation(
  location: OperationLocation,
  subject: RuleSubject,
  rules: JsonValue | undefined,
  cells: readonly CellEdit[],
): Operation | 'conflict' | 'unchanged' {
  const ruleList = Array.isArray(rules) ? (rules as readonly JsonValue[]) : [];
  const matrix = createRuleMatrix(ruleList);
  if (cells.some((cell) => isConflicting(cell, matrix))) {
    return 'conflict';
  }
  const change = computeMatrixChange(ruleList, cells, subject);
  if (change.adds.length + change.deletes.length === 0) {
    return 'unchanged';
  }
  const update = findInPlaceUpdate(change, subject);
  if (update === undefined) {
    return createBulkRuleOperation(location, subject, change);
  }
  // The cast is safe: it is a JSON document of the server in which some strings and arrays were replaced.
  return createOperation(location, 'bulk', getSubjectTitle(subject), [
    createRuleUpdateWrite(subject, update.rule as JsonObject),
  ]);
}
