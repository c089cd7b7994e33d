/** The import modes of a table of rules: see `ReplacementMode`. */
export const importModes = ['replace-columns', 'replace-all', 'add'] as const;
export type ImportMode = (typeof importModes)[number];
