import * as z from 'zod';
import { resourceRefSchema } from '../../catalog/resourceRef.ts';
import type { SubjectTarget } from '../../contributions.ts';

const persistedStateSchema = z.object({
  place: z.object({ connectionId: z.string(), resource: resourceRefSchema }),
});

/** Whose rules a page showed, by what it kept; `undefined` where it does not say. */
export function readPersistedTarget(kept: unknown): SubjectTarget | undefined {
  const { connectionId, resource } = persistedStateSchema.safeParse(kept).data?.place ?? {};
  return connectionId === undefined || resource?.kind !== 'rules'
    ? undefined
    : { connectionId, subject: resource.subject };
}
