import * as z from 'zod';
import { resourceRefSchema } from '../../catalog/resourceRef.ts';
import { type Operation, type Write, type WriteEndpointId, writeEndpoints } from '../model/operation.ts';
import { jsonSchema } from './appliedProject.ts';

export const valuePathSchema = z.array(z.union([z.string(), z.number()]));

/** Rejects unknown endpoints, which another version of the product may have recorded: they can't be interpreted. */
const isWriteEndpoint = (id: unknown): id is WriteEndpointId =>
  writeEndpoints.some((endpoint) => endpoint === id);

/** A write as it is stored: `made` contains its `outputRefs`. */
export type StoredWrite = Omit<Write, 'outputRefs'> & { readonly made?: Write['outputRefs'] };

export const writeSchema: z.ZodType<StoredWrite> = z.object({
  endpoint: z.custom<WriteEndpointId>(isWriteEndpoint),
  params: z.record(z.string(), z.string()),
  body: jsonSchema.optional(),
  target: resourceRefSchema.optional(),
  made: z
    .array(
      z.object({
        into: z.tuple([z.enum(['params', 'body'])], z.union([z.string(), z.number()])),
        write: z.number(),
        from: valuePathSchema,
      }),
    )
    .optional(),
  sendEncryptedParameters: z.literal(true).optional(),
  name: z.string().optional(),
  step: z.enum(['guard', 'replaced']).optional(),
  batch: z.object({ ids: z.array(z.string()).optional(), maxBytes: z.number().optional() }).optional(),
}) as z.ZodType<StoredWrite>;

/** Returns the form in which an operation is stored. */
export const toStoredOperation = ({
  connectionId,
  cause,
  subject,
  project,
  cubeSets,
  visibleUntilBuild = [],
  builds,
  writes,
}: Operation) => ({
  connectionId,
  cause,
  subject: { name: subject.name, within: [...subject.within] },
  ...(project === undefined ? {} : { project }),
  ...(cubeSets === undefined ? {} : { cubeSets: [...cubeSets] }),
  ...(builds === undefined ? {} : { builds: builds.map((build) => ({ ...build })) }),
  ...(visibleUntilBuild.length === 0
    ? {}
    : {
        visibleUntilBuild: visibleUntilBuild.map(({ data, viewpoints, writes: causes, ...build }) => ({
          ...build,
          data: [...data],
          viewpoints: [...viewpoints],
          ...(causes === undefined ? {} : { writes: [...causes] }),
        })),
      }),
  writes: writes.map(toStoredWrite),
});

/** Returns the form in which a write is stored. */
export const toStoredWrite = ({ outputRefs, ...write }: Write): StoredWrite => ({
  ...write,
  ...(outputRefs === undefined ? {} : { made: outputRefs }),
});
