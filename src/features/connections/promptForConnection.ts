import * as vscode from 'vscode';
import { parseAddress } from '../../connections/address.ts';
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
export interface TokenInfo {
  /** The origin of the server that the stored token belongs to; `undefined` if none is stored. */
  readonly origin: string | undefined;
  /** False for an existing connection, which may remain signed out. */
  readonly isRequired: boolean;
}

/** Runs the wizard for a connection; `undefined` if the user canceled. */
export function promptForConnection(
  title: string,
  initial: ConnectionInput,
  token: TokenInfo,
): Promise<ConnectionInput | undefined> {
  return runWizard<ConnectionInput>(
    [addressStep(title), tokenStep(title, token), roleStep(title), nameStep(title), tenantStep(title)],
    initial,
  );
}

function addressStep(title: string): WizardStep<ConnectionInput> {
  return async (form, position) => {
    const answer = await promptForText(
      {
        title,
        prompt: t('Address of the instance'),
        placeholder: 'https://analytics.example.com',
        value: form.url,
        problem: (value) => {
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
    return address.problem === undefined ? { value: { ...form, url: address.url } } : undefined;
  };
}

function tokenStep(title: string, { origin, isRequired }: TokenInfo): WizardStep<ConnectionInput> {
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
      problem: (value) => validateToken(value, hasToken || !isRequired),
    };
  });
}

/** Validates a token, which is sent in a header: only printable ASCII characters without spaces. */
export function validateToken(value: string, mayBeEmpty: boolean): string | undefined {
  const token = value.trim();
  if (token === '') {
    return mayBeEmpty ? undefined : t('Enter the API token.');
  }
  return /^[\x21-\x7e]+$/.test(token) ? undefined : t('A token has no blanks and no special characters.');
}

function roleStep(title: string): WizardStep<ConnectionInput> {
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

function nameStep(title: string): WizardStep<ConnectionInput> {
  return createTextStep('name', ({ name, url }) => ({
    title,
    prompt: t('Name of the connection'),
    value: name === '' ? new URL(url).host : name,
    problem: (value) => (value.trim() === '' ? t('Enter a name.') : undefined),
  }));
}

function tenantStep(title: string): WizardStep<ConnectionInput> {
  return createTextStep('tenantId', () => ({
    title,
    prompt: t('Tenant on whose behalf viewpoints are read and written; empty for none'),
    problem: (value) => (value.trim() === '' ? undefined : validateToken(value, true)),
  }));
}
