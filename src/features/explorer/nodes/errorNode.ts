import * as vscode from 'vscode';
import type { ErrorCode } from '../../../client/apiError.ts';
import { ApiError, HttpError } from '../../../client/errors.ts';
import { getRuleRefusal } from '../../../client/httpError.ts';
import { createCommand } from '../../../platform/commands.ts';
import { getShortMessage, getUserMessage } from '../../../platform/userErrors.ts';
import { SandboxStoppedError } from '../../../sandbox/host/sandboxService.ts';
import type { ExplorerNode } from './node.ts';

/** The kind of failure; each kind has its own icon and click action. */
type FailureState = 'signed-out' | 'stopped' | 'offline' | 'not-offered' | 'not-allowed' | 'error';

/** A failed load, with its reason; a click signs in, starts the sandbox, or tries again. */
export class ErrorNode implements ExplorerNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly #error: unknown;

  constructor(parent: ExplorerNode, error: unknown) {
    this.id = `${parent.id}/error`;
    this.parent = parent;
    this.#error = error;
  }

  getTreeItem(): vscode.TreeItem {
    const state = getFailureState(this.#error);
    const message = getUserMessage(this.#error);
    const action = actionLabels[state]();
    const item = new vscode.TreeItem(getLabel(this.#error));
    item.description = action;
    item.accessibilityInformation = { label: `${message} ${action}` };
    item.iconPath = icons[state]();
    item.contextValue = `error.${state}`;
    item.tooltip = `${message}\n\n${action}`;
    item.command = this.#createCommand(state, action);
    return item;
  }

  #createCommand(state: FailureState, title: string): vscode.Command {
    if (state === 'stopped') {
      return createCommand('datamodelStudio.sandbox.start', title);
    }
    const connectionId = findConnectionId(this.parent);
    return state === 'signed-out' && connectionId !== undefined
      ? createCommand('datamodelStudio.connections.signIn', title, { connectionId })
      : createCommand('datamodelStudio.explorer.refresh', title, this.parent);
  }
}

const getRetryLabel = (): string => vscode.l10n.t('Retry');

/** The labels of the click actions. */
const actionLabels: Readonly<Record<FailureState, () => string>> = {
  'signed-out': () => vscode.l10n.t('Sign In…'),
  stopped: () => vscode.l10n.t('Start Sandbox'),
  offline: getRetryLabel,
  'not-offered': getRetryLabel,
  'not-allowed': getRetryLabel,
  error: getRetryLabel,
};

const icons: Readonly<Record<FailureState, () => vscode.ThemeIcon>> = {
  'signed-out': () => new vscode.ThemeIcon('sign-in'),
  stopped: () => new vscode.ThemeIcon('stop-circle'),
  offline: () => new vscode.ThemeIcon('debug-disconnect', new vscode.ThemeColor('list.warningForeground')),
  'not-offered': () => new vscode.ThemeIcon('info'),
  'not-allowed': () => new vscode.ThemeIcon('circle-slash'),
  error: () => new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
};

const failureStates: Readonly<Partial<Record<ErrorCode, FailureState>>> = {
  'signed-out': 'signed-out',
  'bad-token': 'signed-out',
  unauthorized: 'signed-out',
  'needs-version': 'not-offered',
  forbidden: 'not-allowed',
  'administrator-required': 'not-allowed',
  timeout: 'offline',
};

function getFailureState(error: unknown): FailureState {
  if (error instanceof SandboxStoppedError) {
    return 'stopped';
  }
  if (!(error instanceof ApiError)) {
    return 'error';
  }
  return error.code.startsWith('network-') ? 'offline' : (failureStates[error.code] ?? 'error');
}

/** Returns whether the instance could not be reached. */
export const isOffline = (error: unknown): boolean => getFailureState(error) === 'offline';

/** Returns a short label, since the side bar is narrow; the tooltip has the full message. */
function getLabel(error: unknown): string {
  if (error instanceof SandboxStoppedError) {
    return error.endReason === 'stopped' ? vscode.l10n.t('Stopped') : vscode.l10n.t('Ended unexpectedly');
  }
  if (!(error instanceof ApiError)) {
    return getShortMessage(error);
  }
  if (error instanceof HttpError && error.versionHint !== undefined) {
    const { since, license } = error.versionHint;
    return [vscode.l10n.t('Requires {0}', since), license].filter((text) => text !== undefined).join(', ');
  }
  const label = codeLabels[error.code]?.();
  if (label === undefined || getRuleRefusal(error) !== undefined) {
    return getShortMessage(error);
  }
  return error instanceof HttpError ? `${label} (${error.status})` : label;
}

const getForbiddenLabel = (): string => vscode.l10n.t('No permission');

const codeLabels: Readonly<Partial<Record<ErrorCode, () => string>>> = {
  'signed-out': () => vscode.l10n.t('Signed out'),
  unauthorized: () => vscode.l10n.t('Token rejected'),
  forbidden: getForbiddenLabel,
  'administrator-required': getForbiddenLabel,
  'not-found': () => vscode.l10n.t('Not found'),
  'server-error': () => vscode.l10n.t('Server error'),
  'too-many-requests': () => vscode.l10n.t('Too many requests'),
  'network-dns': () => vscode.l10n.t('Unknown host name'),
  'network-refused': () => vscode.l10n.t('Connection refused'),
  'network-reset': () => vscode.l10n.t('Connection lost'),
  'network-tls': () => vscode.l10n.t('Secure connection failed'),
  'network-proxy': () => vscode.l10n.t('Rejected by the proxy'),
  'network-unknown': () => vscode.l10n.t('Network error'),
  timeout: () => vscode.l10n.t('Request timed out'),
  'answer-html': () => vscode.l10n.t('Unexpected response'),
};

function findConnectionId(node: ExplorerNode): string | undefined {
  for (let current: ExplorerNode | undefined = node; current !== undefined; current = current.parent) {
    if (current.connectionId !== undefined) {
      return current.connectionId;
    }
  }
  return undefined;
}
