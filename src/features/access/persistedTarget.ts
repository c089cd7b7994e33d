import * as z from 'zod';
import { resourceRefSchema } from '../../catalog/resourceRef.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { type FileRulesReference, fileRulesSchema } from '../../webviews/protocol/access.ts';

/** The state of a page. Released versions use the key `place`, and their tabs are restored, too. */
const persistedStateSchema = z.object({
  place: z.object({ connectionId: z.string(), resource: resourceRefSchema }),
});

const persistedFileStateSchema = z.object({ place: fileRulesSchema });

/** Reads the rules of files from the persisted state of a page; `undefined` if it is for something else. */
export const readPersistedFileTarget = (state: unknown): FileRulesReference | undefined =>
  persistedFileStateSchema.safeParse(state).data?.place;

/** Reads the datamodel or cube set from the persisted state of a page; `undefined` if the state is invalid. */
export function readPersistedTarget(state: unknown): SubjectTarget | undefined {
  const { connectionId, resource } = persistedStateSchema.safeParse(state).data?.place ?? {};
  return connectionId === undefined || resource?.kind !== 'rules'
    ? undefined
    : { connectionId, subject: resource.subject };
}
