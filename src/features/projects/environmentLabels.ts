import * as vscode from 'vscode';
import type { Connection, ConnectionRole } from '../../connections/connection.ts';
import { getRoleLabel } from '../../platform/roleLabels.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { ListedEnvironment } from '../../project/pull/findEnvironments.ts';
import { findRoleConflict } from './roleConflict.ts';

const t = vscode.l10n.t;

interface LabeledEnvironment {
  readonly name: string;
  readonly role?: ConnectionRole | undefined;
}

const getProtectedRole = ({ role }: LabeledEnvironment): string | undefined =>
  role === 'production' || role === 'read-only' ? getRoleLabel(role) : undefined;

/** Returns the name of an environment, with its role if changes need care: color must not be the only sign of that. */
export function formatEnvironment(environment: LabeledEnvironment): string {
  const role = getProtectedRole(environment);
  return role === undefined ? environment.name : t('{0} ({1})', environment.name, role);
}

/**
 * Returns the texts of an environment in a list: its role and address, and why its role and that of its connection
 * prevent an apply.
 */
export function describeEnvironment(
  environment: Pick<ListedEnvironment, 'name' | 'role' | 'url'>,
  connection: Connection | undefined,
): Pick<vscode.QuickPickItem, 'description' | 'detail'> {
  const { role, url } = environment;
  const conflict = connection === undefined ? undefined : findRoleConflict(environment, connection);
  const roleLabel = role === undefined ? '' : getRoleLabel(role);
  const address = url === undefined ? '' : toPlainText(url);
  return conflict === undefined
    ? { description: roleLabel, ...(address === '' ? {} : { detail: address }) }
    : {
        description: [roleLabel, address].filter((text) => text !== '').join(' · '),
        detail: `$(warning) ${toPlainText(conflict.text)}`,
      };
}

/** Adds an environment to a text, as {@link formatEnvironment} would show it. */
export function appendEnvironmentLabel(text: string, environment: LabeledEnvironment): string {
  const role = getProtectedRole(environment);
  return role === undefined
    ? t('{0} ({1})', text, environment.name)
    : t('{0} ({1}, {2})', text, environment.name, role);
}

/** Formats when an instance was read: the time of day, after the date unless it's today. */
export function formatReadTime(readAt: number, now: number): string {
  const isToday = new Date(readAt).toDateString() === new Date(now).toDateString();
  return new Date(readAt).toLocaleString(vscode.env.language, {
    ...(isToday ? {} : { dateStyle: 'medium' }),
    timeStyle: 'short',
  });
}
