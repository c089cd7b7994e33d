import { ApiError, HttpError } from '../client/errors.ts';
import type { BuildApi } from '../builds/buildApi.ts';
import { toPartialResult } from '../contract/partialResult.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { Sessions } from './sessions.ts';

/** The sandbox has stopped since `canPoll` was called. */
class SandboxNotRunningError extends Error {
  override readonly name = 'SandboxNotRunningError';

  constructor() {
    super("The sandbox isn't running");
  }
}

/** Provides the build monitor with data through the clients of the sessions. */
export function createBuildApi(connections: ConnectionStore, sessions: Sessions): BuildApi {
  /** Returns the build requests of a session; never starts a sandbox, since polls run in the background. */
  const getBuildsResource = async (connectionId: string) => {
    const session = await sessions.getWithoutStartingSandbox(connectionId);
    if (session === undefined) {
      throw new SandboxNotRunningError();
    }
    return session.client.builds;
  };
  const isOpen = (connectionId: string): boolean => sessions.peek(connectionId) !== undefined;
  return {
    getInstanceId: (connectionId) => {
      const connection = connections.find(connectionId);
      return connection?.kind === 'remote' ? `${connection.id} ${connection.url}` : connection?.id;
    },
    // A session with the sandbox would start it, and a stopped sandbox builds nothing.
    canPoll: (connectionId) => {
      const connection = connections.find(connectionId);
      return connection !== undefined && (connection.kind === 'remote' || isOpen(connectionId));
    },
    getConnectionsInUse: () => connections.all.map(({ id }) => id).filter(isOpen),
    list: async (connectionId) => {
      const builds = await getBuildsResource(connectionId);
      // An unreadable task hides no others; the Connections view reports it.
      return (await toPartialResult(builds.poll().then(({ value }) => value))).value;
    },
    find: async (connectionId, buildId) => {
      try {
        return (await (await getBuildsResource(connectionId)).get({ buildId })).value;
      } catch (error) {
        if (error instanceof HttpError && (error.isNotFound || error.status === 400)) {
          return undefined;
        }
        throw error;
      }
    },
    start: ({ connectionId, datamodelId, buildType, schemaOrigin, rowLimit }) =>
      sessions.use(connectionId, async ({ client }) => {
        const { value } = await client.builds.start({
          datamodelId,
          buildType,
          // The default is not sent: releases before L2021.3 do not know the field (rest-api.md, "Versioning").
          ...(schemaOrigin === undefined || schemaOrigin === 'latest' ? {} : { schemaOrigin }),
          ...(rowLimit === undefined ? {} : { rowLimit }),
        });
        return value.oid;
      }),
    cancel: (connectionId, buildId) =>
      sessions.use(connectionId, async ({ client }) => {
        await client.builds.cancel({ buildId });
      }),
    cancelAll: (connectionId, datamodelId) =>
      sessions.use(connectionId, async ({ client }) => {
        await client.builds.cancelAll({ datamodelId });
      }),
    classifyFailure: (error) => ({
      retryAfterMs: error instanceof HttpError ? error.retryAfterMs : undefined,
      needsUserAction:
        error instanceof ApiError && (error.remedy === 'sign-in' || error.remedy === 'ask-administrator'),
      mayHaveTakenEffect: error instanceof ApiError && error.mayHaveTakenEffect,
    }),
  };
}
