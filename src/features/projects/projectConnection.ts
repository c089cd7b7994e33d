import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { runCommand } from '../../platform/commands.ts';
import { findEnvironmentConnection } from '../../platform/projects/environments.ts';
import { showWarning } from '../../platform/messages.ts';
import type { ListedEnvironment } from '../../project/pull/findEnvironments.ts';
import { getEnvironmentPath } from '../../project/settings/projectSettings.ts';
import type { ProjectDeps } from './deps.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';
import { getRestrictedModeText } from './restrictedMode.ts';
import { findRoleConflict } from './roleConflict.ts';

const t = vscode.l10n.t;

/**
 * Returns the connection to the instance of a project's environment. Otherwise shows what to do: if there is none, or
 * if the workspace is not trusted, since its files must not cause requests. If the user then adds the connection,
 * returns it.
 */
export async function getConnectionOrExplain(
  deps: ProjectDeps,
  { environment }: Pick<ProjectSourceControl, 'environment'>,
): Promise<Connection | undefined> {
  if (!vscode.workspace.isTrusted) {
    const manageLabel = t('Manage Workspace Trust');
    if ((await showWarning(getRestrictedModeText(), manageLabel)) === manageLabel) {
      await vscode.commands.executeCommand('workbench.trust.manage');
    }
    return undefined;
  }
  const connection = findEnvironmentConnection(deps, environment);
  if (connection !== undefined) {
    return connection;
  }
  await explainMissingConnection(environment);
  return findEnvironmentConnection(deps, environment);
}

async function explainMissingConnection(environment: ListedEnvironment): Promise<void> {
  const { name, url, role, tenant } = environment;
  const addLabel = t('Add Connection…');
  const text =
    url === undefined
      ? t(
          'No connection to the instance of the environment {0}. First pull from the connection that you want to use.',
          name,
        )
      : t('No connection to {0}, the instance of the environment {1}.', url, name);
  if ((await showWarning(text, addLabel)) === addLabel) {
    await runCommand(
      'datamodelStudio.connections.add',
      ...(url === undefined
        ? []
        : [{ url, role, name, tenantId: tenant, source: getEnvironmentPath(name) } as const]),
    );
  }
}

/** Returns whether the roles of an environment and a connection allow an apply; if not, shows why. */
export async function ensureRoleAllowsApply(
  { environment }: Pick<ProjectSourceControl, 'environment'>,
  connection: Connection,
): Promise<boolean> {
  const conflict = findRoleConflict(environment, connection);
  if (conflict === undefined) {
    return true;
  }
  const { text, resolution } = conflict;
  const labels = resolution === undefined ? [] : [resolution.label];
  if ((await showWarning(text, ...labels)) !== undefined) {
    await resolution?.run();
  }
  return false;
}
