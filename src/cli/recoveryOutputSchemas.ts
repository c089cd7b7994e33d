import * as z from 'zod';
import { createHeader, instanceSchema, resultSchema } from './outputParts.ts';

/** A document that a step of an interrupted change writes. */
const documentSchema = z.object({
  /** The rules on a column are one document, so a new rule is an `update`. */
  action: z.enum(['create', 'update', 'delete']),
  kind: z.string(),
  /** Empty if it's unknown. */
  name: z.string(),
  /** The datamodel or cube set. */
  datamodel: z.string().optional(),
});

const interruptedSchema = z.object({
  /** The ID of the change, which the commands take. */
  journal: z.string(),
  time: z.iso.datetime(),
  /** The user of the operating system, and the computer. */
  actor: z.object({ user: z.string(), host: z.string() }).optional(),
  /** The tenant that the change was made with: only with this tenant can the change be ended. */
  tenant: z.string().optional(),
  /** The journal of the change that this one undoes. `datamodel` and `project` are those of that change. */
  undoes: z.string().optional(),
  /** The datamodel whose rules an import changes. */
  datamodel: z.string().optional(),
  /** The folder of the project that an apply is for, and the environment. */
  project: z.object({ folder: z.string(), environment: z.string().optional() }).optional(),
  /** The items that the apply leaves for another one. Absent if they are unknown. */
  deferred: z.array(z.string()).optional(),
  steps: z.array(
    z.object({
      endpoint: z.string(),
      /** With `--execute`, its state after the command; a rollback doesn't change it. */
      state: z.enum(['waiting', 'sending', 'done', 'failed', 'unknown']),
      /** What the step writes. */
      documents: z.array(documentSchema),
    }),
  ),
});

/** The datamodels whose tables or relations a change has written. Absent if there are none, or if it isn't done. */
const buildsSchema = z
  .array(z.object({ datamodel: z.string(), type: z.enum(['schema_changes', 'publish']) }))
  .optional();

export const resumeOutputSchema = z.object({
  ...createHeader('resume'),
  instance: instanceSchema,
  interrupted: z.array(interruptedSchema),
  /** The builds after which queries show the change. */
  builds: buildsSchema,
  /** The datamodels to build before the next apply can make the changes that this one has left. */
  neededBuilds: z.array(z.string()).optional(),
  result: resultSchema.optional(),
});

export const rollBackOutputSchema = z.object({
  ...createHeader('roll-back'),
  instance: instanceSchema,
  interrupted: z.array(interruptedSchema),
  /**
   * The names of what can't be restored. Relations and settings of columns can be restored after a build has created
   * the columns that they need. Relations that had already lost a column, and some sharing, can't be restored at all.
   */
  notRestored: z.array(z.string()).optional(),
  /** The names of what is restored with new IDs. */
  newIds: z.array(z.string()).optional(),
  /** The names of the viewpoints that are deleted, or restored without the bookmarks that they might have had. */
  lostBookmarks: z.array(z.string()).optional(),
  /** The builds that are needed if the datamodels were built since the change began. */
  builds: buildsSchema,
  result: resultSchema.optional(),
});

export const abandonOutputSchema = z.object({
  ...createHeader('abandon'),
  instance: instanceSchema,
  interrupted: z.array(interruptedSchema),
  /**
   * What the change has written, or might still write. It stays on the instance. The rules on a column are one
   * document.
   */
  documents: z.array(
    documentSchema.extend({
      /** `unknown`: it may have been written, in whole or in part, or a request may still take effect. */
      state: z.enum(['written', 'unknown']),
    }),
  ),
  /** Temporary deny rules are left, or might be: the affected users and groups see no rows. */
  deniesAccess: z.boolean(),
  abandoned: z.boolean(),
});

/** An interrupted change, as the commands print it. */
export type InterruptedOutput = z.infer<typeof interruptedSchema>;

export type AbandonOutput = z.infer<typeof abandonOutputSchema>;
