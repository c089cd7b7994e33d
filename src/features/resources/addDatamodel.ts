import * as vscode from 'vscode';
import { createConnectionInput, readsFiles } from '../../changes/operations/connectionInput.ts';
import { createDatamodel } from '../../changes/model/datamodelWrites.ts';
import { createDataset } from '../../changes/model/datasetWrites.ts';
import { type Provider, providers } from '../../contract/providers.ts';
import { type DatamodelType, getDatamodelType, type DatasetType } from '../../contract/datamodel.ts';
import { createChoiceStep, createTextStep } from '../../platform/wizard.ts';
import { runWizard, createConditionalStep } from '../../platform/wizardSteps.ts';
import type { TreeTarget } from '../../contributions.ts';
import { pickConnectionId, pickDatamodelOfNode } from './pickResource.ts';
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
  const connectionId = await pickConnectionId(deps, t('New Datamodel'), node);
  if (connectionId === undefined) {
    return;
  }
  const { catalog } = await deps.sessions.get(connectionId);
  const titles = (await catalog.readable.datamodels()).value.map((datamodel) => datamodel.title);
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
        placeholder: t('Where does the data live?'),
        items: [
          { label: t('Extract'), description: t('imported by builds'), value: 'extract' },
          { label: t('Live'), description: t('queried in its source'), value: 'live' },
        ],
      })),
    ],
    { title: '', type: 'extract' },
  );
  if (form !== undefined) {
    await createAndReveal(
      deps,
      createDatamodel({ connectionId, within: [] }, form),
      (datamodelId) => ({ kind: 'datamodel', datamodelId }),
      { open: false },
    );
  }
}

interface DatasetForm {
  readonly type: DatasetType;
  readonly name: string;
  readonly provider: Provider | undefined;
  readonly files: string;
  readonly Server: string;
  readonly Database: string;
  readonly UserName: string;
  readonly Password: string;
}

const hasParameter = (name: string) => (form: DatasetForm) =>
  form.type !== 'custom' && (form.provider?.parameters.some((parameter) => parameter.name === name) ?? false);

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
        placeholder: t('What is the dataset for?'),
        items: [
          {
            label: datamodelType === 'live' ? t('Tables of a live source') : t('Tables of a source'),
            description: datamodelType,
            value: datamodelType,
          },
          { label: t('Custom tables, written in SQL'), description: 'custom', value: 'custom' },
        ],
      })),
      createTextStep('name', () => ({
        title,
        prompt: t('Name of the dataset'),
        validate: createNameValidator(names),
      })),
      createConditionalStep(
        ({ type }) => type !== 'custom',
        createChoiceStep('provider', () => ({
          title,
          placeholder: t('Connector'),
          items: providers.map((value) => ({ label: value.label, description: value.name, value })),
        })),
      ),
      createConditionalStep(
        ({ type, provider }) => type !== 'custom' && provider !== undefined && readsFiles(provider),
        createTextStep('files', () => ({
          title,
          prompt: t('Paths of the files as the server sees them, separated by commas'),
          placeholder: 'data/orders.csv, data/customers.csv',
          validate: (value) => (parsePaths(value).length === 0 ? t('Enter a path.') : undefined),
        })),
      ),
      createConditionalStep(
        hasParameter('Server'),
        createTextStep('Server', () => ({ title, prompt: t('Address of the source') })),
      ),
      createConditionalStep(
        hasParameter('Database'),
        createTextStep('Database', () => ({ title, prompt: t('Data base') })),
      ),
      createConditionalStep(
        hasParameter('UserName'),
        createTextStep('UserName', () => ({ title, prompt: t('User name') })),
      ),
      createConditionalStep(
        hasParameter('Password'),
        createTextStep('Password', () => ({
          title,
          prompt: t('Password; it is sent to the server and kept nowhere else'),
          password: true,
        })),
      ),
    ],
    {
      type: datamodelType,
      name: '',
      provider: providers[0],
      files: '',
      Server: '',
      Database: '',
      UserName: '',
      Password: '',
    },
  );
  if (form === undefined) {
    return;
  }
  const { type, name, provider, files, ...values } = form;
  const connection =
    type === 'custom' || provider === undefined
      ? {}
      : {
          connection: createConnectionInput(provider, values, readsFiles(provider) ? parsePaths(files) : []),
        };
  await createAndReveal(
    deps,
    createDataset(location, datamodel.oid, { name, type, ...connection }),
    (datasetId) => ({ kind: 'dataset', datamodelId: datamodel.oid, datasetId }),
    { open: false },
  );
}

const parsePaths = (text: string): string[] =>
  text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
