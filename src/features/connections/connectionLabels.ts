import * as vscode from 'vscode';
import type { AddressProblem } from '../../connections/parseAddress.ts';
import type { ConnectionRole } from '../../connections/connection.ts';
import type { WebLinkProblem } from '../../connections/webLinks.ts';

const t = vscode.l10n.t;

export function describeAddressProblem(problem: AddressProblem | WebLinkProblem): string {
  switch (problem) {
    case 'empty':
      return t('Enter the address of the instance.');
    case 'not-an-address':
      return t('Enter a valid address, for example, https://analytics.example.com.');
    case 'not-http':
      return t('The address must start with https:// or http://.');
    case 'is-token':
      return t(
        'This looks like an API token, which is entered separately. Enter the address of the instance, for example, https://analytics.example.com.',
      );
    case 'has-credentials':
      return t('Remove the user name and password from the address. The token is entered separately.');
    case 'has-query':
      return t('Remove ? or # and everything after it from the address.');
    case 'no-address':
      return t('The address must start with {0}, https://, or http://, followed by a path.', '{url}');
    case 'unknown-placeholder':
      return t('The path can contain only these placeholders: {0}.', '{id}, {title}');
    case 'no-item':
      return t('The path must contain {0} or {1}.', '{id}', '{title}');
  }
}

/** Describes how a role restricts writes, for the list of roles. */
export function describeRole(role: ConnectionRole): string {
  switch (role) {
    case 'development':
      return t('writes allowed');
    case 'staging':
      return t('writes allowed');
    case 'production':
      return t('writes not allowed until you unlock it temporarily');
    case 'read-only':
      return t('writes not allowed');
  }
}

/** The messages for commands that apply to none of the connections. */
export const noConnectionMessages = {
  editWebLinks: () => t("No connections have a web interface. The sandbox doesn't have one."),
  unlock: () => t('No connections can be unlocked. Only production connections are locked.'),
  lock: () => t('No connections are unlocked.'),
};

/** The placeholders of the connection picker, by command. */
export const pickPlaceholders = {
  edit: () => t('Select the connection to edit'),
  editWebLinks: () => t('Select the connection to edit web links for'),
  remove: () => t('Select the connection to remove'),
  signIn: () => t('Select the connection to sign in to'),
  signOut: () => t('Select the connection to sign out of'),
  unlock: () => t('Select the connection to unlock'),
  lock: () => t('Select the connection to lock'),
};
