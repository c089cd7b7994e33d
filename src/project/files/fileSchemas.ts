import * as z from 'zod';
import { datamodelSchema, datasetSchema, minRelationColumns } from '../../contract/datamodel.ts';
import { extractRuleSchema, shareSchema } from '../../contract/rule.ts';
import { buildBehaviorSchema, columnSchema, tableSchema } from '../../contract/table.ts';
import { orAbsent } from '../../contract/values.ts';
import {
  viewpointDetailsSchema,
  viewpointSchema,
  viewpointVisibilitySchema,
} from '../../contract/viewpoint.ts';

/**
 * The schemas of a project's files: those of the contract, with names in place of identifiers. The editor and
 * `validate` check files with them. Members that they don't list are allowed, because a pull keeps whatever the server
 * has.
 */

/** SQL has a file of its own (decisions.md, "Projects"). */
const fileReference = z.looseObject({ $file: z.string() });

/** A name, or the number of a party without one. */
const partyReference = z.union([z.string(), z.strictObject({ bound: z.int() })]);

const columnReference = z.looseObject({
  $ref: z.looseObject({ table: z.string(), column: z.string() }),
});

/** The current name on the instance of an item that the file renames (projects.md, "Renames"). */
const formerName = orAbsent(z.string());

export const datamodelFileSchema = datamodelSchema.pick({ title: true, type: true });

export const datasetFileSchema = datasetSchema.pick({ name: true, type: true, connection: true });

export const columnFileSchema = columnSchema
  .omit({ oid: true })
  .extend({ expression: orAbsent(fileReference), renamedFrom: formerName });

export const tableFileSchema = tableSchema.omit({ oid: true }).extend({
  dataset: z.string(),
  renamedFrom: formerName,
  expression: orAbsent(fileReference),
  columns: z.array(columnFileSchema),
  buildBehavior: orAbsent(
    buildBehaviorSchema.extend({
      accumulativeConfig: orAbsent(z.looseObject({ column: orAbsent(columnReference) })),
    }),
  ),
});

export const relationFileSchema = z.looseObject({
  columns: z.array(z.looseObject({ table: z.string(), column: z.string() })).min(minRelationColumns),
});

export const shareFileSchema = z.looseObject({
  type: shareSchema.shape.type,
  party: orAbsent(partyReference),
});

export const ruleFileSchema = extractRuleSchema.omit({ _id: true, server: true, elasticube: true }).extend({
  cubeSet: orAbsent(z.string()),
  shares: orAbsent(z.array(shareFileSchema)),
});

export const viewpointFileSchema = viewpointSchema
  .pick({ name: true, description: true, enabled: true })
  .extend({
    renamedFrom: formerName,
    visibility: orAbsent(
      viewpointVisibilitySchema.extend({
        groups: orAbsent(z.array(partyReference)),
        users: orAbsent(z.array(partyReference)),
      }),
    ),
    details: orAbsent(
      z.looseObject({
        datasource: orAbsent(z.looseObject({ title: orAbsent(z.string()), modelType: orAbsent(z.string()) })),
        columns: viewpointDetailsSchema.shape.columns,
      }),
    ),
  });

export const customDataFileSchema = z.looseObject({ name: z.string(), content: z.looseObject({}) });
