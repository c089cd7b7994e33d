/**
 * The values of `--mode`, which say which current rules an import deletes unless the file contains them: those on the
 * columns of the file, all rules of the datamodel, or none.
 */
export const importModeOptions = ['replace-columns', 'replace-all', 'add'] as const;
export type ImportModeOption = (typeof importModeOptions)[number];
