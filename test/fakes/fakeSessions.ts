import type { WriterDeps } from '../../src/changes/run/writer.ts';
import type { WriteSession } from '../../src/changes/run/runOptions.ts';

/** Returns sessions in which every connection has the given session. */
export const createSingleSession = (session: () => WriteSession): WriterDeps['sessions'] => ({
  get: async () => session(),
  use: async (_connectionId, run) => run(session()),
});
