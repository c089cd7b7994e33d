import type { WriterDeps } from '../../src/changes/run/writer.ts';
import type { Session } from '../../src/connections/sessions.ts';
import type { WriteSession } from '../../src/changes/run/runOptions.ts';

/** Returns sessions in which every connection has the given session. */
export const createSharedSessions = (session: () => WriteSession): WriterDeps['sessions'] => ({
  get: async () => session(),
  use: async (_connectionId, run) => run(session()),
});

/** Creates the session of a sandbox connection from a client and a catalog. */
export const createSession = (parts: Pick<Session, 'client' | 'catalog'>): Session => ({
  connection: { kind: 'sandbox', id: 'c', name: 'Sandbox', role: 'development' },
  ...parts,
});
