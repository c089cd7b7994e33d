import * as vscode from 'vscode';
import { parseAddress } from '../../connections/parseAddress.ts';
import { findByAddress } from '../../connections/addressRoles.ts';
import { type Connection, type ConnectionRole, connectionRoles } from '../../connections/connection.ts';
import { getRoleLabel } from '../../platform/roleLabels.ts';
import { promptForText, createChoiceStep, createTextStep } from '../../platform/wizard.ts';
import { type WizardStep, createConditionalStep, runWizard } from '../../platform/wizardSteps.ts';
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
  readonly storedTokenOrigin: string | undefined;
  /** False for an existing connection, which may remain signed out. */
  readonly isTokenRequired: boolean;
}

/** What the prompt for a connection depends on. */
export interface ConnectionPromptOptions extends TokenPromptOptions {
  /** The other connections. */
  readonly otherConnections: readonly Connection[];
  /** The address and tenant of the connection that is edited; absent for a new one. */
  readonly originalInput?: Pick<ConnectionInput, 'url' | 'tenantId'>;
  /** The path of the file that the initial address is from. */
  readonly addressSource?: string;
}

/**
 * Runs the wizard for a connection; `undefined` if the user canceled. If the user enters the address of another
 * connection, the next step asks for a different tenant, and the role of that connection is used. This does not apply
 * if the user keeps the address of the connection that is edited.
 */
export function promptForConnection(
  title: string,
  initialInput: ConnectionInput,
  { otherConnections, originalInput, addressSource, ...tokenOptions }: ConnectionPromptOptions,
): Promise<ConnectionInput | undefined> {
  const needsOtherTenant = ({ url }: ConnectionInput): boolean =>
    url !== originalInput?.url && findByAddress(otherConnections, url).length > 0;
  const hasOwnAddress = (input: ConnectionInput): boolean => !needsOtherTenant(input);
  const validateTenant = (tenantId: string, url: string): string | undefined => {
    const isUnchanged = url === originalInput?.url && tenantId === originalInput.tenantId;
    const duplicate = isUnchanged ? undefined : findByTenant(otherConnections, url, tenantId);
    return duplicate === undefined ? validateTenantId(tenantId) : t('Already added as {0}.', duplicate.name);
  };
  return runWizard<ConnectionInput>(
    [
      createAddressStep(title, { otherConnections, addressSource }),
      createConditionalStep(needsOtherTenant, createOtherTenantStep(title, otherConnections, validateTenant)),
      createTokenStep(title, tokenOptions),
      createConditionalStep(hasOwnAddress, createRoleStep(title)),
      createNameStep(title),
      createConditionalStep(hasOwnAddress, createTenantStep(title, validateTenant)),
    ],
    initialInput,
  );
}

function createAddressStep(
  title: string,
  {
    otherConnections,
    addressSource,
  }: Pick<ConnectionPromptOptions, 'otherConnections'> & { readonly addressSource: string | undefined },
): WizardStep<ConnectionInput> {
  return async (input, position) => {
    const answer = await promptForText(
      {
        title,
        // The author of the file would get the token.
        prompt:
          addressSource === undefined
            ? t('Address of the instance')
            : t(
                "Address of the instance, from {0}. Make sure it's correct: your token is sent to it.",
                addressSource,
              ),
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
    if (address.problem !== undefined) {
      return undefined;
    }
    const { url } = address;
    const [knownConnection] = findByAddress(otherConnections, url);
    return { value: { ...input, url, role: knownConnection?.role ?? input.role } };
  };
}

function createTokenStep(
  title: string,
  { storedTokenOrigin, isTokenRequired }: TokenPromptOptions,
): WizardStep<ConnectionInput> {
  return createTextStep('token', ({ url }) => {
    const { origin, host } = new URL(url);
    // A token is only sent to the server that it was entered for.
    const hasToken = origin === storedTokenOrigin;
    return {
      title,
      password: true,
      prompt: hasToken
        ? t('API token (leave empty to keep the stored token)')
        : isTokenRequired
          ? t("API token for {0} (stored only in VS Code's secret storage)", host)
          : t('API token (leave empty to sign in later)'),
      validate: (value) => validateToken(value, hasToken || !isTokenRequired),
    };
  });
}

/** Validates a token, which is sent in a header. */
export function validateToken(value: string, canBeEmpty: boolean): string | undefined {
  const token = value.trim();
  if (token === '') {
    return canBeEmpty ? undefined : t('Enter the API token.');
  }
  return isHeaderValue(token) ? undefined : t("A token can't contain spaces or special characters.");
}

/** Validates a tenant ID, which is sent in a header, too; empty for none. */
const validateTenantId = (tenantId: string): string | undefined =>
  tenantId === '' || isHeaderValue(tenantId)
    ? undefined
    : t("A tenant ID can't contain spaces or special characters.");

/** Returns whether a text can be sent in a header as it is: it has only printable ASCII characters without spaces. */
const isHeaderValue = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

function createRoleStep(title: string): WizardStep<ConnectionInput> {
  return createChoiceStep('role', () => ({
    title,
    placeholder: t('Select the role of the instance'),
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

/**
 * Validates a tenant ID for an address. It must be possible to send it in a header, and no other connection may have
 * the same address and tenant.
 */
type TenantValidator = (tenantId: string, url: string) => string | undefined;

function createTenantStep(title: string, validate: TenantValidator): WizardStep<ConnectionInput> {
  return createTextStep('tenantId', ({ url }) => ({
    title,
    prompt: t('Tenant ID for viewpoints (leave empty for none)'),
    validate: (value) => validate(value.trim(), url),
  }));
}

function createOtherTenantStep(
  title: string,
  others: readonly Connection[],
  validate: TenantValidator,
): WizardStep<ConnectionInput> {
  return createTextStep('tenantId', ({ url }) => ({
    title,
    prompt: t(
      'Already added as {0}. To add it for another tenant, enter the tenant ID.',
      findByAddress(others, url)
        .map(({ name }) => name)
        .join(', '),
    ),
    validate: (value) => validate(value.trim(), url),
  }));
}

/** Finds the connection with an address and a tenant. */
const findByTenant = (
  connections: readonly Connection[],
  url: string,
  tenantId: string,
): Connection | undefined =>
  findByAddress(connections, url).find(
    (connection) => connection.kind === 'remote' && (connection.tenantId ?? '') === tenantId,
  );
