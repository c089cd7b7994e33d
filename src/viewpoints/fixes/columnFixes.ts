import { closest } from '../../base/similarNames.ts';
import type { JsonPath } from '../../json/text/jsonNode.ts';
import type { PathEdit } from '../../json/text/pathEdit.ts';
import { dimsFor } from '../lint/checkColumns.ts';
import type { ColumnFacts } from '../lint/columnFacts.ts';
import type { ViewpointCode } from '../lint/problem.ts';
import { calendar, dimOf, dimSplits, isDateType, sameDim } from '../model.ts';
import type { Fix } from './fix.ts';
import { fix, type FixContext } from './fixContext.ts';

/** What mends a column, at the path of the column. */
export function columnFixes(
  context: FixContext & { readonly problem: { readonly code: ColumnCode } },
  column: ColumnFacts,
  path: JsonPath,
): readonly Fix[] {
  const { code, path: at } = context.problem;
  switch (code) {
    case 'uid-needs-filter':
      return [
        fix(
          context,
          'add-filter',
          [],
          [{ op: 'set', path: [...path, 'filter'], value: { all: true } }],
          true,
        ),
        fix(context, 'remove-flag', ['uid'], [{ op: 'remove', path: at }]),
      ];
    case 'default-date-type':
      return [
        ...makeDate(context, column, path),
        fix(context, 'remove-flag', ['defaultDate'], [{ op: 'remove', path: at }], true),
      ];
    case 'level-needs-datetime':
      return [
        ...makeDate(context, column, path),
        fix(context, 'remove-level', [], [{ op: 'remove', path: at }], true),
      ];
    case 'dim-mismatch':
      return dimFixes(context, column, path);
    case 'unknown-table':
      return nameFixes(context, column, path, 'table');
    case 'unknown-column':
      return nameFixes(context, column, path, 'column');
  }
}

/** The problems of a single column. */
type ColumnCode = Extract<
  ViewpointCode,
  | 'uid-needs-filter'
  | 'default-date-type'
  | 'level-needs-datetime'
  | 'dim-mismatch'
  | 'unknown-table'
  | 'unknown-column'
>;

/** Where the datamodel says that a column holds dates, its datatype is what is wrong. */
function makeDate(context: FixContext, { knownColumn, dim }: ColumnFacts, path: JsonPath): readonly Fix[] {
  const isDate = isDateType(knownColumn?.type) ?? dim?.endsWith(`${calendar}]`);
  return isDate === true
    ? [fix(context, 'make-date', [], [{ op: 'set', path: [...path, 'datatype'], value: 'datetime' }])]
    : [];
}

function dimFixes(context: FixContext, column: ColumnFacts, path: JsonPath): readonly Fix[] {
  const { model, problem } = context;
  const [best] = dimsFor(column);
  const expected = best ?? (problem.reason === 'dim-mismatch' ? problem.args[0] : undefined);
  const fixes: Fix[] = [];
  if (expected !== undefined) {
    fixes.push(
      fix(context, 'set-dim', [expected], [{ op: 'set', path: [...path, 'dim'], value: expected }], true),
    );
  }
  const named = column.dim === undefined ? undefined : model.byDim(column.dim);
  if (named !== undefined && column.table !== undefined && column.column !== undefined) {
    const names = [named.table.name, named.column.name];
    fixes.push(
      fix(context, 'names-from-dim', names, renamed(column, path, named.table.name, named.column.name)),
    );
  }
  return fixes;
}

/** The names that a mistyped one most likely means. The parts of a column change together. */
function nameFixes(
  context: FixContext,
  column: ColumnFacts,
  path: JsonPath,
  part: 'table' | 'column',
): readonly Fix[] {
  const { model } = context;
  const [split] = column.dim === undefined ? [] : dimSplits(column.dim);
  const table = column.table ?? split?.table ?? '';
  const name = (column.column ?? split?.column ?? '').replace(/ \(Calendar\)$/, '');
  const names =
    part === 'table'
      ? model.tables.map((known) => known.name)
      : (model.table(table)?.columns ?? []).map((known) => known.name);
  const reason = part === 'table' ? 'use-table' : 'use-column';
  return closest(part === 'table' ? table : name, names).map((meant, index, all) => {
    const edits = part === 'table' ? renamed(column, path, meant, name) : renamed(column, path, table, meant);
    return fix(context, reason, [meant], edits, index === 0 && all.length === 1);
  });
}

type Parts = Pick<ColumnFacts, 'table' | 'column' | 'dim'>;

const renamed = (column: Parts, path: JsonPath, table: string, name: string): readonly PathEdit[] =>
  Object.entries(renamedParts(column, table, name)).map(([key, value]) => ({
    op: 'set',
    path: [...path, key],
    value,
  }));

/** Another table and column, in whichever of the parts they are written. A dim that named others stays. */
export function renamedParts(column: Parts, table: string, name: string): Readonly<Record<string, string>> {
  const dim = renamedDim(column, table, name);
  return {
    ...(column.table !== undefined && column.table !== table ? { table } : {}),
    ...(column.column !== undefined && column.column !== name ? { column: name } : {}),
    ...(dim !== undefined && dim !== column.dim ? { dim } : {}),
  };
}

function renamedDim({ table, column, dim }: Parts, newTable: string, newName: string): string | undefined {
  if (dim === undefined) {
    return undefined;
  }
  const isDate = dim.endsWith(`${calendar}]`);
  const [split] = dimSplits(dim);
  const before = dimOf(table ?? split?.table ?? '', column ?? split?.column ?? '', isDate);
  return sameDim(before, dim) ? dimOf(newTable, newName, isDate) : undefined;
}
