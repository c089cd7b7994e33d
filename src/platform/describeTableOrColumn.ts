import * as vscode from 'vscode';
import type { Datamodel } from '../contract/datamodel.ts';
import { type Column, type Table, getColumnName, getTableName } from '../contract/table.ts';
import { getColumnTypeLabel } from '../contract/terms.ts';
import { formatColumnCount } from './countLabels.ts';

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Finds a table of a datamodel by its name, ignoring case. */
export function findTable(
  datamodel: Datamodel,
  name: string,
): { readonly table: Table; readonly datasetId: string } | undefined {
  for (const { oid, schema } of datamodel.datasets ?? []) {
    const table = schema?.tables?.find((candidate) => isSameName(getTableName(candidate), name));
    if (table !== undefined) {
      return { table, datasetId: oid };
    }
  }
  return undefined;
}

/** Describes a table or column of a datamodel in a few lines; `undefined` if the datamodel doesn't have it. */
export function describeTableOrColumn(
  datamodel: Datamodel,
  name: { readonly table: string; readonly column?: string | undefined },
): readonly string[] | undefined {
  const table = findTable(datamodel, name.table)?.table;
  if (table === undefined || name.column === undefined) {
    return table && describeTable(table);
  }
  const column = table.columns?.find((candidate) => isSameName(getColumnName(candidate), name.column ?? ''));
  return column && describeColumn(table, column);
}

function describeTable(table: Table): readonly string[] {
  const { columns, description, hidden, type } = table;
  const count = columns?.length ?? 0;
  const details = [
    type === 'custom' ? vscode.l10n.t('custom table') : vscode.l10n.t('table'),
    count === 0 ? '' : formatColumnCount(count),
    hidden === true ? vscode.l10n.t('hidden') : '',
  ];
  return [
    `[${getTableName(table)}] — ${details.filter((detail) => detail !== '').join(', ')}`,
    description ?? '',
  ];
}

function describeColumn(table: Table, column: Column): readonly string[] {
  const { type, hidden, isCustom, description } = column;
  const details = [
    getColumnTypeLabel(type),
    isCustom === true ? vscode.l10n.t('custom column') : '',
    hidden === true ? vscode.l10n.t('hidden') : '',
  ];
  const detailText = details.filter((detail) => detail !== '').join(', ');
  const name = `[${getTableName(table)}.${getColumnName(column)}]`;
  return [detailText === '' ? name : `${name} — ${detailText}`, description ?? ''];
}
