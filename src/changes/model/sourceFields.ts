/** The fields of tables and columns that say where their data comes from, apart from SQL, and what its type is. */
export const sourceFields = ['id', 'type', 'isCustom', 'configOptions'] as const;
