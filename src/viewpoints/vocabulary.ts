/**
 * The keywords of a property. `documented` keywords are in the guide (rest-api.md, "Column metadata"); `undocumented`
 * keywords are only in the query language (platform-facts.md, 5.1), but occur in real viewpoints, so they are not
 * errors.
 */
export interface Vocabulary {
  readonly documented: readonly string[];
  readonly undocumented: readonly string[];
}

export const datatypeWords: Vocabulary = {
  documented: ['text', 'datetime', 'numeric', 'number'],
  undocumented: [],
};

export const levelWords: Vocabulary = {
  documented: ['days', 'months', 'quarters', 'years', 'weeks'],
  undocumented: ['hours', 'minutes', 'timestamp'],
};

export const aggregationWords: Vocabulary = {
  documented: ['count', 'sum', 'average'],
  undocumented: ['avg', 'min', 'max', 'countduplicates', 'median', 'stdev', 'stdevp', 'var', 'varp'],
};

/** The aggregations of the guide (rest-api.md, "Column metadata") that need numbers; every column can be counted. */
export const numericAggregations: readonly string[] = ['sum', 'average'];

export const sortWords: Vocabulary = { documented: ['asc', 'desc'], undocumented: [] };

export const modelTypeWords: Vocabulary = {
  documented: ['live', 'external', 'perspective'],
  undocumented: [],
};

/** Deprecated keys of `infusion` (rest-api.md, "infusion sub-object"). */
export const deprecatedFlags: readonly string[] = ['visible', 'hyperlink', 'aliases'];

/** Keys of a column that only the query language documents (platform-facts.md, 5.1). */
export const undocumentedColumnKeys: readonly string[] = ['formula', 'context'];

/**
 * Keys of a filter that select values (rest-api.md, "Column metadata"; platform-facts.md, 5.2). Each condition has one
 * of them, or the two ends of a range.
 */
export const filterOperators: readonly string[] = [
  'members',
  'from',
  'fromNotEqual',
  'to',
  'toNotEqual',
  'exclude',
  'equals',
  'doesntEqual',
  'contains',
  'doesntContain',
  'startsWith',
  'doesntStartWith',
  'endsWith',
  'doesntEndWith',
  'like',
  'isEmpty',
  'last',
  'next',
  'top',
  'bottom',
  'and',
  'or',
  '=',
  '<',
  '>',
  '>=',
  '<=',
];

/** All keys of a filter. */
export const filterKeys: readonly string[] = [
  'all',
  ...filterOperators,
  'explicit',
  'multiSelection',
  'by',
  'rankingMessage',
  'filter',
  'turnedOff',
  'level',
  'custom',
  'isAdvanced',
  'isCondition',
];
