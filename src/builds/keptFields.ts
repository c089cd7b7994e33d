import * as z from 'zod';

/** The fields of a build kept in every file that mentions one: its identity, what it builds, and why it failed. */
export const keptFields = {
  connectionId: z.string(),
  oid: z.string(),
  datamodelId: z.string().optional(),
  datamodelTitle: z.string().optional(),
  buildType: z.string().optional(),
  schemaOrigin: z.string().optional(),
  rowLimit: z.number().optional(),
  reason: z.string().optional(),
  failedTable: z.string().optional(),
};
