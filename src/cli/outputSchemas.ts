import * as z from 'zod';
import { stepIds } from '../connections/doctor/diagnosis.ts';
import { buildTypes, schemaOrigins } from '../contract/terms.ts';
import { findingSeverities } from '../project/validate/finding.ts';
import {
  createHeader,
  instanceSchema,
  interruptedNoteSchema,
  outputVersion,
  resultSchema,
} from './outputParts.ts';
import { abandonOutputSchema, resumeOutputSchema, rollBackOutputSchema } from './recoveryOutputSchemas.ts';
import { importModeOptions } from './importModes.ts';
import {
  accessRowSchema,
  limitsSchema,
  planFields,
  planOutputSchema,
  rulesWithoutEffectSchema,
  unmanagedSchema,
} from './planOutputSchema.ts';

const datamodelOutputSchema = z.object({ title: z.string(), type: z.enum(['extract', 'live']) });

export const doctorOutputSchema = z.object({
  ...createHeader('doctor'),
  instance: instanceSchema,
  time: z.iso.datetime(),
  verdict: z.enum(['ok', 'warning', 'failed']),
  steps: z.array(
    z.object({
      step: z.enum(stepIds),
      outcome: z.enum(['ok', 'warning', 'failed', 'skipped']),
      /** A code; `text` explains it. */
      finding: z.string(),
      text: z.string(),
      remedy: z.string().optional(),
      /** The failed step because of which this one was skipped. */
      because: z.enum(stepIds).optional(),
      ms: z.number(),
      facts: z.record(z.string(), z.unknown()),
    }),
  ),
});

export const exportOutputSchema = z.object({
  ...createHeader('rules export'),
  instance: instanceSchema,
  datamodel: datamodelOutputSchema,
  /** The rules as the server returns them. */
  rules: z.array(z.unknown()),
});

const grantSchema = z.object({
  kind: z.enum(['only', 'except', 'everything', 'nothing', 'uncertain']),
  values: z.array(z.string()),
});

const partyOutputSchema = z.object({
  type: z.enum(['user', 'group', 'default']),
  id: z.string().optional(),
  name: z.string().optional(),
});

export const importOutputSchema = z.object({
  ...createHeader('rules import'),
  instance: instanceSchema,
  datamodel: datamodelOutputSchema,
  mode: z.enum(importModeOptions),
  /** `refused`: nothing can be written until the errors are fixed. */
  state: z.enum(['same', 'differs', 'refused', 'executed']),
  rules: z.object({ create: z.number(), delete: z.number(), unchanged: z.number() }),
  /** The number of changes, counted by column and party. */
  counts: z.object({ add: z.number(), change: z.number(), delete: z.number() }),
  changes: z.array(
    z.object({
      kind: z.enum(['add', 'change', 'delete']),
      table: z.string(),
      column: z.string(),
      party: partyOutputSchema,
      before: z.array(grantSchema),
      after: z.array(grantSchema),
    }),
  ),
  /** Absent if nothing can be written until the errors are fixed. */
  access: z
    .object({
      summary: z.string(),
      rows: z.array(accessRowSchema),
      /** The effects that could not be computed. */
      unchecked: z.array(z.string()),
    })
    .optional(),
  problems: z.array(z.object({ severity: z.enum(['error', 'warning']), text: z.string() })),
  result: resultSchema.optional(),
});

export const buildOutputSchema = z.object({
  ...createHeader('build'),
  instance: instanceSchema,
  datamodel: datamodelOutputSchema,
  type: z.enum(buildTypes),
  schemaOrigin: z.enum(schemaOrigins).optional(),
  rowLimit: z.number().optional(),
  /** `not-started`: without `--execute`. `started`: with `--no-wait`. `unknown`: the build may still run. */
  state: z.enum(['not-started', 'started', 'done', 'failed', 'cancelled', 'unknown']),
  unknownBecause: z.enum(['gone', 'interrupted', 'timeout', 'unreadable', 'no-answer']).optional(),
  /** The ID of the build task. */
  build: z.string().optional(),
  /** The status that the server reported last. */
  status: z.string().nullable().optional(),
  ms: z.number().optional(),
  /** The ID or name of the table, as the server reports it. */
  failedTable: z.string().optional(),
  problem: z.string().optional(),
  /**
   * A change of the datamodel that was interrupted: until it's finished, rolled back, or abandoned, a build is refused.
   */
  interrupted: interruptedNoteSchema.optional(),
});

export const pullOutputSchema = z.object({
  ...createHeader('pull'),
  instance: instanceSchema,
  environment: z.string(),
  counts: z.object({
    created: z.number(),
    changed: z.number(),
    deleted: z.number(),
    unchanged: z.number(),
  }),
  files: z.array(z.object({ path: z.string(), state: z.enum(['created', 'changed', 'deleted']) })),
  conflicts: z.array(
    z.object({
      /** The item, such as `table/Retail/Orders`. */
      item: z.string(),
      path: z.string().optional(),
      reason: z.enum([
        'both-changed',
        'never-seen',
        'deleted-here',
        'renamed-here',
        'deleted-there',
        'path-taken',
        'unreadable',
      ]),
      /** JSON pointers of the parts; an empty one is the whole item. */
      parts: z.array(z.string()),
      /** Both versions of these parts, with secrets masked; absent on a side that doesn't have the part. */
      versions: z.array(
        z.object({
          pointer: z.string(),
          project: z.unknown().optional(),
          instance: z.unknown().optional(),
        }),
      ),
    }),
  ),
  /** Items that differ from the instance because they were changed in the project. */
  localChanges: z.array(
    z.object({
      item: z.string(),
      /** Absent for a deleted item. */
      path: z.string().optional(),
      state: z.enum(['created', 'changed', 'deleted']),
    }),
  ),
  /** The items that the instance no longer has and the project keeps. */
  gone: z.array(z.object({ item: z.string(), path: z.string().optional() })),
  renames: z.array(z.object({ from: z.string(), to: z.string() })),
  /** The columns that were renamed on the instance, with their tables there. */
  columnRenames: z.array(z.object({ item: z.string(), from: z.string(), to: z.string() })),
  /** The parts of the instance or the project that could not be read. */
  unknown: z.array(z.object({ what: z.string(), problem: z.string() })),
  warnings: z.array(z.string()),
});

export const validateOutputSchema = z.object({
  ...createHeader('validate'),
  counts: z.object({ error: z.number(), warning: z.number(), information: z.number() }),
  /** Sorted by path, line, and column. */
  findings: z.array(
    z.object({
      path: z.string(),
      line: z.number(),
      column: z.number(),
      severity: z.enum(findingSeverities),
      /** Such as `sql/unknown-column`. */
      code: z.string(),
      message: z.string(),
    }),
  ),
});

export const applyOutputSchema = z.object({
  ...createHeader('apply'),
  ...planFields,
  result: resultSchema.optional(),
});

export const driftOutputSchema = z.object({
  ...createHeader('drift'),
  instance: instanceSchema,
  environment: z.string(),
  limits: limitsSchema.optional(),
  state: z.enum(['same', 'differs', 'unknown']),
  counts: z.object({
    same: z.number(),
    differs: z.number(),
    /** The items that could not be compared. Doesn't count items in parts that could not be read at all. */
    unknown: z.number().optional(),
  }),
  items: z.array(
    z.object({
      item: z.string(),
      path: z.string().optional(),
      /**
       * `changed`: both sides have it. `missing`: the instance doesn't have it. `extra`: the project doesn't have it.
       */
      state: z.enum(['changed', 'missing', 'extra']),
      /** The instance has changed it since the last pull, or no pull has seen it. */
      changedOnServer: z.boolean(),
      /** No pull has seen what the instance has. */
      neverPulled: z.literal(true).optional(),
      /** An interrupted change has written it. */
      interrupted: z.literal(true).optional(),
      parts: z.array(
        z.object({
          pointer: z.string(),
          instance: z.unknown().optional(),
          project: z.unknown().optional(),
          /** Why an apply doesn't change this part. */
          notApplied: z.string().optional(),
        }),
      ),
    }),
  ),
  unknown: z.array(z.object({ what: z.string(), problem: z.string() })),
  rulesWithoutEffect: rulesWithoutEffectSchema,
  unmanaged: unmanagedSchema,
  interrupted: interruptedNoteSchema.optional(),
  /** What isn't compared: what files can't contain, and files outside the limits that can't be read. */
  notCompared: z.array(z.object({ item: z.string(), text: z.string() })).optional(),
  /** Properties that only the instance has. The project doesn't manage them, so they aren't counted as differences. */
  instanceOnly: z.array(z.object({ item: z.string(), pointer: z.string(), text: z.string() })).optional(),
  /** Differences that are expected, because each instance has its own values: they aren't counted. */
  setByInstance: z
    .array(z.object({ item: z.string(), pointer: z.string(), code: z.string(), text: z.string() }))
    .optional(),
});

/** What any command prints instead of its result if it was refused or ended without a result. */
export const errorOutputSchema = z.object({
  version: z.literal(outputVersion),
  /** Absent if the command line has no valid command. */
  command: z.string().optional(),
  error: z.object({
    /** Corresponds to the exit codes 1, 3, and 4. */
    state: z.enum(['failed', 'unknown', 'refused']),
    message: z.string(),
  }),
});

/** The schemas by command name. */
export const outputSchemas = {
  abandon: abandonOutputSchema,
  apply: applyOutputSchema,
  build: buildOutputSchema,
  doctor: doctorOutputSchema,
  drift: driftOutputSchema,
  plan: planOutputSchema,
  pull: pullOutputSchema,
  'rules export': exportOutputSchema,
  'rules import': importOutputSchema,
  resume: resumeOutputSchema,
  'roll-back': rollBackOutputSchema,
  validate: validateOutputSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;
