import * as vscode from 'vscode';
import type { ConnectionRole } from '../../connections/connection.ts';
import { getRoleLabel } from '../../platform/roleLabels.ts';

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
