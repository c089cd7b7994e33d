import * as z from 'zod';
import { ignorableCodes } from './ignoredErrors.ts';
import { createHeader, instanceSchema, interruptedNoteSchema } from './outputParts.ts';
import { instanceKindNames } from './prunedKinds.ts';

/** Who gains or loses access. */
export const accessRowSchema = z.object({
  effect: z.enum(['gains', 'changes', 'loses']),
  /** A user or group, or everyone else. For viewpoints, several of them; of many, the first ones and a count. */
  party: z.string(),
  text: z.string(),
  /** The party might gain or lose access: that depends on what is unknown, or not documented by the platform. */
  uncertain: z.literal(true).optional(),
  /** The names of the viewpoints, if the party gains or loses viewpoints and not data. */
  viewpoints: z.array(z.string()).optional(),
});

const serverStateFields = {
  /**
   * The instance has changed the item, or something that is deleted with it, since the last pull, or no pull has seen
   * it.
   */
  changedOnServer: z.boolean(),
  /** No pull has seen the item that the instance has. */
  neverPulled: z.literal(true).optional(),
};

const changeSchema = z.object({
  action: z.enum(['create', 'update', 'delete']),
  /** The item, such as `table/Retail/Orders`. */
  item: z.string(),
  /** The item on the instance, if it is to be renamed. */
  from: z.string().optional(),
  /**
   * The number of rules that only follow a rename of their table or column; if there are rules with other changes, too,
   * these are in `parts`.
   */
  followingRules: z.number().optional(),
  /** The file of the item. */
  path: z.string().optional(),
  ...serverStateFields,
  /** A later apply has to make it. */
  deferred: z.literal(true).optional(),
  /** An interrupted change has written it, or may have, so `changedOnServer` may be due to that change. */
  interrupted: z.literal(true).optional(),
  /** A hash of what the instance has in the changed parts, and in what is deleted with the item. */
  pin: z.string(),
  parts: z.array(
    z.object({
      /** A JSON pointer; empty for the whole item. */
      pointer: z.string(),
      before: z.unknown().optional(),
      after: z.unknown().optional(),
      /** The instance has changed this part since the last pull. */
      changedOnServer: z.literal(true).optional(),
      /** A later apply has to make it, such as the deletion of a column. */
      deferred: z.literal(true).optional(),
      /** The part is a column that a later apply has to show. */
      stillHidden: z.literal(true).optional(),
    }),
  ),
  /** What the instance deletes with the item, or with its deleted columns: SQL, and all that a datamodel has. */
  deletedWith: z.array(z.object({ item: z.string(), ...serverStateFields })).optional(),
});

/**
 * The version of plan files. It changes if the hash covers other data or an apply reads other fields. Otherwise, a plan
 * of another version would be reported as out of date or as no plan.
 */
export const planFileVersion = 3;

/** The rules that restrict nothing, because the instance doesn't have their column. */
export const rulesWithoutEffectSchema = z
  .array(z.object({ item: z.string(), path: z.string().optional() }))
  .optional();

/**
 * What isn't compared because of "manage" in the settings, although it probably should be; absent if there is nothing.
 */
export const unmanagedSchema = z
  .object({
    /** The folders of files of the project that "manage" excludes. */
    excluded: z.array(z.object({ folder: z.string(), files: z.number() })),
    /** The names in "manage" that neither the instance nor the project has. */
    unknownNames: z.array(
      z.object({
        kind: z.enum(['datamodel', 'viewpoint']),
        name: z.string(),
        /** The name that was probably meant. */
        similarName: z.string().optional(),
      }),
    ),
  })
  .optional();

/** The patterns of `--datamodel` and `--viewpoint`. */
export const limitsSchema = z.object({ datamodel: z.string().optional(), viewpoint: z.string().optional() });

const errorFields = { path: z.string(), line: z.number(), column: z.number(), message: z.string() };

export const planFields = {
  planFileVersion: z.number(),
  instance: instanceSchema,
  environment: z.string(),
  /** `refused`: it can't be applied. `unknown`: something could not be read. */
  state: z.enum(['same', 'differs', 'unknown', 'refused']),
  /** Equal for plans with the same changes to the same state. */
  hash: z.string(),
  /** The kinds of items that may be deleted. */
  prune: z.array(z.enum(instanceKindNames)),
  /** The codes of errors that are ignored. */
  ignoreErrors: z.array(z.enum(ignorableCodes)),
  limits: limitsSchema,
  counts: z.object({
    create: z.number(),
    update: z.number(),
    /** Also counts the columns that are deleted from tables that stay. */
    delete: z.number(),
    /**
     * The items whose change, or a part of it, waits for a later apply. Those that wait as a whole aren't counted in
     * `create`, `update`, and `delete`.
     */
    deferred: z.number().optional(),
    unchanged: z.number(),
    /** The items that could not be compared. Doesn't count items in parts that could not be read at all. */
    unknown: z.number().optional(),
    requests: z.number(),
  }),
  changes: z.array(changeSchema),
  /** Items that only the instance has and that are kept. */
  extras: z.array(z.object({ item: z.string(), column: z.string().optional() })),
  /**
   * Differences that an apply doesn't remove, and properties that only the instance has (`instance-only`). Former names
   * that match nothing are warnings, and so are relations that have lost a column.
   */
  notes: z.array(
    z.object({
      code: z.string(),
      severity: z.enum(['warning', 'information']),
      item: z.string(),
      pointer: z.string(),
      text: z.string(),
    }),
  ),
  /** Changes that need a build first. */
  deferred: z.array(
    z.object({
      item: z.string(),
      reason: z.string(),
      /** The part of a table's change that waits; absent if the change waits as a whole. Only tables have parts. */
      part: z.enum(['references', 'column-deletions', 'unhiding']).optional(),
      text: z.string(),
    }),
  ),
  /** The datamodels to build before the next apply can make these changes. */
  neededBuilds: z.array(z.string()).optional(),
  /** The environment variables that an apply requires, for the connections of new datasets. */
  neededVariables: z.array(z.string()).optional(),
  problems: z.array(z.object({ code: z.string(), item: z.string(), text: z.string() })),
  /** The errors in the files to apply that `--ignore-errors` ignores; paths are relative to the project. */
  ignoredErrors: z.array(z.object({ code: z.enum(ignorableCodes), ...errorFields })),
  /** The errors in unchanged files that the instance has, too. They don't prevent the apply. */
  existingErrors: z.array(z.object({ code: z.string(), ...errorFields })).optional(),
  unknown: z.array(z.object({ what: z.string(), problem: z.string() })),
  rulesWithoutEffect: rulesWithoutEffectSchema,
  unmanaged: unmanagedSchema,
  interrupted: interruptedNoteSchema.optional(),
  /** The relations that are missing since a change was abandoned: a build before the next apply would lack them. */
  missingRelations: z
    .array(
      z.object({
        datamodel: z.string(),
        /** The change that was abandoned. */
        journal: z.string(),
        /** By the columns that they join: `Orders.Order Id – Returns.Order Id`. */
        relations: z.array(z.string()),
        text: z.string(),
      }),
    )
    .optional(),
  breaks: z.array(z.object({ item: z.string(), text: z.string() })),
  access: z.object({
    summary: z.string(),
    /** More might change: not all that affects access could be compared, on the instance or in the files. */
    partlyUnknown: z.literal(true).optional(),
    rows: z.array(accessRowSchema),
    /**
     * The tables to be created, with their rules. If a table's rules don't restrict everyone else, the rules of linked
     * tables that restrict it are listed, too.
     */
    newTables: z.array(z.object({ item: z.string(), rules: z.array(z.string()) })),
    /**
     * What else becomes visible, or might: new columns of existing tables, tables and columns that are no longer
     * hidden, and shared viewpoints whose details change. Absent if there is nothing.
     */
    newlyVisible: z
      .array(
        z.object({
          item: z.string(),
          /** The column, if it isn't the whole table. */
          column: z.string().optional(),
          reason: z.enum(['new', 'unhidden', 'details']),
          /** Who sees it. */
          text: z.string(),
          /** The rules that restrict the rows of its table, also through linked tables. */
          rules: z.array(z.string()),
        }),
      )
      .optional(),
    /** The effects that could not be computed. */
    unchecked: z.array(z.string()),
    /** The effects in `unchecked` that last until the next build. */
    untilBuild: z.array(z.string()).optional(),
  }),
  builds: z.array(
    z.object({
      datamodel: z.string(),
      type: z.enum(['schema_changes', 'publish']),
      /** The uploaded files that the new datasets need: an apply doesn't create them. */
      files: z.array(z.string()).optional(),
    }),
  ),
};

/** What `plan` prints, and a plan file contains. Of all outputs, only this schema is used when a command runs. */
export const planOutputSchema = z.object({ ...createHeader('plan'), ...planFields });
