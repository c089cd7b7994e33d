import * as vscode from 'vscode';
import { parseAddress } from '../../connections/parseAddress.ts';
import { type ConnectionRole, connectionRoles } from '../../connections/connection.ts';
import { getRoleLabel } from '../../platform/labels.ts';
import { promptForText, createChoiceStep, createTextStep } from '../../platform/wizard.ts';
import { type WizardStep, runWizard } from '../../platform/wizardSteps.ts';
import { describeAddressProblem, describeRole } from './connectionLabels.ts';

/** The user's input for a connection. An empty `token` keeps the stored one. */
export interface ConnectionInput {
  readonly url: string;
  readonly token: string;
  readonly role: ConnectionRole;
  readonly name: string;
  readonly tenantId: string;
}

const t = vscode.l10n.t;

/** How the prompt for the token works. */
export interface TokenPromptOptions {
  /** The origin of the server that the stored token belongs to; `undefined` if none is stored. */
  readonly origin: string | undefined;
  /** False for an existing connection, which may remain signed out. */
  readonly isRequired: boolean;
}

/** Runs the wizard for a connection; `undefined` if the user canceled. */
export function promptForConnection(
  title: string,
  initial: ConnectionInput,
  tokenInfo: TokenPromptOptions,
): Promise<ConnectionInput | undefined> {
  return runWizard<ConnectionInput>(
    [
      createAddressStep(title),
      createTokenStep(title, tokenInfo),
      createRoleStep(title),
      createNameStep(title),
      createTenantStep(title),
    ],
    initial,
  );
}

function createAddressStep(title: string): WizardStep<ConnectionInput> {
  return async (input, position) => {
    const answer = await promptForText(
      {
        title,
        prompt: t('Address of the instance'),
        placeholder: 'https://analytics.example.com',
        value: input.url,
        validate: (value) => {
          const { problem } = parseAddress(value);
          return problem === undefined ? undefined : describeAddressProblem(problem);
        },
      },
      position,
    );
    if (answer === undefined || answer === 'back') {
      return answer;
    }
    const address = parseAddress(answer.value);
    return address.problem === undefined ? { value: { ...input, url: address.url } } : undefined;
  };
}

function createTokenStep(
  title: string,
  { origin, isRequired }: TokenPromptOptions,
): WizardStep<ConnectionInput> {
  return createTextStep('token', ({ url }) => {
    // A token is only sent to the server that it was entered for.
    const hasToken = new URL(url).origin === origin;
    return {
      title,
      password: true,
      prompt: hasToken
        ? t('API token; leave it empty to keep the one that is stored')
        : isRequired
          ? t('API token; it is kept in the secret storage of the editor only')
          : t('API token; leave it empty to sign in later'),
      validate: (value) => validateToken(value, hasToken || !isRequired),
    };
  });
}

/** Validates a token, which is sent in a header: only printable ASCII characters without spaces. */
export function validateToken(value: string, canBeEmpty: boolean): string | undefined {
  const token = value.trim();
  if (token === '') {
    return canBeEmpty ? undefined : t('Enter the API token.');
  }
  return /^[\x21-\x7e]+$/.test(token) ? undefined : t('A token has no blanks and no special characters.');
}

function createRoleStep(title: string): WizardStep<ConnectionInput> {
  return createChoiceStep('role', () => ({
    title,
    placeholder: t('What is this instance for?'),
    items: connectionRoles.map((role) => ({
      label: getRoleLabel(role),
      description: describeRole(role),
      value: role,
    })),
  }));
}

function createNameStep(title: string): WizardStep<ConnectionInput> {
  return createTextStep('name', ({ name, url }) => ({
    title,
    prompt: t('Name of the connection'),
    value: name === '' ? new URL(url).host : name,
    validate: (value) => (value.trim() === '' ? t('Enter a name.') : undefined),
  }));
}

function createTenantStep(title: string): WizardStep<ConnectionInput> {
  return createTextStep('tenantId', () => ({
    title,
    prompt: t('Tenant on whose behalf viewpoints are read and written; empty for none'),
    validate: (value) => (value.trim() === '' ? undefined : validateToken(value, true)),
  }));
}
