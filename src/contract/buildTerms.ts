/** The fixed words of builds, free of the schemas, so that what is loaded first stays small. */

/** full: whole model; by_table: per-table settings; schema_changes: modified parts; publish: live models (spec). */
export const buildTypes = ['full', 'by_table', 'schema_changes', 'publish'] as const;
export type BuildType = (typeof buildTypes)[number];

/** latest: all changes since the last build; running: the last successfully built schema (spec, POST /builds). */
export const schemaOrigins = ['latest', 'running'] as const;
export type SchemaOrigin = (typeof schemaOrigins)[number];
