import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type Connection, type RemoteConnection, connectionRoles } from '../../connections/connection.ts';
import type { ConnectionSuggestion } from '../../contributions.ts';
import { promptForText } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import { type ConnectionInput, promptForConnection } from './promptForConnection.ts';
import type { ConnectionsDeps } from './deps.ts';
import { checkTokenAndReport } from './signIn.ts';

/**
 * Asks for the details of a new connection, saves it, and reports whether the server accepts its token.
 * @param suggestion what the input starts with; an argument of another type, as menus pass, is ignored
 */
export async function promptAndAddConnection(
  deps: ConnectionsDeps,
  suggestion?: ConnectionSuggestion,
): Promise<void> {
  const { url, role, name, tenantId = '', source } = isSuggestion(suggestion) ? suggestion : noSuggestion;
  const input = await promptForConnection(
    vscode.l10n.t('Add Connection'),
    {
      url,
      role: connectionRoles.find((known) => known === role) ?? 'development',
      name,
      tenantId,
      token: '',
    },
    {
      storedTokenOrigin: undefined,
      isTokenRequired: true,
      otherConnections: deps.connections.all,
      ...(source === '' ? {} : { addressSource: source }),
    },
  );
  if (input !== undefined) {
    await saveConnection(deps, randomUUID(), input);
  }
}

const noSuggestion: ConnectionSuggestion = { url: '', name: '', source: '' };

const isSuggestion = (argument: unknown): argument is ConnectionSuggestion =>
  typeof argument === 'object' && argument !== null && 'url' in argument && 'source' in argument;

/** Edits a connection. Its token is kept unless the user enters another one or the address of another server. */
export async function editConnection(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  if (connection.kind === 'sandbox') {
    await renameSandbox(deps, connection);
    return;
  }
  const { url, role, name, tenantId = '' } = connection;
  const { origin } = new URL(url);
  const storedToken = await deps.tokens.get(connection.id, origin);
  const input = await promptForConnection(
    vscode.l10n.t('Edit Connection'),
    { url, role, name, tenantId, token: '' },
    {
      storedTokenOrigin: storedToken === undefined ? undefined : origin,
      isTokenRequired: false,
      otherConnections: deps.connections.all.filter(({ id }) => id !== connection.id),
      originalInput: { url, tenantId },
    },
  );
  if (input === undefined) {
    return;
  }
  if (new URL(input.url).origin !== origin) {
    await deps.tokens.forget(connection.id, origin);
  }
  await saveConnection(deps, connection.id, input);
}

async function saveConnection(deps: ConnectionsDeps, id: string, input: ConnectionInput): Promise<void> {
  const { url, role, name, tenantId, token } = input;
  const connection: RemoteConnection = {
    kind: 'remote',
    id,
    url,
    role,
    name,
    ...(tenantId === '' ? {} : { tenantId }),
    ...getKeptFields(deps.connections.find(id)),
  };
  // The token is stored first, or the connection would briefly appear as signed out.
  if (token !== '') {
    await deps.tokens.set(id, new URL(url).origin, token);
    // The new token may belong to another user, so data read with the previous one is discarded.
    deps.sessions.renew(id);
  }
  await deps.connections.save(connection);
  if ((await deps.tokens.get(id, new URL(url).origin)) !== undefined) {
    await checkTokenAndReport(deps, connection);
  }
}

/** Returns the fields of an existing connection that this wizard doesn't ask for, so that they are kept. */
const getKeptFields = (
  existing: Connection | undefined,
): Pick<RemoteConnection, 'cubeSets' | 'webLinks'> => ({
  ...(existing?.cubeSets === undefined ? {} : { cubeSets: existing.cubeSets }),
  ...(existing?.kind !== 'remote' || existing.webLinks === undefined ? {} : { webLinks: existing.webLinks }),
});

/** Renames the sandbox connection. Its address and token can't be edited: starting it determines both. */
async function renameSandbox(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  const title = vscode.l10n.t('Edit Connection');
  const name = await runWizard<string>(
    [
      (value, position) =>
        promptForText(
          { title, prompt: vscode.l10n.t('Name of the connection'), value, validate: validateName },
          position,
        ),
    ],
    connection.name,
  );
  // Its cube sets may have been changed in another window while the question was open.
  const current = deps.connections.find(connection.id);
  if (name !== undefined && current !== undefined) {
    await deps.connections.save({ ...current, name: name.trim() });
  }
}

const validateName = (value: string): string | undefined =>
  value.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined;
