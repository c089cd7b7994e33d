import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Connection, RemoteConnection } from '../../connections/connection.ts';
import { promptForText } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import { type ConnectionInput, promptForConnection } from './promptForConnection.ts';
import type { ConnectionsDeps } from './deps.ts';
import { checkAndReport } from './signIn.ts';

const emptyInput: ConnectionInput = { url: '', token: '', role: 'development', name: '', tenantId: '' };

/** Asks for a new connection, stores it, and reports whether it works. */
export async function promptAndAddConnection(deps: ConnectionsDeps): Promise<void> {
  const form = await promptForConnection(vscode.l10n.t('Add Connection'), emptyInput, {
    origin: undefined,
    isRequired: true,
  });
  if (form !== undefined) {
    await saveConnection(deps, randomUUID(), form);
  }
}

/** Edits a connection. Its token stays, unless another is entered or the address is another server's. */
export async function editConnection(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  if (connection.kind === 'sandbox') {
    await renameSandbox(deps, connection);
    return;
  }
  const { url, role, name, tenantId = '' } = connection;
  const { origin } = new URL(url);
  const stored = await deps.tokens.get(connection.id, origin);
  const form = await promptForConnection(
    vscode.l10n.t('Edit Connection'),
    { url, role, name, tenantId, token: '' },
    { origin: stored === undefined ? undefined : origin, isRequired: false },
  );
  if (form === undefined) {
    return;
  }
  if (new URL(form.url).origin !== origin) {
    await deps.tokens.forget(connection.id, origin);
  }
  await saveConnection(deps, connection.id, form);
}

async function saveConnection(deps: ConnectionsDeps, id: string, form: ConnectionInput): Promise<void> {
  const { url, role, name, tenantId, token } = form;
  const connection: RemoteConnection = {
    kind: 'remote',
    id,
    url,
    role,
    name,
    ...(tenantId === '' ? {} : { tenantId }),
    ...getCubeSets(deps.connections.find(id)),
  };
  // The token first: a connection without one would appear as signed out for a moment.
  if (token !== '') {
    await deps.tokens.set(id, new URL(url).origin, token);
    // What was read with the previous token may belong to another user.
    deps.sessions.renew(id);
  }
  await deps.connections.save(connection);
  if ((await deps.tokens.get(id, new URL(url).origin)) !== undefined) {
    await checkAndReport(deps, connection);
  }
}

/** The form does not ask for cube sets, so they stay. */
const getCubeSets = (known: Connection | undefined): Pick<Connection, 'cubeSets'> =>
  known?.cubeSets === undefined ? {} : { cubeSets: known.cubeSets };

/** The sandbox has no address and no token of its own; only its name can be changed. */
async function renameSandbox(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  const title = vscode.l10n.t('Edit Connection');
  const name = await runWizard<string>(
    [
      (value, position) =>
        promptForText(
          { title, prompt: vscode.l10n.t('Name of the connection'), value, problem: validateName },
          position,
        ),
    ],
    connection.name,
  );
  if (name !== undefined) {
    await deps.connections.save({ ...connection, name: name.trim() });
  }
}

const validateName = (value: string): string | undefined =>
  value.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined;
