import * as vscode from 'vscode';
import { parseAddress } from '../../connections/address.ts';
import { type ConnectionRole, connectionRoles } from '../../connections/connection.ts';
import { roleLabel } from '../../platform/labels.ts';
import { askText, choiceStep, textStep } from '../../platform/wizard.ts';
import { type WizardStep, runWizard } from '../../platform/wizardSteps.ts';
import { addressProblemText, roleMeaning } from './connectionWords.ts';

/** What a person says of a connection. `token` is empty when the one that is stored is to stay. */
export interface ConnectionForm {
  readonly url: string;
  readonly token: string;
  readonly role: ConnectionRole;
  readonly name: string;
  readonly tenantId: string;
}

const t = vscode.l10n.t;

/** What is known of a connection's token before a person is asked. */
export interface TokenFacts {
  /** The server whose token is stored for the connection. */
  readonly origin: string | undefined;
  /** A connection that is there already may stay without one: signed out is a state like any other. */
  readonly isNeeded: boolean;
}

/** Asks for everything that a connection needs; `undefined` when the person gave up. */
export function askConnection(
  title: string,
  initial: ConnectionForm,
  token: TokenFacts,
): Promise<ConnectionForm | undefined> {
  return runWizard<ConnectionForm>(
    [askAddress(title), askToken(title, token), askRole(title), askName(title), askTenant(title)],
    initial,
  );
}

function askAddress(title: string): WizardStep<ConnectionForm> {
  return async (form, position) => {
    const answer = await askText(
      {
        title,
        prompt: t('Address of the instance'),
        placeholder: 'https://analytics.example.com',
        value: form.url,
        problem: (value) => {
          const { problem } = parseAddress(value);
          return problem === undefined ? undefined : addressProblemText(problem);
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

function askToken(title: string, { origin, isNeeded }: TokenFacts): WizardStep<ConnectionForm> {
  return textStep('token', ({ url }) => {
    // A token stays with the server that it was given for.
    const hasToken = new URL(url).origin === origin;
    return {
      title,
      password: true,
      prompt: hasToken
        ? t('API token; leave it empty to keep the one that is stored')
        : isNeeded
          ? t('API token; it is kept in the secret storage of the editor only')
          : t('API token; leave it empty to sign in later'),
      problem: (value) => tokenProblem(value, hasToken || !isNeeded),
    };
  });
}

/** A token goes into a header: one line of visible characters. */
export function tokenProblem(value: string, mayBeEmpty: boolean): string | undefined {
  const token = value.trim();
  if (token === '') {
    return mayBeEmpty ? undefined : t('Enter the API token.');
  }
  return /^[\x21-\x7e]+$/.test(token) ? undefined : t('A token has no blanks and no special characters.');
}

function askRole(title: string): WizardStep<ConnectionForm> {
  return choiceStep('role', () => ({
    title,
    placeholder: t('What is this instance for?'),
    items: connectionRoles.map((role) => ({
      label: roleLabel(role),
      description: roleMeaning(role),
      value: role,
    })),
  }));
}

function askName(title: string): WizardStep<ConnectionForm> {
  return textStep('name', ({ name, url }) => ({
    title,
    prompt: t('Name of the connection'),
    value: name === '' ? new URL(url).host : name,
    problem: (value) => (value.trim() === '' ? t('Enter a name.') : undefined),
  }));
}

function askTenant(title: string): WizardStep<ConnectionForm> {
  return textStep('tenantId', () => ({
    title,
    prompt: t('Tenant on whose behalf viewpoints are read and written; empty for none'),
    problem: (value) => (value.trim() === '' ? undefined : tokenProblem(value, true)),
  }));
}
