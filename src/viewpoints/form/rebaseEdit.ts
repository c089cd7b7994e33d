import { assertNever } from '../../base/assertNever.ts';
import type { JsonValue } from '../../base/json.ts';
import { readViewpoint } from './readViewpoint.ts';
import type { ViewpointEdit } from './viewpointEdit.ts';

/**
 * An edit that was made in view of `seen`, as it applies to what the document has become meanwhile. Columns are found
 * by identity, so `now` must share its unchanged parts with `seen` (see `shareParts`); one that has changed is taken
 * for the one in its place as long as there are as many. `undefined` where a column is gone.
 */
export function rebaseViewpointEdit(
  edit: ViewpointEdit,
  seen: JsonValue,
  now: JsonValue,
): ViewpointEdit | undefined {
  const before = readViewpoint(seen).columns;
  const after = readViewpoint(now).columns;
  const placeOf = (place: number): number | undefined => {
    const column = before[place];
    const same = column === undefined ? -1 : after.indexOf(column);
    if (same >= 0) {
      return same;
    }
    return before.length === after.length && column !== undefined ? place : undefined;
  };
  /** Before which column; the end is the end. */
  const gapOf = (place: number): number | undefined =>
    place >= before.length ? after.length : placeOf(place);
  switch (edit.kind) {
    case 'addColumns': {
      const at = gapOf(edit.at);
      return at === undefined ? undefined : { ...edit, at };
    }
    case 'removeColumns':
    case 'columnText':
    case 'columnPart':
    case 'flag':
    case 'moveColumns': {
      const columns = edit.columns.map(placeOf).filter((place) => place !== undefined);
      const to = edit.kind === 'moveColumns' ? gapOf(edit.to) : 0;
      if (columns.length < edit.columns.length || to === undefined) {
        return undefined;
      }
      return edit.kind === 'moveColumns' ? { ...edit, columns, to } : { ...edit, columns };
    }
    case 'text':
    case 'published':
    case 'datasource':
    case 'share':
      return edit;
    default:
      return assertNever(edit);
  }
}
