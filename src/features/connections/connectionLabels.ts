import * as vscode from 'vscode';
import type { AddressProblem } from '../../connections/parseAddress.ts';
import type { ConnectionRole } from '../../connections/connection.ts';

const t = vscode.l10n.t;

export function describeAddressProblem(problem: AddressProblem): string {
  switch (problem) {
    case 'empty':
      return t('Enter the address of the instance.');
    case 'not-an-address':
      return t('This is not an address. Example: https://analytics.example.com');
    case 'not-http':
      return t('The address must start with https:// or http://.');
    case 'has-credentials':
      return t('Leave user and password out of the address; the token is asked for next.');
    case 'has-query':
      return t('Leave out what follows ? or # in the address.');
  }
}

/** Describes how a role restricts writes, for the list of roles. */
export function describeRole(role: ConnectionRole): string {
  switch (role) {
    case 'development':
      return t('writes freely');
    case 'staging':
      return t('writes freely');
    case 'production':
      return t('refuses writes until it is unlocked for a while');
    case 'read-only':
      return t('never writes');
  }
}

/** The messages for commands that apply to none of the connections. */
export const noConnectionMessages = {
  unlock: () => t('No connection has a lock: only those with the role production do.'),
  lock: () => t('No connection is unlocked.'),
};

/** The placeholders of the connection picker, by command. */
export const pickPlaceholders = {
  edit: () => t('Connection to edit'),
  remove: () => t('Connection to remove'),
  signIn: () => t('Connection to sign in to'),
  signOut: () => t('Connection to sign out of'),
  unlock: () => t('Connection to unlock'),
  lock: () => t('Connection to lock'),
};
