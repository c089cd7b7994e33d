import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Connection, RemoteConnection } from '../../connections/connection.ts';
import { askText } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import { type ConnectionForm, askConnection } from './connectionForm.ts';
import type { ConnectionsDeps } from './deps.ts';
import { tellWhetherItWorks } from './signIn.ts';

const emptyForm: ConnectionForm = { url: '', token: '', role: 'development', name: '', tenantId: '' };

/** Asks for a new connection, keeps it, and tells whether it works. */
export async function addConnection(deps: ConnectionsDeps): Promise<void> {
  const form = await askConnection(vscode.l10n.t('Add Connection'), emptyForm, {
    origin: undefined,
    isNeeded: true,
  });
  if (form !== undefined) {
    await keep(deps, randomUUID(), form);
  }
}

/** Changes a connection. Its token stays, unless another is given or the address is another server's. */
export async function editConnection(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  if (connection.kind === 'sandbox') {
    await renameSandbox(deps, connection);
    return;
  }
  const { url, role, name, tenantId = '' } = connection;
  const { origin } = new URL(url);
  const stored = await deps.tokens.get(connection.id, origin);
  const form = await askConnection(
    vscode.l10n.t('Edit Connection'),
    { url, role, name, tenantId, token: '' },
    { origin: stored === undefined ? undefined : origin, isNeeded: false },
  );
  if (form === undefined) {
    return;
  }
  if (new URL(form.url).origin !== origin) {
    await deps.tokens.forget(connection.id, origin);
  }
  await keep(deps, connection.id, form);
}

async function keep(deps: ConnectionsDeps, id: string, form: ConnectionForm): Promise<void> {
  const { url, role, name, tenantId, token } = form;
  const connection: RemoteConnection = {
    kind: 'remote',
    id,
    url,
    role,
    name,
    ...(tenantId === '' ? {} : { tenantId }),
    ...cubeSetsOf(deps.connections.find(id)),
  };
  // The token first: a connection without one would show itself as signed out for a moment.
  if (token !== '') {
    await deps.tokens.set(id, new URL(url).origin, token);
    // What was read with the former token may be another user's.
    deps.sessions.renew(id);
  }
  await deps.connections.save(connection);
  if ((await deps.tokens.get(id, new URL(url).origin)) !== undefined) {
    await tellWhetherItWorks(deps, connection);
  }
}

/** The form does not ask for them, so they stay. */
const cubeSetsOf = (known: Connection | undefined): Pick<Connection, 'cubeSets'> =>
  known?.cubeSets === undefined ? {} : { cubeSets: known.cubeSets };

/** The sandbox has no address and no token of its own; only its name can be changed. */
async function renameSandbox(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  const title = vscode.l10n.t('Edit Connection');
  const name = await runWizard<string>(
    [
      (value, position) =>
        askText(
          { title, prompt: vscode.l10n.t('Name of the connection'), value, problem: nameProblem },
          position,
        ),
    ],
    connection.name,
  );
  if (name !== undefined) {
    await deps.connections.save({ ...connection, name: name.trim() });
  }
}

const nameProblem = (value: string): string | undefined =>
  value.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined;
