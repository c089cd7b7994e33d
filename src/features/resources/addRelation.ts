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

interface RelationEnd {
  readonly dataset: string;
  readonly table: string;
  readonly column: string;
  readonly tableName: string;
  /** Table and column, as shown to the user. */
  readonly label: string;
  readonly typeGroup: string | undefined;
}

type EndpointItem = vscode.QuickPickItem & { readonly endpoint?: RelationEnd };

/** Asks for two or more columns to join, and creates a relation. Columns passed with the target are not asked for. */
export async function addRelation(deps: ResourcesDeps, target?: RelationTarget): Promise<void> {
  const selection = await pickDatamodelOfNode(deps, t('New Relation'), target);
  if (selection === undefined) {
    return;
  }
  const { location, datamodel } = selection;
  const title = t('New Relation in {0}', datamodel.title);
  const items = await loadEndpointItems(deps, location.connectionId, datamodel.oid);
  const endpoints = await pickInitialEndpoints(items, getPassedEnds(target), title);
  if (endpoints === undefined) {
    return;
  }
  for (;;) {
    const pickedItem = await pickEndpoint(
      [
        ...createFinishItems(endpoints),
        ...items.filter(({ endpoint }) => endpoint === undefined || !isTableUsed(endpoint, endpoints)),
      ],
      title,
      endpoints.length === 0
        ? t('First column')
        : t('{0} = … the next column', endpoints.map(({ label }) => label).join(' = ')),
    );
    if (pickedItem === undefined) {
      return;
    }
    if (pickedItem.endpoint === undefined) {
      break;
    }
    endpoints.push(pickedItem.endpoint);
  }
  const name = endpoints.map((endpoint) => endpoint.tableName).join(' – ');
  const operation = createRelation(location, datamodel.oid, endpoints, name);
  if (target?.skipReveal === true) {
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
function getPassedEnds(target: RelationTarget | undefined): NonNullable<RelationTarget['ends']> {
  const { ends: endpoints, resource } = target ?? {};
  if (endpoints !== undefined) {
    return endpoints;
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
async function pickInitialEndpoints(
  items: readonly EndpointItem[],
  targetEnds: NonNullable<RelationTarget['ends']>,
  title: string,
): Promise<RelationEnd[] | undefined> {
  const endpoints: RelationEnd[] = [];
  for (const { table, column } of targetEnds) {
    const tableItems = items.filter(({ endpoint }) => endpoint?.table === table);
    const matchingItem = tableItems.find(({ endpoint }) => endpoint?.column === column);
    const pickedItem =
      matchingItem ??
      (await pickEndpoint(
        tableItems,
        title,
        t('Column of {0}', tableItems[0]?.endpoint?.tableName ?? table),
      ));
    if (pickedItem?.endpoint === undefined) {
      return undefined;
    }
    endpoints.push(pickedItem.endpoint);
  }
  return endpoints;
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
    endpoint: {
      dataset,
      table: table.oid,
      column: column.oid,
      tableName: getTableName(table),
      label: `${getTableName(table)}.${getColumnName(column)}`,
      typeGroup: type?.group,
    },
  };
}

/**
 * Creates the item that completes the relation once there are enough columns (rest-api.md, "Limits"). Columns of
 * different types only get a note.
 */
function createFinishItems(endpoints: readonly RelationEnd[]): readonly vscode.QuickPickItem[] {
  if (endpoints.length < minRelationColumns) {
    return [];
  }
  const typeGroups = new Set(endpoints.flatMap(({ typeGroup }) => typeGroup ?? []));
  return [
    {
      label: `$(check) ${t('Create the relation')}`,
      description: toPlainText(endpoints.map(({ label }) => label).join(' = ')),
      ...(typeGroups.size > 1 ? { detail: t('The columns do not hold the same kind of values.') } : {}),
      alwaysShow: true,
    },
  ];
}

/** Returns whether the relation already has a column of the same table: a relation joins different tables. */
const isTableUsed = (endpoint: RelationEnd, endpoints: readonly RelationEnd[]): boolean =>
  endpoints.some(({ table }) => table === endpoint.table);
