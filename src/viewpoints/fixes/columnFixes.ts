import type { JsonPath } from '../../base/json.ts';
import { findClosestNames } from '../../base/similarNames.ts';
import type { PathEdit } from '../../json/text/pathEdit.ts';
import { getExpectedDim } from '../lint/checkColumns.ts';
import type { ColumnFacts } from '../lint/columnFacts.ts';
import type { ViewpointCode } from '../lint/problem.ts';
import { calendarSuffix } from '../../contract/terms.ts';
import { formatDim, splitDim, isDateType, isSameDim } from '../datamodelLookup.ts';
import type { ViewpointFix } from './viewpointFix.ts';
import { createFix, type ViewpointFixContext } from './fixContext.ts';

/**
 * Returns the fixes for a problem of a column.
 * @param path the path of the column in the document
 */
export function getColumnFixes(
  context: ViewpointFixContext & { readonly problem: { readonly code: ColumnProblemCode } },
  column: ColumnFacts,
  path: JsonPath,
): readonly ViewpointFix[] {
  const { code, path: problemPath } = context.problem;
  switch (code) {
    case 'uid-needs-filter':
      return [
        createFix(
          context,
          'add-filter',
          [],
          [{ op: 'set', path: [...path, 'filter'], value: { all: true } }],
          true,
        ),
        createFix(context, 'remove-flag', ['uid'], [{ op: 'remove', path: problemPath }]),
      ];
    case 'default-date-type':
      return [
        ...createDateFixes(context, column, path),
        createFix(context, 'remove-flag', ['defaultDate'], [{ op: 'remove', path: problemPath }], true),
      ];
    case 'level-needs-datetime':
      return [
        ...createDateFixes(context, column, path),
        createFix(context, 'remove-level', [], [{ op: 'remove', path: problemPath }], true),
      ];
    case 'dim-mismatch':
      return createDimFixes(context, column, path);
    case 'unknown-table':
      return createNameFixes(context, column, path, 'table');
    case 'unknown-column':
      return createNameFixes(context, column, path, 'column');
  }
}

/** The codes of problems that concern a single column. */
type ColumnProblemCode = Extract<
  ViewpointCode,
  | 'uid-needs-filter'
  | 'default-date-type'
  | 'level-needs-datetime'
  | 'dim-mismatch'
  | 'unknown-table'
  | 'unknown-column'
>;

/** Creates a fix that sets the `datatype` of a column that contains dates. */
function createDateFixes(
  context: ViewpointFixContext,
  { knownColumn, dim }: ColumnFacts,
  path: JsonPath,
): readonly ViewpointFix[] {
  const hasDates = isDateType(knownColumn?.type) ?? dim?.endsWith(`${calendarSuffix}]`);
  return hasDates === true
    ? [createFix(context, 'make-date', [], [{ op: 'set', path: [...path, 'datatype'], value: 'datetime' }])]
    : [];
}

function createDimFixes(
  context: ViewpointFixContext,
  column: ColumnFacts,
  path: JsonPath,
): readonly ViewpointFix[] {
  const expected = getExpectedDim(column);
  const namesFix = createNamesFromDimFix(context, column, path);
  // If the names and the dim differ, those that exist in the datamodel are right.
  const isOnlyDimKnown = namesFix !== undefined && column.knownColumn === undefined;
  const dimFix =
    expected === undefined
      ? undefined
      : createFix(
          context,
          'set-dim',
          [expected],
          [{ op: 'set', path: [...path, 'dim'], value: expected }],
          !isOnlyDimKnown,
        );
  const fixes = isOnlyDimKnown ? [{ ...namesFix, isPreferred: true }, dimFix] : [dimFix, namesFix];
  return fixes.filter((fix) => fix !== undefined);
}

/** Creates the fix that takes table and column from the dim, if the datamodel has what the dim names. */
function createNamesFromDimFix(
  context: ViewpointFixContext,
  column: ColumnFacts,
  path: JsonPath,
): ViewpointFix | undefined {
  const target = findDimTarget(context, column);
  if (target === undefined) {
    return undefined;
  }
  const names = [target.table.name, target.column.name] as const;
  return createFix(context, 'names-from-dim', names, createRenameEdits(column, path, ...names));
}

const findDimTarget = ({ datamodel }: ViewpointFixContext, { table, column, dim }: ColumnFacts) =>
  table === undefined || column === undefined || dim === undefined ? undefined : datamodel.findByDim(dim);

/**
 * Creates fixes that replace a misspelled table or column name, in all parts of the column that contain it, by the name
 * in the dim or by a similar name. The name in the dim comes first unless only other names are similar.
 */
function createNameFixes(
  context: ViewpointFixContext,
  column: ColumnFacts,
  path: JsonPath,
  nameKind: 'table' | 'column',
): readonly ViewpointFix[] {
  const { datamodel } = context;
  const [dimNames] = column.dim === undefined ? [] : splitDim(column.dim);
  const table = column.table ?? dimNames?.table ?? '';
  const columnName = (column.column ?? dimNames?.column ?? '').replace(/ \(Calendar\)$/, '');
  const names =
    nameKind === 'table'
      ? datamodel.tables.map((candidate) => candidate.name)
      : (datamodel.findTable(table)?.columns ?? []).map((candidate) => candidate.name);
  const similarNames = findClosestNames(nameKind === 'table' ? table : columnName, names);
  const dimName = findDimTarget(context, column)?.[nameKind].name;
  const isDimLikely = dimName !== undefined && (similarNames.length === 0 || similarNames.includes(dimName));
  const similarNameFixes = similarNames
    .filter((name) => name !== dimName)
    .map((name) =>
      createFix(
        context,
        nameKind === 'table' ? 'use-table' : 'use-column',
        [name],
        createRenameEdits(
          column,
          path,
          ...(nameKind === 'table' ? ([name, columnName] as const) : ([table, name] as const)),
        ),
        dimName === undefined && similarNames.length === 1,
      ),
    );
  const namesFix = createNamesFromDimFix(context, column, path);
  if (namesFix === undefined) {
    return similarNameFixes;
  }
  return isDimLikely
    ? [{ ...namesFix, isPreferred: true }, ...similarNameFixes]
    : [...similarNameFixes, namesFix];
}

type ColumnNames = Pick<ColumnFacts, 'table' | 'column' | 'dim'>;

const createRenameEdits = (
  column: ColumnNames,
  path: JsonPath,
  table: string,
  name: string,
): readonly PathEdit[] =>
  Object.entries(createRenamedMembers(column, table, name)).map(([key, value]) => ({
    op: 'set',
    path: [...path, key],
    value,
  }));

/**
 * Returns the members of a column that change when its table and column are renamed, with their new values. A dim with
 * other names is not changed.
 */
export function createRenamedMembers(
  column: ColumnNames,
  table: string,
  name: string,
): Readonly<Record<string, string>> {
  const dim = renameDim(column, table, name);
  return {
    ...(column.table !== undefined && column.table !== table ? { table } : {}),
    ...(column.column !== undefined && column.column !== name ? { column: name } : {}),
    ...(dim !== undefined && dim !== column.dim ? { dim } : {}),
  };
}

function renameDim(
  { table, column, dim }: ColumnNames,
  newTable: string,
  newName: string,
): string | undefined {
  if (dim === undefined) {
    return undefined;
  }
  const isDate = dim.endsWith(`${calendarSuffix}]`);
  const [dimNames] = splitDim(dim);
  const currentNamesDim = formatDim(table ?? dimNames?.table ?? '', column ?? dimNames?.column ?? '', isDate);
  return isSameDim(currentNamesDim, dim) ? formatDim(newTable, newName, isDate) : undefined;
}
