import type * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { ListedEnvironment } from '../../project/pull/findEnvironments.ts';
import { type InstanceAddress, hashInstance, sandboxAddress } from '../../project/pull/instanceHash.ts';
import type { SelectedEnvironments } from './selectedEnvironments.ts';

/** The dependencies for choosing the environment of a project. */
export interface EnvironmentDeps {
  readonly currentConnection: Pick<CurrentConnection, 'value' | 'allCurrentFirst'>;
  readonly projectEnvironments: Pick<SelectedEnvironments, 'get'>;
}

/**
 * Chooses the environment to show for a project. Takes the first of these that exists:
 * - the selected one;
 * - the one that is already shown: a new file or another current connection must not change where *Apply…* writes;
 * - the one of the current connection, unless it is production;
 * - the first that isn't production;
 * - the first.
 * @param shownName the name of the environment that is already shown, if there is one
 */
export function chooseEnvironment(
  deps: EnvironmentDeps,
  folder: vscode.Uri,
  environments: readonly ListedEnvironment[],
  shownName?: string,
): ListedEnvironment | undefined {
  const selected = deps.projectEnvironments.get(String(folder));
  const current = deps.currentConnection.value;
  const currentInstanceHash = current === undefined ? undefined : hashInstance(getInstanceAddress(current));
  const nonProduction = environments.filter(({ role }) => role !== 'production');
  return (
    environments.find(({ name }) => name === selected) ??
    environments.find(({ name }) => name === shownName) ??
    nonProduction.find(({ instanceHash: instance }) => instance === currentInstanceHash) ??
    nonProduction[0] ??
    environments[0]
  );
}

/** Returns the connection to the instance of an environment, the current one first. */
export const findEnvironmentConnection = (
  { currentConnection: current }: Pick<EnvironmentDeps, 'currentConnection'>,
  { instanceHash: instance }: Pick<ListedEnvironment, 'instanceHash'>,
): Connection | undefined =>
  instance === undefined
    ? undefined
    : current.allCurrentFirst.find((connection) => hashInstance(getInstanceAddress(connection)) === instance);

/** Returns the address that identifies the instance of a connection in a project. */
export const getInstanceAddress = (connection: Connection): InstanceAddress => ({
  url: connection.kind === 'sandbox' ? sandboxAddress : connection.url,
  tenantId: connection.tenantId,
});
