import * as z from 'zod';
import type { JsonValue } from '../../base/json.ts';

/** Any lossless JSON. Not `z.json()`: a number that is kept as its source text is not a plain object. */
export const jsonSchema = z.custom<JsonValue>((value) => value !== undefined);

const hashesSchema = z.record(z.string(), z.string()).readonly();

/** The project that an operation applies, as it is stored. */
export const appliedProjectSchema = z.object({
  folder: z.string(),
  environment: z.string(),
  deferredItems: z.array(z.string()).readonly().optional(),
  lastSeenRules: z
    .array(z.object({ keys: z.array(z.string()).readonly(), hashes: z.string() }))
    .readonly()
    .optional(),
  items: z
    .array(
      z.object({
        key: z.string(),
        from: z.string().optional(),
        content: jsonSchema.optional(),
        expectedAdditions: z.array(z.string()).readonly().optional(),
      }),
    )
    .readonly()
    .optional(),
  formerItems: z
    .array(
      z.object({
        key: z.string(),
        newKey: z.string().optional(),
        followsRename: z.boolean().optional(),
        lastSeen: jsonSchema.optional(),
        parts: hashesSchema.optional(),
        appliedParts: hashesSchema.optional(),
        appliedFile: z.string().optional(),
      }),
    )
    .readonly()
    .optional(),
  replacedItems: z.array(z.string()).readonly().optional(),
  prunedKinds: z.array(z.string()).readonly().optional(),
  /** Earlier versions wrote the cube sets of the operation here. */
  cubeSets: z.array(z.string()).optional(),
});

/** What an operation may show until the next build: the stored form of `VisibleUntilBuild`. */
export const visibleUntilBuildSchema = z.object({
  datamodel: z.string(),
  isLive: z.boolean(),
  isNeverBuilt: z.literal(true).optional(),
  data: z.array(z.string()),
  viewpoints: z.array(z.string()),
  writes: z.array(z.number()).optional(),
});

/** A build that the plan of an operation requires: the stored form of `RequiredBuild`. */
export const requiredBuildSchema = z.object({
  datamodelId: z.string(),
  title: z.string(),
  type: z.enum(['schema_changes', 'publish']),
});
