import * as vscode from 'vscode';
import type { DatasetIds } from '../../changes/model/datasetWrites.ts';
import type { Place } from '../../changes/model/place.ts';
import type { TableIds } from '../../changes/model/tableWrites.ts';
import { datasetName, type Datamodel, type Dataset } from '../../contract/datamodel.ts';
import { type Table, tableName } from '../../contract/table.ts';
import { showInformation } from '../../platform/messages.ts';
import { targetConnection } from '../../platform/pickConnection.ts';
import { plainText } from '../../platform/serverText.ts';
import type { TreeTarget } from '../../contributions.ts';
import { nearest } from '../../platform/treeTarget.ts';
import type { ResourcesDeps } from './deps.ts';

const t = vscode.l10n.t;

export interface ChosenDatamodel {
  readonly place: Place;
  readonly datamodel: Datamodel;
}

export interface ChosenDataset extends ChosenDatamodel {
  readonly dataset: Dataset;
  readonly ids: DatasetIds;
}

export interface ChosenTable extends ChosenDataset {
  readonly table: Table;
  readonly tableIds: TableIds;
}

/**
 * The connection of the node, else the one that is asked for.
 * @param title what the person is about to do, as the title of all that is asked
 */
export async function chooseConnection(
  deps: ResourcesDeps,
  title: string,
  node?: TreeTarget,
): Promise<string | undefined> {
  const target = node?.connectionId === undefined ? undefined : { connectionId: node.connectionId };
  return (await targetConnection(deps, target, { title, placeholder: t('Connection to work on') }))?.id;
}

/** The datamodel that the node is in, else the one that is asked for. Answers it as far as it is known. */
export async function chooseDatamodel(
  deps: ResourcesDeps,
  title: string,
  node?: TreeTarget,
): Promise<ChosenDatamodel | undefined> {
  const connectionId = await chooseConnection(deps, title, node);
  if (connectionId === undefined) {
    return undefined;
  }
  const { catalog } = await deps.sessions.get(connectionId);
  const known = nearest(node, 'datamodel');
  const datamodel =
    known === undefined
      ? await chooseFrom((await catalog.readable.datamodels()).value, {
          title,
          placeholder: t('Datamodel'),
          none: t('There is no datamodel yet. Create one first.'),
          label: (one) => one.title,
          description: ({ type }) => type ?? '',
        })
      : await catalog.datamodel(known.resource.datamodelId);
  return datamodel && { place: { connectionId, within: [datamodel.title] }, datamodel };
}

/** The dataset that the node is in, else the one that is asked for; only those that pass the filter. */
export async function chooseDataset(
  deps: ResourcesDeps,
  title: string,
  node: TreeTarget | undefined,
  isMeant: (dataset: Dataset) => boolean = () => true,
): Promise<ChosenDataset | undefined> {
  const chosen = await chooseDatamodel(deps, title, node);
  if (chosen === undefined) {
    return undefined;
  }
  const { place, datamodel } = chosen;
  const { catalog } = await deps.sessions.get(place.connectionId);
  const datasets = (await catalog.datasets(datamodel.oid)).filter(isMeant);
  const known = nearest(node, 'dataset')?.resource.datasetId;
  const dataset =
    datasets.find(({ oid }) => oid === known) ??
    (await chooseFrom(datasets, {
      title,
      placeholder: t('Dataset of {0}', datamodel.title),
      none: t('{0} has no dataset for this yet. Create one first.', datamodel.title),
      label: (one) => datasetName(one) ?? one.oid,
      description: ({ type }) => type ?? '',
    }));
  return (
    dataset && {
      place: { ...place, within: [...place.within, datasetName(dataset) ?? dataset.oid] },
      datamodel,
      dataset,
      ids: { datamodelId: datamodel.oid, datasetId: dataset.oid },
    }
  );
}

/** The table that the node is in, else the one that is asked for. */
export async function chooseTable(
  deps: ResourcesDeps,
  title: string,
  node?: TreeTarget,
): Promise<ChosenTable | undefined> {
  const known = nearest(node, 'table');
  const chosen = await chooseDataset(deps, title, node);
  if (chosen === undefined) {
    return undefined;
  }
  const { place, ids } = chosen;
  const { catalog } = await deps.sessions.get(place.connectionId);
  const tables = await catalog.tables(ids.datamodelId, ids.datasetId);
  const table =
    tables.find(({ oid }) => oid === known?.resource.tableId) ??
    (await chooseFrom(tables, {
      title,
      placeholder: t('Table'),
      none: t('There is no table yet. Create one first.'),
      label: tableName,
      description: ({ type }) => type ?? '',
    }));
  return table && { ...chosen, table, tableIds: { ...ids, tableId: table.oid } };
}

/** Asks for one of several; a single one is taken, and where there is none it is said why. */
export async function chooseFrom<T>(
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
      label: plainText(question.label(one)),
      description: plainText(question.description?.(one) ?? ''),
      one,
    })),
    { title: question.title, placeHolder: question.placeholder, matchOnDescription: true },
  );
  return picked?.one;
}
