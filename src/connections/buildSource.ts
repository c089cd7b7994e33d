import { HttpError } from '../api/errors.ts';
import type { BuildSource } from '../builds/buildMonitor.ts';
import type { Sessions } from './sessions.ts';

/** What the build monitor asks, asked through the clients of the sessions. */
export function buildSource(sessions: Sessions): BuildSource {
  const builds = async (connectionId: string) => (await sessions.get(connectionId)).client.builds;
  return {
    list: async (connectionId) => {
      const session = await sessions.getRunning(connectionId);
      return session && (await session.client.builds.list()).value;
    },
    start: async ({ connectionId, datamodelId, buildType, schemaOrigin, rowLimit }) => {
      const { value } = await (await builds(connectionId)).start({
        datamodelId,
        buildType,
        ...(schemaOrigin === undefined ? {} : { schemaOrigin }),
        ...(rowLimit === undefined ? {} : { rowLimit }),
      });
      return value.oid;
    },
    cancel: async (connectionId, buildId) => {
      await (await builds(connectionId)).cancel({ buildId });
    },
    cancelAll: async (connectionId, datamodelId) => {
      await (await builds(connectionId)).cancelAll({ datamodelId });
    },
    retryAfterMs: (error) => (error instanceof HttpError ? error.retryAfterMs : undefined),
  };
}
