import * as vscode from 'vscode';
import type { DatasetIds } from '../../changes/model/datasetWrites.ts';
import type { OperationLocation } from '../../changes/model/operationLocation.ts';
import type { TableIds } from '../../changes/model/tableWrites.ts';
import { getDatasetName, type Datamodel, type Dataset } from '../../contract/datamodel.ts';
import { type Table, getTableName } from '../../contract/table.ts';
import { showInformation } from '../../platform/messages.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { TreeTarget } from '../../contributions.ts';
import { findNearest } from '../../platform/treeTarget.ts';
import type { ResourcesDeps } from './deps.ts';

const t = vscode.l10n.t;

export interface DatamodelSelection {
  readonly place: OperationLocation;
  readonly datamodel: Datamodel;
}

export interface DatasetSelection extends DatamodelSelection {
  readonly dataset: Dataset;
  readonly ids: DatasetIds;
}

export interface TableSelection extends DatasetSelection {
  readonly table: Table;
  readonly tableIds: TableIds;
}

/**
 * Returns the connection of the node, or else asks for it.
 * @param title the title of all prompts, which says what the user is about to do
 */
export async function pickConnectionId(
  deps: ResourcesDeps,
  title: string,
  node?: TreeTarget,
): Promise<string | undefined> {
  const target = node?.connectionId === undefined ? undefined : { connectionId: node.connectionId };
  return (await resolveTargetConnection(deps, target, { title, placeholder: t('Connection to work on') }))
    ?.id;
}

/** Returns the datamodel of the node, or else asks for it. The datamodel may be only partly loaded. */
export async function pickDatamodelOfNode(
  deps: ResourcesDeps,
  title: string,
  node?: TreeTarget,
): Promise<DatamodelSelection | undefined> {
  const connectionId = await pickConnectionId(deps, title, node);
  if (connectionId === undefined) {
    return undefined;
  }
  const { catalog } = await deps.sessions.get(connectionId);
  const known = findNearest(node, 'datamodel');
  const datamodel =
    known === undefined
      ? await pickOne((await catalog.readable.datamodels()).value, {
          title,
          placeholder: t('Datamodel'),
          none: t('There is no datamodel yet. Create one first.'),
          label: (one) => one.title,
          description: ({ type }) => type ?? '',
        })
      : await catalog.datamodel(known.resource.datamodelId);
  return datamodel && { place: { connectionId, within: [datamodel.title] }, datamodel };
}

/** Returns the dataset of the node, or else asks for one; only datasets that pass the filter are considered. */
export async function pickDataset(
  deps: ResourcesDeps,
  title: string,
  node: TreeTarget | undefined,
  isAllowed: (dataset: Dataset) => boolean = () => true,
): Promise<DatasetSelection | undefined> {
  const chosen = await pickDatamodelOfNode(deps, title, node);
  if (chosen === undefined) {
    return undefined;
  }
  const { place, datamodel } = chosen;
  const { catalog } = await deps.sessions.get(place.connectionId);
  const datasets = (await catalog.datasets(datamodel.oid)).filter(isAllowed);
  const known = findNearest(node, 'dataset')?.resource.datasetId;
  const dataset =
    datasets.find(({ oid }) => oid === known) ??
    (await pickOne(datasets, {
      title,
      placeholder: t('Dataset of {0}', datamodel.title),
      none: t('{0} has no dataset for this yet. Create one first.', datamodel.title),
      label: (one) => getDatasetName(one) ?? one.oid,
      description: ({ type }) => type ?? '',
    }));
  return (
    dataset && {
      place: { ...place, within: [...place.within, getDatasetName(dataset) ?? dataset.oid] },
      datamodel,
      dataset,
      ids: { datamodelId: datamodel.oid, datasetId: dataset.oid },
    }
  );
}

/** Returns the table of the node, or else asks for it. */
export async function pickTable(
  deps: ResourcesDeps,
  title: string,
  node?: TreeTarget,
): Promise<TableSelection | undefined> {
  const known = findNearest(node, 'table');
  const chosen = await pickDataset(deps, title, node);
  if (chosen === undefined) {
    return undefined;
  }
  const { place, ids } = chosen;
  const { catalog } = await deps.sessions.get(place.connectionId);
  const tables = await catalog.tables(ids.datamodelId, ids.datasetId);
  const table =
    tables.find(({ oid }) => oid === known?.resource.tableId) ??
    (await pickOne(tables, {
      title,
      placeholder: t('Table'),
      none: t('There is no table yet. Create one first.'),
      label: getTableName,
      description: ({ type }) => type ?? '',
    }));
  return table && { ...chosen, table, tableIds: { ...ids, tableId: table.oid } };
}

/** Asks the user to pick an item. Returns a single item without asking, and shows a message if there is none. */
export async function pickOne<T>(
  all: readonly T[],
  question: {
    readonly title: string;
    readonly placeholder: string;
    readonly none: string;
    readonly label: (one: T) => string;
    readonly description?: (one: T) => string;
    readonly always?: true;
  },
): Promise<T | undefined> {
  const [first, second] = all;
  if (first === undefined) {
    await showInformation(question.none);
    return undefined;
  }
  if (second === undefined && question.always !== true) {
    return first;
  }
  const picked = await vscode.window.showQuickPick(
    all.map((one) => ({
      label: toPlainText(question.label(one)),
      description: toPlainText(question.description?.(one) ?? ''),
      one,
    })),
    { title: question.title, placeHolder: question.placeholder, matchOnDescription: true },
  );
  return picked?.one;
}
