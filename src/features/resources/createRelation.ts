import * as vscode from 'vscode';
import { createRelation } from '../../changes/model/relationWrites.ts';
import { columnType } from '../../contract/terms.ts';
import { minRelationColumns } from '../../contract/datamodel.ts';
import { type Column, type Table, columnName, tableName } from '../../contract/table.ts';
import { plainText } from '../../platform/serverText.ts';
import type { RelationTarget } from '../../contributions.ts';
import { chooseDatamodel } from './choose.ts';
import { create } from './created.ts';
import type { ResourcesDeps } from './deps.ts';

const t = vscode.l10n.t;

interface End {
  readonly dataset: string;
  readonly table: string;
  readonly column: string;
  readonly tableName: string;
  /** Table and column, as a person reads them. */
  readonly label: string;
  readonly group: string | undefined;
}

type EndItem = vscode.QuickPickItem & { readonly end?: End };

/** Asks for the columns that are joined, two or more, and makes a relation; those that are known are not asked for. */
export async function newRelation(deps: ResourcesDeps, target?: RelationTarget): Promise<void> {
  const chosen = await chooseDatamodel(deps, t('New Relation'), target);
  if (chosen === undefined) {
    return;
  }
  const { place, datamodel } = chosen;
  const title = t('New Relation in {0}', datamodel.title);
  const items = await endItems(deps, place.connectionId, datamodel.oid);
  const ends = await firstEnds(items, wantedEnds(target), title);
  if (ends === undefined) {
    return;
  }
  for (;;) {
    const picked = await pick(
      [...finish(ends), ...items.filter(({ end }) => end === undefined || !isTaken(end, ends))],
      title,
      ends.length === 0
        ? t('First column')
        : t('{0} = … the next column', ends.map(({ label }) => label).join(' = ')),
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
  const operation = createRelation(place, datamodel.oid, ends, name);
  if (target?.stay === true) {
    await deps.performer.perform(operation);
    return;
  }
  await create(deps, operation, (relationId) => ({
    kind: 'relation',
    datamodelId: datamodel.oid,
    relationId,
  }));
}

/** The ends that a node or a diagram says; a table without a column is the first half of one. */
function wantedEnds(target: RelationTarget | undefined): NonNullable<RelationTarget['ends']> {
  const { ends, resource } = target ?? {};
  if (ends !== undefined) {
    return ends;
  }
  if (resource?.kind === 'column') {
    return [{ table: resource.tableId, column: resource.columnId }];
  }
  return resource?.kind === 'table' ? [{ table: resource.tableId }] : [];
}

async function endItems(
  { sessions }: ResourcesDeps,
  connectionId: string,
  datamodelId: string,
): Promise<readonly EndItem[]> {
  const { catalog } = await sessions.get(connectionId);
  const items: EndItem[] = [];
  for (const dataset of await catalog.datasets(datamodelId)) {
    for (const table of await catalog.tables(datamodelId, dataset.oid)) {
      items.push({ label: plainText(tableName(table)), kind: vscode.QuickPickItemKind.Separator });
      items.push(...(table.columns ?? []).flatMap((column) => item(dataset.oid, table, column) ?? []));
    }
  }
  return items;
}

/** The ends that are wanted; asks for the column of a table where none was said, or where it is gone. */
async function firstEnds(
  items: readonly EndItem[],
  wanted: NonNullable<RelationTarget['ends']>,
  title: string,
): Promise<End[] | undefined> {
  const ends: End[] = [];
  for (const { table, column } of wanted) {
    const own = items.filter(({ end }) => end?.table === table);
    const known = own.find(({ end }) => end?.column === column);
    const picked = known ?? (await pick(own, title, t('Column of {0}', own[0]?.end?.tableName ?? table)));
    if (picked?.end === undefined) {
      return undefined;
    }
    ends.push(picked.end);
  }
  return ends;
}

const pick = (items: readonly EndItem[], title: string, placeHolder: string): Thenable<EndItem | undefined> =>
  vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true, ignoreFocusOut: true });

function item(dataset: string, table: Table, column: Column): EndItem | undefined {
  if (!column.oid) {
    return undefined;
  }
  const type = columnType(column.type);
  return {
    label: plainText(columnName(column)),
    description: plainText(tableName(table)),
    detail: type?.name ?? '',
    end: {
      dataset,
      table: table.oid,
      column: column.oid,
      tableName: tableName(table),
      label: `${tableName(table)}.${columnName(column)}`,
      group: type?.group,
    },
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
      description: plainText(ends.map(({ label }) => label).join(' = ')),
      ...(groups.size > 1 ? { detail: t('The columns do not hold the same kind of values.') } : {}),
      alwaysShow: true,
    },
  ];
}

/** A column stands in a relation once, and so does its table: a relation joins different tables. */
const isTaken = (end: End, ends: readonly End[]): boolean => ends.some(({ table }) => table === end.table);
