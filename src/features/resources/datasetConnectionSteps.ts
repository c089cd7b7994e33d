import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import { createConnectionInput, readsFiles } from '../../changes/operations/connectionInput.ts';
import { type Provider, providers } from '../../contract/providers.ts';
import { createChoiceStep, createTextStep } from '../../platform/wizard.ts';
import { type WizardStep, createConditionalStep } from '../../platform/wizardSteps.ts';

const t = vscode.l10n.t;

/** The input for the connection of a dataset. Capitalized names are those of the platform's parameters. */
export interface DatasetConnectionForm {
  readonly provider: Provider | undefined;
  readonly files: string;
  readonly Server: string;
  readonly Database: string;
  readonly UserName: string;
  readonly Password: string;
}

export const emptyDatasetConnectionForm: DatasetConnectionForm = {
  provider: providers[0],
  files: '',
  Server: '',
  Database: '',
  UserName: '',
  Password: '',
};

/**
 * Creates the steps that ask for a connector and its most common parameters; the others can be changed in the document
 * of the dataset.
 * @param isNeeded returns whether the dataset has a connection, according to the previous answers
 */
export function createDatasetConnectionSteps<State extends DatasetConnectionForm>(
  title: string,
  isNeeded: (state: State) => boolean = () => true,
): readonly WizardStep<State>[] {
  const hasParameter = (name: string) => (state: State) =>
    isNeeded(state) && (state.provider?.parameters.some((parameter) => parameter.name === name) ?? false);
  return [
    createConditionalStep(
      isNeeded,
      createChoiceStep<'provider', State>('provider', () => ({
        title,
        placeholder: t('Select a connector'),
        items: providers.map((value) => ({ label: value.label, description: value.name, value })),
      })),
    ),
    createConditionalStep(
      (state) => isNeeded(state) && state.provider !== undefined && readsFiles(state.provider),
      createTextStep<'files', State>('files', () => ({
        title,
        prompt: t('File paths on the server, separated by commas'),
        placeholder: 'data/orders.csv, data/customers.csv',
        validate: (value) => (parsePaths(value).length === 0 ? t('Enter a path.') : undefined),
      })),
    ),
    createConditionalStep(
      hasParameter('Server'),
      createTextStep<'Server', State>('Server', () => ({ title, prompt: t('Address of the source') })),
    ),
    createConditionalStep(
      hasParameter('Database'),
      createTextStep<'Database', State>('Database', () => ({ title, prompt: t('Database') })),
    ),
    createConditionalStep(
      hasParameter('UserName'),
      createTextStep<'UserName', State>('UserName', () => ({ title, prompt: t('User name') })),
    ),
    createConditionalStep(
      hasParameter('Password'),
      createTextStep<'Password', State>('Password', () => ({
        title,
        prompt: t('Password (sent to the server and stored nowhere else)'),
        password: true,
      })),
    ),
  ];
}

/** Returns the connection in the shape that a new dataset has; `undefined` if no connector was chosen. */
export function toDatasetConnection(form: DatasetConnectionForm): JsonObject | undefined {
  const { provider, files, Server, Database, UserName, Password } = form;
  return (
    provider &&
    createConnectionInput(
      provider,
      { Server, Database, UserName, Password },
      readsFiles(provider) ? parsePaths(files) : [],
    )
  );
}

const parsePaths = (text: string): string[] =>
  text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
