import { assertNever } from '../../base/assertNever.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { moveItems, getProperty, withArrayAt, withObjectAt, withProperty } from '../../json/text/parts.ts';
import { type ColumnFlag, type Datasource, exclusiveFlags, type ViewpointEdit } from './viewpointEdit.ts';

/**
 * Applies an edit from the form to the document. Only the edited parts are copied; parts of an unsupported type are
 * kept unchanged.
 */
export function applyViewpointEdit(document: JsonValue, edit: ViewpointEdit): JsonValue {
  switch (edit.kind) {
    case 'text':
      return withProperty(document, edit.key, edit.value);
    case 'published':
      return setPublished(document, edit.value);
    case 'datasource':
      return withObjectAt(document, 'details', (details) =>
        withObjectAt(details, 'datasource', (old) => withTexts(old, edit.value)),
      );
    case 'share':
      return withObjectAt(document, 'visibility', (visibility) =>
        withArrayAt(visibility, edit.list, (old) => mergeTexts(old, edit.values)),
      );
    case 'addColumns':
      return withColumns(document, (columns) =>
        columns.toSpliced(edit.at, 0, ...edit.columns.map((column): JsonValue => ({ ...column }))),
      );
    case 'removeColumns': {
      const removed = new Set(edit.columns);
      return withColumns(document, (columns) => columns.filter((_column, place) => !removed.has(place)));
    }
    case 'moveColumns':
      return withColumns(document, (columns) => moveItems(columns, edit.columns, edit.to));
    case 'columnText':
      return mapColumns(document, edit.columns, (column) =>
        withProperty(column, edit.key, edit.value === '' ? undefined : edit.value),
      );
    case 'columnPart':
      return mapColumns(document, edit.columns, (column) =>
        withProperty(column, edit.key, edit.value === null ? undefined : (edit.value as JsonValue)),
      );
    case 'flag':
      return setFlag(document, edit.columns, edit.flag, edit.value);
    default:
      return assertNever(edit);
  }
}

/**
 * Publishes or unpublishes a viewpoint: sets `enabled`, also in the visibility if there is one
 * (rest-api.md, "Viewpoint publication").
 */
function setPublished(document: JsonValue, value: boolean): JsonValue {
  const published = withProperty(document, 'enabled', value);
  return getProperty(published, 'visibility') === undefined
    ? published
    : withObjectAt(published, 'visibility', (visibility) => withProperty(visibility, 'enabled', value));
}

/** Returns the object with those texts that are defined. */
const withTexts = (object: JsonObject, texts: Datasource): JsonValue =>
  Object.entries(texts).reduce<JsonValue>(
    (changed, [name, text]: [string, unknown]) =>
      typeof text === 'string' ? withProperty(changed, name, text) : changed,
    object,
  );

/** Returns the new values, or the old list itself if it has the same values. */
const mergeTexts = (old: readonly JsonValue[], values: readonly string[]): readonly JsonValue[] =>
  values.length === old.length && values.every((value, index) => value === old[index]) ? old : values;

const withColumns = (
  document: JsonValue,
  change: (columns: readonly JsonValue[]) => readonly JsonValue[],
): JsonValue => withObjectAt(document, 'details', (details) => withArrayAt(details, 'columns', change));

function mapColumns(
  document: JsonValue,
  places: readonly number[],
  change: (column: JsonValue) => JsonValue,
): JsonValue {
  const chosen = new Set(places);
  return withColumns(document, (columns) =>
    columns.map((column, place) => (chosen.has(place) ? change(column) : column)),
  );
}

/**
 * Sets a flag of columns and keeps the viewpoint valid (rest-api.md, "infusion sub-object"): a flag that only one
 * column may have is removed from the others, and a column with `uid` gets the required filter.
 */
function setFlag(
  document: JsonValue,
  places: readonly number[],
  flag: ColumnFlag,
  value: boolean,
): JsonValue {
  const isSole = value && exclusiveFlags.includes(flag);
  const chosen = new Set(isSole ? places.slice(0, 1) : places);
  return withColumns(document, (columns) =>
    columns.map((column, place) => {
      if (!chosen.has(place)) {
        return isSole && getProperty(getProperty(column, 'infusion'), flag) === true
          ? withFlag(column, flag, false)
          : column;
      }
      const flagged = withFlag(column, flag, value);
      const needsFilter = flag === 'uid' && value && (getProperty(column, 'filter') ?? null) === null;
      return needsFilter ? withProperty(flagged, 'filter', { all: true }) : flagged;
    }),
  );
}

function withFlag(column: JsonValue, flag: ColumnFlag, value: boolean): JsonValue {
  if (!value && getProperty(getProperty(column, 'infusion'), flag) === undefined) {
    return column;
  }
  const flagged = withObjectAt(column, 'infusion', (infusion) =>
    withProperty(infusion, flag, value ? true : undefined),
  );
  const infusion = getProperty(flagged, 'infusion');
  const isEmpty = typeof infusion === 'object' && infusion !== null && Object.keys(infusion).length === 0;
  return !value && isEmpty ? withProperty(flagged, 'infusion', undefined) : flagged;
}
