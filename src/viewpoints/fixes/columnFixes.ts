import type { JsonPath } from '../../base/json.ts';
import { findClosestNames } from '../../base/similarNames.ts';

import type { PathEdit } from '../../json/text/pathEdit.ts';
import { getMatchingDims } from '../lint/checkColumns.ts';
import type { ColumnFacts } from '../lint/columnFacts.ts';
import type { ViewpointCode } from '../lint/problem.ts';
import { calendarSuffix, formatDim, splitDim, isDateType, isSameDim } from '../model.ts';
import type { ViewpointFix } from './fix.ts';
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
  const { code, path: at } = context.problem;
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
        createFix(context, 'remove-flag', ['uid'], [{ op: 'remove', path: at }]),
      ];
    case 'default-date-type':
      return [
        ...createDateFixes(context, column, path),
        createFix(context, 'remove-flag', ['defaultDate'], [{ op: 'remove', path: at }], true),
      ];
    case 'level-needs-datetime':
      return [
        ...createDateFixes(context, column, path),
        createFix(context, 'remove-level', [], [{ op: 'remove', path: at }], true),
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

/** If the column contains dates, its `datatype` is wrong: creates a fix that sets it. */
function createDateFixes(
  context: ViewpointFixContext,
  { knownColumn, dim }: ColumnFacts,
  path: JsonPath,
): readonly ViewpointFix[] {
  const isDate = isDateType(knownColumn?.type) ?? dim?.endsWith(`${calendarSuffix}]`);
  return isDate === true
    ? [createFix(context, 'make-date', [], [{ op: 'set', path: [...path, 'datatype'], value: 'datetime' }])]
    : [];
}

function createDimFixes(
  context: ViewpointFixContext,
  column: ColumnFacts,
  path: JsonPath,
): readonly ViewpointFix[] {
  const { model, problem } = context;
  const [best] = getMatchingDims(column);
  const expected = best ?? (problem.reason === 'dim-mismatch' ? problem.args[0] : undefined);
  const fixes: ViewpointFix[] = [];
  if (expected !== undefined) {
    fixes.push(
      createFix(
        context,
        'set-dim',
        [expected],
        [{ op: 'set', path: [...path, 'dim'], value: expected }],
        true,
      ),
    );
  }
  const named = column.dim === undefined ? undefined : model.findByDim(column.dim);
  if (named !== undefined && column.table !== undefined && column.column !== undefined) {
    const names = [named.table.name, named.column.name];
    fixes.push(
      createFix(
        context,
        'names-from-dim',
        names,
        createRenameEdits(column, path, named.table.name, named.column.name),
      ),
    );
  }
  return fixes;
}

/** Creates fixes that replace a misspelled name by a similar one, in all parts of the column that contain it. */
function createNameFixes(
  context: ViewpointFixContext,
  column: ColumnFacts,
  path: JsonPath,
  part: 'table' | 'column',
): readonly ViewpointFix[] {
  const { model } = context;
  const [split] = column.dim === undefined ? [] : splitDim(column.dim);
  const table = column.table ?? split?.table ?? '';
  const name = (column.column ?? split?.column ?? '').replace(/ \(Calendar\)$/, '');
  const names =
    part === 'table'
      ? model.tables.map((known) => known.name)
      : (model.findTable(table)?.columns ?? []).map((known) => known.name);
  const reason = part === 'table' ? 'use-table' : 'use-column';
  return findClosestNames(part === 'table' ? table : name, names).map((meant, index, all) => {
    const edits =
      part === 'table'
        ? createRenameEdits(column, path, meant, name)
        : createRenameEdits(column, path, table, meant);
    return createFix(context, reason, [meant], edits, index === 0 && all.length === 1);
  });
}

type ColumnParts = Pick<ColumnFacts, 'table' | 'column' | 'dim'>;

const createRenameEdits = (
  column: ColumnParts,
  path: JsonPath,
  table: string,
  name: string,
): readonly PathEdit[] =>
  Object.entries(renameParts(column, table, name)).map(([key, value]) => ({
    op: 'set',
    path: [...path, key],
    value,
  }));

/**
 * Returns the members of a column that change when its table and column are renamed, with their new values. A dim with
 * other names is not changed.
 */
export function renameParts(
  column: ColumnParts,
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
  { table, column, dim }: ColumnParts,
  newTable: string,
  newName: string,
): string | undefined {
  if (dim === undefined) {
    return undefined;
  }
  const isDate = dim.endsWith(`${calendarSuffix}]`);
  const [split] = splitDim(dim);
  const before = formatDim(table ?? split?.table ?? '', column ?? split?.column ?? '', isDate);
  return isSameDim(before, dim) ? formatDim(newTable, newName, isDate) : undefined;
}
