import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type RuleSubject, subjectTitle } from '../../catalog/ruleSubject.ts';
import { matrixChange, updateInPlace } from '../../security/matrix/matrixChange.ts';
import { type CellEdit, keyOf } from '../../security/matrix/matrixDraft.ts';
import { emptyCell, ruleMatrix } from '../../security/matrix/ruleMatrix.ts';
import type { Operation } from '../model/operation.ts';
import { ruleUpdate } from '../rules/ruleWrites.ts';
import { operationAt, type Place } from '../model/place.ts';
import { changeRules } from './ruleActions.ts';

/**
 * The cells that are to change, as one operation on the rules that are there now.
 * @param rules the document that the server has of them now
 * @returns `conflict` where a cell no longer says what it said when the person began; `unchanged` where all cells
 * already say what they are to say
 * @throws RangeError for a cell that cannot be changed
 */
export function changeCells(
  place: Place,
  subject: RuleSubject,
  rules: JsonValue | undefined,
  cells: readonly CellEdit[],
): Operation | 'conflict' | 'unchanged' {
  const list = Array.isArray(rules) ? (rules as readonly JsonValue[]) : [];
  const { cells: now } = ruleMatrix(list);
  const isOther = (edit: CellEdit): boolean => {
    const { says } = now.get(keyOf(edit)) ?? emptyCell;
    return says !== edit.was && says !== edit.says;
  };
  if (cells.some(isOther)) {
    return 'conflict';
  }
  const change = matrixChange(list, cells, subject);
  if (change.adds.length + change.deletes.length === 0) {
    return 'unchanged';
  }
  const update = updateInPlace(change, subject);
  if (update === undefined) {
    return changeRules(place, subject, change);
  }
  // It is the server's own document with texts and lists in place of some.
  return operationAt(place, 'bulk', subjectTitle(subject), [ruleUpdate(subject, update.rule as JsonObject)]);
}
