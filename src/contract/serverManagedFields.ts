/**
 * Fields that the server maintains on its own (platform-facts.md, 2.2 and 3.1; rest-api.md, "Viewpoint"): they change
 * with a write that left everything else unchanged, and contain nothing that the user wrote.
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

/** True for a field that the server maintains and that comparisons ignore. */
export const isServerManagedField = (name: string): boolean => serverManagedFields.has(name);

/** Fields that the server assigns: their values differ between instances, and between copies on one instance. */
const instanceSpecificFields: ReadonlySet<string> = new Set([
  'oid',
  '_id',
  'created',
  'createdAt',
  'createdBy',
  'createdByUser',
  'creator',
  'owner',
  'ownerId',
  'tenant',
  'tenantId',
  'serverId',
  'connectionPermissions',
]);

/** True for a field that identifies a resource on its instance, or its owner or creator there. */
export const isInstanceSpecificField = (name: string): boolean => instanceSpecificFields.has(name);
