import * as z from 'zod';

/** The fields of a build that are stored both in the files shared by windows and in the history. */
export const storedBuildFields = {
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
