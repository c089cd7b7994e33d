import * as vscode from 'vscode';
import { type Connection, connectionRoles } from '../../connections/connection.ts';
import { runCommand } from '../../platform/commands.ts';
import type { FollowUp } from '../../platform/followUp.ts';
import { getRoleLabel } from '../../platform/roleLabels.ts';
import type { ListedEnvironment } from '../../project/pull/findEnvironments.ts';

const t = vscode.l10n.t;

/** Why the roles of an environment and a connection prevent an apply. */
export interface RoleConflict {
  readonly text: string;
  /** What resolves the conflict; absent if nothing may be applied to the environment. */
  readonly resolution?: FollowUp;
}

/**
 * Returns why the roles of an environment and a connection prevent an apply; `undefined` if they don't. A connection
 * whose role is less protected than that of the environment must not bypass the confirmation (projects.md, "Projects in
 * the editor").
 */
export function findRoleConflict(
  { name, role }: Pick<ListedEnvironment, 'name' | 'role'>,
  connection: Connection,
): RoleConflict | undefined {
  if (role === 'read-only') {
    return { text: t('The environment {0} is read-only.', name) };
  }
  if (role === undefined || connectionRoles.indexOf(role) <= connectionRoles.indexOf(connection.role)) {
    return undefined;
  }
  return {
    text: t(
      'The role of the environment {0} is {1}, but the role of the connection {2} is {3}. Give the connection the same role.',
      name,
      getRoleLabel(role),
      connection.name,
      getRoleLabel(connection.role),
    ),
    resolution: {
      label: t('Edit Connection…'),
      run: async () => {
        await runCommand('datamodelStudio.connections.edit', { connectionId: connection.id });
      },
    },
  };
}
