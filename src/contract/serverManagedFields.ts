/**
 * Fields that the server keeps by itself (platform-facts 2.2 and 3.1; spec, "Viewpoint"): they change with a write
 * that left everything else as it was, and say nothing about what a person wrote.
 */
const serverManagedFields: ReadonlySet<string> = new Set([
  'vTag',
  'lastUpdated',
  'lastModified',
  'updatedAt',
  'updatedBy',
  'lastBuildTime',
  'lastSuccessfulBuildTime',
  'lastBuildTimeFromNextECM',
  'lastPublishTime',
]);

/** True for a field that the server keeps by itself and that a comparison leaves out. */
export const isServerManagedField = (name: string): boolean => serverManagedFields.has(name);
