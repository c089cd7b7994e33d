import * as vscode from 'vscode';
import { createRelation } from '../../changes/model/relationWrites.ts';
import { getColumnType } from '../../contract/terms.ts';
import { minRelationColumns } from '../../contract/datamodel.ts';
import { type Column, type Table, getColumnName, getTableName } from '../../contract/table.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { RelationTarget } from '../../contributions.ts';
import { pickDatamodelOfNode } from './pickResource.ts';
import { createAndReveal } from './createResource.ts';
import type { ResourcesDeps } from './deps.ts';

const t = vscode.l10n.t;

interface RelationEndpoint {
  readonly dataset: string;
  readonly table: string;
  readonly column: string;
  readonly tableName: string;
  /** Table and column, as shown to the user. */
  readonly label: string;
  readonly group: string | undefined;
}

type EndpointItem = vscode.QuickPickItem & { readonly end?: RelationEndpoint };

/** Asks for two or more columns to join, and creates a relation. Columns passed with the target are not asked for. */
export async function addRelation(deps: ResourcesDeps, target?: RelationTarget): Promise<void> {
  const chosen = await pickDatamodelOfNode(deps, t('New Relation'), target);
  if (chosen === undefined) {
    return;
  }
  const { place, datamodel } = chosen;
  const title = t('New Relation in {0}', datamodel.title);
  const items = await loadEndpointItems(deps, place.connectionId, datamodel.oid);
  const ends = await pickInitialEnds(items, getGivenEnds(target), title);
  if (ends === undefined) {
    return;
  }
  for (;;) {
    const picked = await pickEndpoint(
      [...createFinishItems(ends), ...items.filter(({ end }) => end === undefined || !isTaken(end, ends))],
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
  await createAndReveal(deps, operation, (relationId) => ({
    kind: 'relation',
    datamodelId: datamodel.oid,
    relationId,
  }));
}

/** Returns the columns passed by a node or a diagram; a table may be passed without its column. */
function getGivenEnds(target: RelationTarget | undefined): NonNullable<RelationTarget['ends']> {
  const { ends, resource } = target ?? {};
  if (ends !== undefined) {
    return ends;
  }
  if (resource?.kind === 'column') {
    return [{ table: resource.tableId, column: resource.columnId }];
  }
  return resource?.kind === 'table' ? [{ table: resource.tableId }] : [];
}

async function loadEndpointItems(
  { sessions }: ResourcesDeps,
  connectionId: string,
  datamodelId: string,
): Promise<readonly EndpointItem[]> {
  const { catalog } = await sessions.get(connectionId);
  const items: EndpointItem[] = [];
  for (const dataset of await catalog.datasets(datamodelId)) {
    for (const table of await catalog.tables(datamodelId, dataset.oid)) {
      items.push({ label: toPlainText(getTableName(table)), kind: vscode.QuickPickItemKind.Separator });
      items.push(
        ...(table.columns ?? []).flatMap((column) => toEndpointItem(dataset.oid, table, column) ?? []),
      );
    }
  }
  return items;
}

/**
 * Returns the columns that the relation starts with; asks for the column of a table if none was passed or it no longer
 * exists.
 */
async function pickInitialEnds(
  items: readonly EndpointItem[],
  wanted: NonNullable<RelationTarget['ends']>,
  title: string,
): Promise<RelationEndpoint[] | undefined> {
  const ends: RelationEndpoint[] = [];
  for (const { table, column } of wanted) {
    const own = items.filter(({ end }) => end?.table === table);
    const known = own.find(({ end }) => end?.column === column);
    const picked =
      known ?? (await pickEndpoint(own, title, t('Column of {0}', own[0]?.end?.tableName ?? table)));
    if (picked?.end === undefined) {
      return undefined;
    }
    ends.push(picked.end);
  }
  return ends;
}

const pickEndpoint = (
  items: readonly EndpointItem[],
  title: string,
  placeHolder: string,
): Thenable<EndpointItem | undefined> =>
  vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true, ignoreFocusOut: true });

function toEndpointItem(dataset: string, table: Table, column: Column): EndpointItem | undefined {
  if (!column.oid) {
    return undefined;
  }
  const type = getColumnType(column.type);
  return {
    label: toPlainText(getColumnName(column)),
    description: toPlainText(getTableName(table)),
    detail: type?.name ?? '',
    end: {
      dataset,
      table: table.oid,
      column: column.oid,
      tableName: getTableName(table),
      label: `${getTableName(table)}.${getColumnName(column)}`,
      group: type?.group,
    },
  };
}

/**
 * Creates the item that completes the relation once there are enough columns (rest-api.md, "Limits"). Columns of
 * different types only get a note.
 */
function createFinishItems(ends: readonly RelationEndpoint[]): readonly vscode.QuickPickItem[] {
  if (ends.length < minRelationColumns) {
    return [];
  }
  const groups = new Set(ends.flatMap(({ group }) => group ?? []));
  return [
    {
      label: `$(check) ${t('Create the relation')}`,
      description: toPlainText(ends.map(({ label }) => label).join(' = ')),
      ...(groups.size > 1 ? { detail: t('The columns do not hold the same kind of values.') } : {}),
      alwaysShow: true,
    },
  ];
}

/** Returns whether the relation already has a column of the same table: a relation joins different tables. */
const isTaken = (end: RelationEndpoint, ends: readonly RelationEndpoint[]): boolean =>
  ends.some(({ table }) => table === end.table);
