import * as vscode from 'vscode';
import { createRelation } from '../../actions/relationActions.ts';
import { columnType } from '../../contract/columnTypes.ts';
import { minRelationColumns } from '../../contract/relation.ts';
import { type Column, type Table, columnName, tableName } from '../../contract/table.ts';
import { plainText } from '../../platform/plainText.ts';
import type { TreeTarget } from '../../contributions.ts';
import { chooseDatamodel } from './choose.ts';
import { create } from './created.ts';
import type { ResourcesDeps } from './deps.ts';

const t = vscode.l10n.t;

interface End {
  readonly dataset: string;
  readonly table: string;
  readonly column: string;
  readonly tableName: string;
  readonly group: string | undefined;
}

/** Asks for the columns that are joined, two or more, and makes a relation. */
export async function newRelation(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const chosen = await chooseDatamodel(deps, node);
  if (chosen === undefined) {
    return;
  }
  const { place, datamodel } = chosen;
  const { catalog } = await deps.sessions.get(place.connectionId);
  const items: (vscode.QuickPickItem & { readonly end?: End })[] = [];
  for (const dataset of await catalog.datasets(datamodel.oid)) {
    for (const table of await catalog.tables(datamodel.oid, dataset.oid)) {
      items.push({ label: plainText(tableName(table)), kind: vscode.QuickPickItemKind.Separator });
      items.push(...(table.columns ?? []).flatMap((column) => item(dataset.oid, table, column) ?? []));
    }
  }
  const ends: End[] = [];
  for (;;) {
    const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { readonly end?: End }>(
      [...finish(ends), ...items.filter(({ end }) => end === undefined || !isTaken(end, ends))],
      {
        title: t('New Relation in {0}', datamodel.title),
        placeHolder:
          ends.length === 0
            ? t('First column')
            : t('{0} = … the next column', ends.map(({ tableName: name }) => name).join(' = ')),
        matchOnDescription: true,
        ignoreFocusOut: true,
      },
    );
    if (picked === undefined) {
      return;
    }
    if (picked.end === undefined) {
      break;
    }
    ends.push(picked.end);
  }
  const name = ends.map((end) => end.tableName).join(' – ');
  await create(deps, createRelation(place, datamodel.oid, ends, name), (relationId) => ({
    kind: 'relation',
    datamodelId: datamodel.oid,
    relationId,
  }));
}

function item(
  dataset: string,
  table: Table,
  column: Column,
): (vscode.QuickPickItem & { end: End }) | undefined {
  if (!column.oid) {
    return undefined;
  }
  const type = columnType(column.type);
  return {
    label: plainText(columnName(column)),
    description: plainText(tableName(table)),
    detail: type?.name ?? '',
    end: { dataset, table: table.oid, column: column.oid, tableName: tableName(table), group: type?.group },
  };
}

/** What ends the choice, once there are enough columns (spec, "Limits"). Types that differ are told, not refused. */
function finish(ends: readonly End[]): readonly vscode.QuickPickItem[] {
  if (ends.length < minRelationColumns) {
    return [];
  }
  const groups = new Set(ends.flatMap(({ group }) => group ?? []));
  return [
    {
      label: `$(check) ${t('Create the relation')}`,
      description: plainText(ends.map(({ tableName: name }) => name).join(' = ')),
      ...(groups.size > 1 ? { detail: t('The columns do not hold the same kind of values.') } : {}),
      alwaysShow: true,
    },
  ];
}

/** A column stands in a relation once, and so does its table: a relation joins different tables. */
const isTaken = (end: End, ends: readonly End[]): boolean => ends.some(({ table }) => table === end.table);
