import { getBaseConnectionId } from '../../catalog/tenantConnection.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { type ConnectionPickOptions, resolveTargetConnection } from '../../platform/pickConnection.ts';
import { noConnectionMessages, pickPlaceholders } from './connectionLabels.ts';
import type { ConnectionsDeps } from './deps.ts';
import { editConnection } from './editConnection.ts';
import { editWebLinks } from './editWebLinks.ts';
import { removeConnection } from './removeConnection.ts';
import { signIn, signOut } from './signIn.ts';
import { lockConnection, unlockConnection } from './unlockConnection.ts';

/** An action on a single connection. */
export type ConnectionAction = 'edit' | 'editWebLinks' | 'remove' | 'signIn' | 'signOut' | 'unlock' | 'lock';

const actions: Readonly<
  Record<ConnectionAction, (deps: ConnectionsDeps, connection: Connection) => Promise<void>>
> = {
  edit: editConnection,
  editWebLinks,
  remove: removeConnection,
  signIn,
  signOut,
  unlock: unlockConnection,
  lock: lockConnection,
};

/** Restricts the connections offered for some actions; all other actions apply to every connection. */
const connectionFilters: Partial<
  Record<ConnectionAction, (deps: ConnectionsDeps) => NonNullable<ConnectionPickOptions['filter']>>
> = {
  editWebLinks: () => ({
    isAllowed: ({ kind }) => kind === 'remote',
    emptyMessage: noConnectionMessages.editWebLinks(),
  }),
  unlock: () => ({
    isAllowed: ({ role }) => role === 'production',
    emptyMessage: noConnectionMessages.unlock(),
  }),
  lock: ({ locks }) => ({
    isAllowed: ({ id }) => locks.getUnlockedUntil(id) !== undefined,
    emptyMessage: noConnectionMessages.lock(),
  }),
};

/** Runs an action on a connection, which the user picks if none was passed. */
export async function runConnectionAction(
  deps: ConnectionsDeps,
  action: ConnectionAction,
  target: ConnectionTarget | undefined,
): Promise<void> {
  const filter = connectionFilters[action]?.(deps);
  // A connection for a tenant shares the address, the token and the lock of the saved one, so the action is run on
  // that.
  const baseTarget = target && { connectionId: getBaseConnectionId(target.connectionId) };
  const connection = await resolveTargetConnection(deps, baseTarget, {
    placeholder: pickPlaceholders[action](),
    ...(filter === undefined ? {} : { filter }),
  });
  if (connection !== undefined) {
    await actions[action](deps, connection);
  }
}
