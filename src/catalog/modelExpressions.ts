import type { Datamodel } from '../contract/datamodel.ts';
import { getColumnName, getExpressionText, type Table, getTableName } from '../contract/table.ts';
import type { ResourceRef } from './resourceRef.ts';

/** An SQL expression of a datamodel: the query of a custom table, or the formula of a custom column. */
export interface ModelExpression {
  readonly resource: Extract<ResourceRef, { kind: 'tableExpression' | 'columnExpression' }>;
  /** The table that the expression defines, or that its column belongs to. */
  readonly table: string;
  /** The column that the expression computes. */
  readonly column?: string;
  readonly text: string;
}

/**
 * The expressions in the loaded part of a datamodel. The source queries of an import and the transformations of an
 * export are excluded: they may be SQL of another dialect (platform-facts.md, 5.5).
 */
export function getModelExpressions(
  datamodel: Pick<Datamodel, 'oid' | 'datasets'>,
): readonly ModelExpression[] {
  return (datamodel.datasets ?? []).flatMap((dataset) =>
    (dataset.schema?.tables ?? []).flatMap((table) =>
      getTableExpressions({ datamodelId: datamodel.oid, datasetId: dataset.oid, tableId: table.oid }, table),
    ),
  );
}

/** The expressions of a table and its columns. */
export function getTableExpressions(
  ids: { readonly datamodelId: string; readonly datasetId: string; readonly tableId: string },
  table: Table,
): readonly ModelExpression[] {
  const name = getTableName(table);
  const tableText = getText(table);
  const columns = (table.columns ?? []).flatMap((column): ModelExpression[] => {
    const text = getText(column);
    return text === undefined || !column.oid
      ? []
      : [
          {
            resource: { kind: 'columnExpression', ...ids, columnId: column.oid },
            table: name,
            column: getColumnName(column),
            text,
          },
        ];
  });
  return tableText === undefined
    ? columns
    : [{ resource: { kind: 'tableExpression', ...ids }, table: name, text: tableText }, ...columns];
}

function getText({ expression }: Pick<Table, 'expression'>): string | undefined {
  const text = getExpressionText(expression);
  return text === undefined || text.trim() === '' ? undefined : text;
}
