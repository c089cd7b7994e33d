import * as vscode from 'vscode';
import type { Connection, ConnectionRole } from '../../connections/connection.ts';
import { isSandbox } from '../../connections/injectedSandbox.ts';
import { getInstanceAddress } from '../../platform/projects/environments.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { type ListedEnvironment, findEnvironments } from '../../project/pull/findEnvironments.ts';
import { isEnvironmentName } from '../../project/settings/projectSettings.ts';
import { describeEnvironment } from './environmentLabels.ts';

const t = vscode.l10n.t;

/** The environment that a connection has in a project. */
export interface PickedEnvironment {
  readonly name: string;
  /** The role of an existing environment. If it's absent, the role of the connection is shown. */
  readonly role?: ConnectionRole | undefined;
  readonly isNew: boolean;
}

/** The name of the environment of the sandbox. */
const sandboxEnvironmentName = 'sandbox';

/**
 * Returns the environment of a project with the address and tenant of a connection. If there are several, lets the user
 * pick one; if there is none, asks for the name of a new one. Asks nothing for a sandbox, unless the name that its
 * environment would have is in use.
 */
export async function pickEnvironment(
  folder: string,
  connection: Connection,
  title: string,
): Promise<PickedEnvironment | undefined> {
  const { names, matches } = await findEnvironments(folder, getInstanceAddress(connection));
  const [first, second] = matches;
  if (first === undefined) {
    const usedNames = new Set(names.map((other) => other.toLowerCase()));
    const name =
      isSandbox(connection) && !usedNames.has(sandboxEnvironmentName)
        ? sandboxEnvironmentName
        : await promptForName(connection, usedNames, title);
    return name === undefined ? undefined : { name, isNew: true };
  }
  if (second === undefined) {
    return toPicked(first);
  }
  const picked = await vscode.window.showQuickPick(
    matches.map((environment) => ({
      label: toPlainText(environment.name),
      ...describeEnvironment(environment, connection),
      environment,
    })),
    {
      title: toPlainText(title),
      placeHolder: t('Select the environment of {0}', toPlainText(connection.name)),
    },
  );
  return picked && toPicked(picked.environment);
}

const toPicked = ({ name, role }: ListedEnvironment): PickedEnvironment => ({
  name,
  ...(role === undefined ? {} : { role }),
  isNew: false,
});

async function promptForName(
  { name }: Connection,
  usedNames: ReadonlySet<string>,
  title: string,
): Promise<string | undefined> {
  const suggestion = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 64);
  const value = await vscode.window.showInputBox({
    title: toPlainText(title),
    prompt: t('Name of the environment for {0}, such as "prod"', toPlainText(name)),
    value: isEnvironmentName(suggestion) && !usedNames.has(suggestion) ? suggestion : '',
    validateInput: (text) =>
      !isEnvironmentName(text)
        ? t('Use letters, digits, hyphens, underscores, and dots. Start with a letter or digit.')
        : usedNames.has(text.toLowerCase())
          ? t('The project has an environment with this name, for another instance.')
          : undefined,
  });
  return value === undefined || value === '' ? undefined : value;
}
