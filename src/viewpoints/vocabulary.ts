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

export const sortWords: Vocabulary = { documented: ['asc', 'desc'], undocumented: [] };

export const modelTypeWords: Vocabulary = {
  documented: ['live', 'external', 'perspective'],
  undocumented: [],
};

/** Deprecated keys of `infusion` (rest-api.md, "infusion sub-object"). */
export const deprecatedFlags: readonly string[] = ['visible', 'hyperlink', 'aliases'];

/** Keys of a filter (rest-api.md, "Column metadata"; platform-facts.md, 5.2). */
export const filterKeys: readonly string[] = [
  'all',
  'members',
  'explicit',
  'multiSelection',
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
  'by',
  'rankingMessage',
  'and',
  'or',
  'filter',
  'turnedOff',
  'level',
  'custom',
  'isAdvanced',
  'isCondition',
];
