/** What a table of rules is for: see `TableScope`. */
export const importModes = ['replace-columns', 'replace-all', 'add'] as const;
export type ImportMode = (typeof importModes)[number];
