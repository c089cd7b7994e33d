import * as vscode from 'vscode';
import type { DatasetIds } from '../../changes/model/datasetWrites.ts';
import type { OperationLocation } from '../../changes/model/operationLocation.ts';
import type { TableIds } from '../../changes/model/tableWrites.ts';
import { getDatasetName, type Datamodel, type Dataset } from '../../contract/datamodel.ts';
import { type Table, getTableName } from '../../contract/table.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation } from '../../platform/messages.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { TreeTarget } from '../../contributions.ts';
import { findNearest } from '../../platform/treeTarget.ts';
import type { ResourcesDeps } from './deps.ts';

const t = vscode.l10n.t;

export interface DatamodelSelection {
  readonly location: OperationLocation;
  readonly datamodel: Datamodel;
}

export interface DatasetSelection extends DatamodelSelection {
  readonly dataset: Dataset;
  readonly datasetIds: DatasetIds;
}

export interface TableSelection extends DatasetSelection {
  readonly table: Table;
  readonly tableIds: TableIds;
}

/**
 * Returns the connection of the node, or else asks for it; unlocks it if it is locked. `undefined` if the user
 * canceled.
 * @param title the title of all prompts: what the user is about to do
 */
export async function pickWritableConnectionId(
  deps: ResourcesDeps,
  title: string,
  node?: TreeTarget,
): Promise<string | undefined> {
  const target = node?.connectionId === undefined ? undefined : { connectionId: node.connectionId };
  const connection = await resolveTargetConnection(deps, target, {
    title,
    placeholder: t('Select a connection'),
  });
  return connection !== undefined && (await ensureWritable(deps, connection.id)) ? connection.id : undefined;
}

/**
 * Returns the datamodel of the node, or else asks for it, on a connection that may be written to. The datamodel may be
 * only partly loaded.
 */
export async function pickDatamodelOfNode(
  deps: ResourcesDeps,
  title: string,
  node?: TreeTarget,
): Promise<DatamodelSelection | undefined> {
  const connectionId = await pickWritableConnectionId(deps, title, node);
  if (connectionId === undefined) {
    return undefined;
  }
  const { catalog } = await deps.sessions.get(connectionId);
  const datamodelNode = findNearest(node, 'datamodel');
  const datamodel =
    datamodelNode === undefined
      ? await pickItem((await catalog.partial.datamodels()).value, {
          title,
          placeholder: t('Select a datamodel'),
          emptyMessage: t('The connection has no datamodels. Create one first.'),
          getLabel: (candidate) => candidate.title,
          getDescription: ({ type }) => type ?? '',
        })
      : await catalog.datamodel(datamodelNode.resource.datamodelId);
  return datamodel && { location: { connectionId, within: [datamodel.title] }, datamodel };
}

/** Returns the dataset of the node, or else asks for one; only datasets that pass the filter are considered. */
export async function pickDataset(
  deps: ResourcesDeps,
  title: string,
  node: TreeTarget | undefined,
  isAllowed: (dataset: Dataset) => boolean = () => true,
): Promise<DatasetSelection | undefined> {
  const selection = await pickDatamodelOfNode(deps, title, node);
  if (selection === undefined) {
    return undefined;
  }
  const { location, datamodel } = selection;
  const { catalog } = await deps.sessions.get(location.connectionId);
  const datasets = (await catalog.datasets(datamodel.oid)).filter(isAllowed);
  const nodeDatasetId = (findNearest(node, 'dataset') ?? findNearest(node, 'table'))?.resource.datasetId;
  const dataset =
    datasets.find(({ oid }) => oid === nodeDatasetId) ??
    (await pickItem(datasets, {
      title,
      placeholder: t('Select a dataset of {0}', datamodel.title),
      emptyMessage: t('{0} has no suitable dataset. Create one first.', datamodel.title),
      getLabel: (candidate) => getDatasetName(candidate) ?? candidate.oid,
      getDescription: ({ type }) => type ?? '',
    }));
  return (
    dataset && {
      location: { ...location, within: [...location.within, getDatasetName(dataset) ?? dataset.oid] },
      datamodel,
      dataset,
      datasetIds: { datamodelId: datamodel.oid, datasetId: dataset.oid },
    }
  );
}

/** Returns the table of the node, or else asks for it. */
export async function pickTable(
  deps: ResourcesDeps,
  title: string,
  node?: TreeTarget,
): Promise<TableSelection | undefined> {
  const tableNode = findNearest(node, 'table');
  const selection = await pickDataset(deps, title, node);
  if (selection === undefined) {
    return undefined;
  }
  const { location, datasetIds } = selection;
  const { catalog } = await deps.sessions.get(location.connectionId);
  const tables = await catalog.tables(datasetIds.datamodelId, datasetIds.datasetId);
  const table =
    tables.find(({ oid }) => oid === tableNode?.resource.tableId) ??
    (await pickItem(tables, {
      title,
      placeholder: t('Select a table'),
      emptyMessage: t('The dataset has no tables. Create one first.'),
      getLabel: getTableName,
      getDescription: ({ type }) => type ?? '',
    }));
  return table && { ...selection, table, tableIds: { ...datasetIds, tableId: table.oid } };
}

/** Asks the user to pick an item. Returns a single item without asking, and shows a message if there is none. */
export async function pickItem<T>(
  items: readonly T[],
  question: {
    readonly title: string;
    readonly placeholder: string;
    readonly emptyMessage: string;
    readonly getLabel: (item: T) => string;
    readonly getDescription?: (item: T) => string;
    readonly alwaysAsk?: true;
  },
): Promise<T | undefined> {
  const [first, second] = items;
  if (first === undefined) {
    await showInformation(question.emptyMessage);
    return undefined;
  }
  if (second === undefined && question.alwaysAsk !== true) {
    return first;
  }
  const pickedItem = await vscode.window.showQuickPick(
    items.map((item) => ({
      label: toPlainText(question.getLabel(item)),
      description: toPlainText(question.getDescription?.(item) ?? ''),
      item,
    })),
    { title: question.title, placeHolder: question.placeholder, matchOnDescription: true },
  );
  return pickedItem?.item;
}
