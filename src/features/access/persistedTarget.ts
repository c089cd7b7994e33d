import * as z from 'zod';
import { resourceRefSchema } from '../../catalog/resourceRef.ts';
import type { SubjectTarget } from '../../contributions.ts';

const persistedStateSchema = z.object({
  place: z.object({ connectionId: z.string(), resource: resourceRefSchema }),
});

/** Reads the subject from the state that a page persisted; `undefined` where the state does not name it. */
export function readPersistedTarget(kept: unknown): SubjectTarget | undefined {
  const { connectionId, resource } = persistedStateSchema.safeParse(kept).data?.place ?? {};
  return connectionId === undefined || resource?.kind !== 'rules'
    ? undefined
    : { connectionId, subject: resource.subject };
}
