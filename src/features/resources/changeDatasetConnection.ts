import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import { createConnectionChangeOperation } from '../../changes/model/datasetWrites.ts';
import {
  type DatasetConnectionUse,
  listDatasetConnections,
} from '../../changes/operations/datasetConnections.ts';
import { getDatasetName } from '../../contract/datamodel.ts';
import { providers } from '../../contract/providers.ts';
import type { TreeTarget } from '../../contributions.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import {
  createDatasetConnectionSteps,
  emptyDatasetConnectionForm,
  toDatasetConnection,
} from './datasetConnectionSteps.ts';
import type { ResourcesDeps } from './deps.ts';
import { type DatasetSelection, pickDataset } from './pickResource.ts';

const t = vscode.l10n.t;

/**
 * Asks for the connection of a dataset: one that another dataset of the instance has, or a new one. The plan is always
 * shown, since the other source may lack tables.
 */
export async function changeDatasetConnection(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const selection = await pickDataset(
    deps,
    t('Change Dataset Connection'),
    node,
    ({ type }) => type !== 'custom',
  );
  if (selection === undefined) {
    return;
  }
  const { location, dataset, datasetIds } = selection;
  const name = getDatasetName(dataset) ?? dataset.oid;
  const connection = await pickConnection(deps, selection, t('Change Connection of {0}', name));
  if (connection !== undefined) {
    const within = location.within.slice(0, -1);
    const operation = createConnectionChangeOperation({ ...location, within }, datasetIds, name, connection);
    await deps.changeReview.perform(operation, { alwaysReview: true });
  }
}

type ConnectionItem = vscode.QuickPickItem & { readonly connection?: JsonObject };

async function pickConnection(
  deps: ResourcesDeps,
  { location: { connectionId }, datasetIds }: DatasetSelection,
  title: string,
): Promise<JsonObject | undefined> {
  const newConnectionItem: ConnectionItem = { label: `$(add) ${t('New Connection…')}`, alwaysShow: true };
  const loadItems = async (): Promise<readonly ConnectionItem[]> => {
    const { client } = await deps.sessions.get(connectionId);
    // The catalog may only have the titles of datamodels.
    const { json: datamodels } = await client.datamodels.list();
    return [...listDatasetConnections(datamodels, datasetIds.datasetId).map(toItem), newConnectionItem];
  };
  const pickedItem = await vscode.window.showQuickPick(loadItems(), {
    title,
    placeHolder: t('Select a connection of another dataset or create one'),
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (pickedItem !== newConnectionItem) {
    return pickedItem?.connection;
  }
  const form = await runWizard(createDatasetConnectionSteps(title), emptyDatasetConnectionForm);
  return form && toDatasetConnection(form);
}

/** The maximum number of datasets that an item names. */
const maxUses = 3;

function toItem({ connection, name, provider, source, usedBy }: DatasetConnectionUse): ConnectionItem {
  const providerLabel = providers.find((candidate) => candidate.name === provider)?.label ?? provider;
  const uses = usedBy.slice(0, maxUses).map((names) => names.join(' › '));
  return {
    label: toPlainText(name === '' ? providerLabel : name),
    description: toPlainText([name === '' ? '' : providerLabel, source].filter(Boolean).join(' · ')),
    detail: toPlainText(t('Used by {0}', [...uses, ...(usedBy.length > maxUses ? ['…'] : [])].join(', '))),
    connection,
  };
}
