import * as vscode from 'vscode';
import { createDatamodelCreationOperation } from '../../changes/model/datamodelWrites.ts';
import { createDatasetCreationOperation } from '../../changes/model/datasetWrites.ts';
import { type DatamodelType, getDatamodelType, type DatasetType } from '../../contract/datamodel.ts';
import { createChoiceStep, createTextStep } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import type { TreeTarget } from '../../contributions.ts';
import { pickWritableConnectionId, pickDatamodelOfNode } from './pickResource.ts';
import {
  type DatasetConnectionForm,
  createDatasetConnectionSteps,
  emptyDatasetConnectionForm,
  toDatasetConnection,
} from './datasetConnectionSteps.ts';
import { createAndReveal } from './createResource.ts';
import type { ResourcesDeps } from './deps.ts';
import { createNameValidator } from './names.ts';

const t = vscode.l10n.t;

interface DatamodelForm {
  readonly title: string;
  readonly type: DatamodelType;
}

/** Asks for a title and a type, and creates an empty datamodel. */
export async function addDatamodel(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const connectionId = await pickWritableConnectionId(deps, t('New Datamodel'), node);
  if (connectionId === undefined) {
    return;
  }
  const { catalog } = await deps.sessions.get(connectionId);
  const titles = (await catalog.partial.datamodels()).value.map((datamodel) => datamodel.title);
  const title = t('New Datamodel');
  const form = await runWizard<DatamodelForm>(
    [
      createTextStep('title', () => ({
        title,
        prompt: t('Title of the datamodel'),
        validate: createNameValidator(titles),
      })),
      createChoiceStep<'type', DatamodelForm>('type', () => ({
        title,
        placeholder: t('Select the type of the datamodel'),
        items: [
          { label: t('Extract'), description: t('imported by builds'), value: 'extract' },
          { label: t('Live'), description: t('queried at the source'), value: 'live' },
        ],
      })),
    ],
    { title: '', type: 'extract' },
  );
  if (form !== undefined) {
    await createAndReveal(
      deps,
      createDatamodelCreationOperation({ connectionId, within: [] }, form),
      (datamodelId) => ({ kind: 'datamodel', datamodelId }),
      { open: false },
    );
  }
}

interface DatasetForm extends DatasetConnectionForm {
  readonly type: DatasetType;
  readonly name: string;
}

/** Asks for the source of a dataset and creates it. Other settings can be changed in its document. */
export async function addDataset(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const selection = await pickDatamodelOfNode(deps, t('New Dataset'), node);
  if (selection === undefined) {
    return;
  }
  const { location, datamodel } = selection;
  const { catalog } = await deps.sessions.get(location.connectionId);
  const names = (await catalog.datasets(datamodel.oid)).flatMap(({ name }) => name ?? []);
  const title = t('New Dataset in {0}', datamodel.title);
  const datamodelType = getDatamodelType(datamodel);
  const form = await runWizard<DatasetForm>(
    [
      createChoiceStep<'type', DatasetForm>('type', () => ({
        title,
        placeholder: t('Select the type of the dataset'),
        items: [
          {
            label: datamodelType === 'live' ? t('Tables from a live source') : t('Tables from a source'),
            description: datamodelType,
            value: datamodelType,
          },
          { label: t('Custom tables (SQL)'), description: 'custom', value: 'custom' },
        ],
      })),
      createTextStep('name', () => ({
        title,
        prompt: t('Name of the dataset'),
        validate: createNameValidator(names),
      })),
      ...createDatasetConnectionSteps<DatasetForm>(title, ({ type }) => type !== 'custom'),
    ],
    { type: datamodelType, name: '', ...emptyDatasetConnectionForm },
  );
  if (form === undefined) {
    return;
  }
  const { type, name } = form;
  const connection = type === 'custom' ? undefined : toDatasetConnection(form);
  await createAndReveal(
    deps,
    createDatasetCreationOperation(location, datamodel.oid, {
      name,
      type,
      ...(connection === undefined ? {} : { connection }),
    }),
    (datasetId) => ({ kind: 'dataset', datamodelId: datamodel.oid, datasetId }),
    { open: false },
  );
}
