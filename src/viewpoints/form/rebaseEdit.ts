import { assertNever } from '../../base/assertNever.ts';
import type { JsonValue } from '../../base/json.ts';
import { rebaseList } from '../../base/rebaseList.ts';
import { trackColumns } from './trackColumns.ts';
import { readViewpoint } from './readViewpoint.ts';
import type { ViewpointEdit } from './viewpointEdit.ts';

/**
 * Adapts an edit that was made while `displayedDocument` was shown to the current document, so that it applies to the
 * same columns at their current indexes (see {@link trackColumns}). Returns `undefined` if one of them no longer
 * exists.
 */
export function rebaseViewpointEdit(
  edit: ViewpointEdit,
  displayedDocument: JsonValue,
  currentDocument: JsonValue,
): ViewpointEdit | undefined {
  const before = readViewpoint(displayedDocument).columns;
  const after = readViewpoint(currentDocument).columns;
  const getCurrentIndex = trackColumns(before, after);
  /** Returns the current index of the column to insert before; the end of the list stays the end. */
  const toInsertIndex = (index: number): number | undefined =>
    index >= before.length ? after.length : getCurrentIndex(index);
  switch (edit.kind) {
    case 'addColumns': {
      // If the column to insert before no longer exists, insert after the previous one, or at the end.
      const previous = getCurrentIndex(edit.insertIndex - 1);
      const indexAfterPrevious = previous === undefined ? after.length : previous + 1;
      return { ...edit, insertIndex: toInsertIndex(edit.insertIndex) ?? indexAfterPrevious };
    }
    case 'removeColumns':
    case 'columnText':
    case 'columnPart':
    case 'flag':
    case 'moveColumns': {
      const columns = edit.columns.map(getCurrentIndex).filter((index) => index !== undefined);
      const insertIndex = edit.kind === 'moveColumns' ? toInsertIndex(edit.insertIndex) : 0;
      if (columns.length < edit.columns.length || insertIndex === undefined) {
        return undefined;
      }
      return edit.kind === 'moveColumns' ? { ...edit, columns, insertIndex } : { ...edit, columns };
    }
    case 'text':
    case 'published':
    case 'datasource':
      return edit;
    case 'share': {
      const [oldValues, currentValues] = [displayedDocument, currentDocument].map(
        (document) => readViewpoint(document)[edit.list].values,
      );
      return {
        ...edit,
        values: rebaseList(edit.values, oldValues ?? [], currentValues ?? [], (entry) => entry),
      };
    }
    default:
      return assertNever(edit);
  }
}
