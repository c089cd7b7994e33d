import { assertNever } from '../../base/assertNever.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import {
  moveItems,
  getProperty,
  withArrayAt,
  withObjectAt,
  withProperty,
} from '../../json/text/copyOnWrite.ts';
import {
  type ColumnFlag,
  type DatasourceTexts,
  exclusiveFlags,
  type ViewpointEdit,
} from './viewpointEdit.ts';

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
        withArrayAt(visibility, edit.list, (old) => keepIfEqual(old, edit.values)),
      );
    case 'addColumns':
      return withColumns(document, (columns) =>
        columns.toSpliced(edit.insertIndex, 0, ...edit.columns.map((column): JsonValue => ({ ...column }))),
      );
    case 'removeColumns': {
      const removedIndexes = new Set(edit.columns);
      return withColumns(document, (columns) =>
        columns.filter((_column, index) => !removedIndexes.has(index)),
      );
    }
    case 'moveColumns':
      return withColumns(document, (columns) => moveItems(columns, edit.columns, edit.insertIndex));
    case 'columnText':
      return updateColumnsAt(document, edit.columns, (column) =>
        withProperty(column, edit.key, edit.value === '' ? undefined : edit.value),
      );
    case 'columnPart':
      return updateColumnsAt(document, edit.columns, (column) =>
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
 * (rest-api.md, "Viewpoint" and "ViewpointVisibility").
 */
function setPublished(document: JsonValue, value: boolean): JsonValue {
  const publishedDocument = withProperty(document, 'enabled', value);
  return getProperty(publishedDocument, 'visibility') === undefined
    ? publishedDocument
    : withObjectAt(publishedDocument, 'visibility', (visibility) =>
        withProperty(visibility, 'enabled', value),
      );
}

/** Returns the object with the defined texts set; properties whose text is `undefined` are unchanged. */
const withTexts = (object: JsonObject, texts: DatasourceTexts): JsonValue =>
  Object.entries(texts).reduce<JsonValue>(
    (result, [name, text]: [string, unknown]) =>
      typeof text === 'string' ? withProperty(result, name, text) : result,
    object,
  );

/** Returns the new values, or the old list itself if it has the same values. */
const keepIfEqual = (old: readonly JsonValue[], values: readonly string[]): readonly JsonValue[] =>
  values.length === old.length && values.every((value, index) => value === old[index]) ? old : values;

const withColumns = (
  document: JsonValue,
  change: (columns: readonly JsonValue[]) => readonly JsonValue[],
): JsonValue => withObjectAt(document, 'details', (details) => withArrayAt(details, 'columns', change));

function updateColumnsAt(
  document: JsonValue,
  indexes: readonly number[],
  change: (column: JsonValue) => JsonValue,
): JsonValue {
  const selectedIndexes = new Set(indexes);
  return withColumns(document, (columns) =>
    columns.map((column, index) => (selectedIndexes.has(index) ? change(column) : column)),
  );
}

/**
 * Sets a flag of columns and keeps the viewpoint valid (rest-api.md, "infusion sub-object"): a flag that only one
 * column may have is removed from the others, and a column with `uid` gets the required filter.
 */
function setFlag(
  document: JsonValue,
  indexes: readonly number[],
  flag: ColumnFlag,
  value: boolean,
): JsonValue {
  const isExclusive = value && exclusiveFlags.includes(flag);
  const selectedIndexes = new Set(isExclusive ? indexes.slice(0, 1) : indexes);
  return withColumns(document, (columns) =>
    columns.map((column, index) => {
      if (!selectedIndexes.has(index)) {
        return isExclusive && getProperty(getProperty(column, 'infusion'), flag) === true
          ? withFlag(column, flag, false)
          : column;
      }
      const flaggedColumn = withFlag(column, flag, value);
      const needsFilter = flag === 'uid' && value && (getProperty(column, 'filter') ?? null) === null;
      return needsFilter ? withProperty(flaggedColumn, 'filter', { all: true }) : flaggedColumn;
    }),
  );
}

function withFlag(column: JsonValue, flag: ColumnFlag, value: boolean): JsonValue {
  if (!value && getProperty(getProperty(column, 'infusion'), flag) === undefined) {
    return column;
  }
  const flaggedColumn = withObjectAt(column, 'infusion', (infusion) =>
    withProperty(infusion, flag, value ? true : undefined),
  );
  const infusion = getProperty(flaggedColumn, 'infusion');
  const isEmpty = typeof infusion === 'object' && infusion !== null && Object.keys(infusion).length === 0;
  return !value && isEmpty ? withProperty(flaggedColumn, 'infusion', undefined) : flaggedColumn;
}
