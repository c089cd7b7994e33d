import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { getSignInPage } from '../../contract/people.ts';
import { runCommand } from '../../platform/commands.ts';
import { showError, showInformation } from '../../platform/messages.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { promptForText } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import { validateToken } from './promptForConnection.ts';
import type { ConnectionsDeps } from './deps.ts';

/** Asks for the token of a connection and reports whether the server accepts it. */
export async function signIn(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  if (connection.kind === 'sandbox') {
    await showInformation(getNoTokenNeededMessage());
    return;
  }
  const { origin, host } = new URL(connection.url);
  const token = await runWizard<string>(
    [
      (value, position) =>
        promptForText(
          {
            title: vscode.l10n.t('Sign In to {0}', connection.name),
            prompt: vscode.l10n.t("API token for {0} (stored only in VS Code's secret storage)", host),
            password: true,
            value,
            validate: (text) => validateToken(text, false),
          },
          position,
        ),
    ],
    '',
  );
  if (token !== undefined) {
    await deps.tokens.set(connection.id, origin, token.trim());
    deps.sessions.renew(connection.id);
    await checkTokenAndReport(deps, connection);
  }
}

/** Deletes the token of a connection; the connection stays. */
export async function signOut(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  if (connection.kind === 'remote') {
    await deps.tokens.forget(connection.id, new URL(connection.url).origin);
    deps.sessions.end(connection.id);
  } else {
    await showInformation(getNoTokenNeededMessage());
  }
}

const getNoTokenNeededMessage = (): string => vscode.l10n.t("The sandbox doesn't require a token.");

/**
 * Checks whether the server accepts the token (rest-api.md, "Session check and lookup") and shows the result. Resolves
 * as soon as the message is shown, without waiting until the user dismisses it.
 */
export async function checkTokenAndReport(deps: ConnectionsDeps, connection: Connection): Promise<void> {
  try {
    const { client } = await deps.sessions.get(connection.id);
    const { value } = await client.session.check();
    if (value.isauthenticated) {
      void showInformation(vscode.l10n.t('{0} works: the server accepted the token.', connection.name));
      return;
    }
    void offerSignIn(connection, describeRejection(getSignInPage(value)));
  } catch (error) {
    deps.log.warn('connections', 'The check failed', { connection: connection.id, reason: String(error) });
    void offerSignIn(connection, getUserMessage(error));
  }
}

/** @param page the sign-in page, if the instance uses single sign-on */
const describeRejection = (page: string | undefined): string =>
  page === undefined
    ? vscode.l10n.t('The server rejected the token.')
    : vscode.l10n.t(
        'The server rejected the token. The server uses single sign-on. Sign in at {0} and create an API token.',
        URL.parse(page)?.origin ?? page,
      );

async function offerSignIn({ id, name }: Connection, reason: string): Promise<void> {
  const signInLabel = vscode.l10n.t('Sign In…');
  const testConnectionLabel = vscode.l10n.t('Test Connection…');
  const text = vscode.l10n.t("{0} doesn't work yet. {1}", name, reason);
  const selectedAction = await showError(text, signInLabel, testConnectionLabel);
  if (selectedAction === signInLabel) {
    await runCommand('datamodelStudio.connections.signIn', { connectionId: id });
  } else if (selectedAction === testConnectionLabel) {
    await runCommand('datamodelStudio.connections.test', { connectionId: id });
  }
}
