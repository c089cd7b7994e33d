/**
 * The words of a viewpoint. `seen` are those of the spec ("Column metadata"); `wider` are the further ones of the
 * query language (platform-facts 5.1), which real viewpoints carry and which are not scolded.
 */
export interface Words {
  readonly seen: readonly string[];
  readonly wider: readonly string[];
}

export const datatypes: Words = { seen: ['text', 'datetime', 'numeric', 'number'], wider: [] };

export const levels: Words = {
  seen: ['days', 'months', 'quarters', 'years', 'weeks'],
  wider: ['hours', 'minutes', 'timestamp'],
};

export const aggregations: Words = {
  seen: ['count', 'sum', 'average'],
  wider: ['avg', 'min', 'max', 'countduplicates', 'median', 'stdev', 'stdevp', 'var', 'varp'],
};

export const sorts: Words = { seen: ['asc', 'desc'], wider: [] };

export const modelTypes: Words = { seen: ['live', 'external', 'perspective'], wider: [] };

/** Deprecated keys of `infusion` (spec, "infusion sub-object"). */
export const deprecatedFlags: readonly string[] = ['visible', 'hyperlink', 'aliases'];

/** Keys of a filter (spec, "Column metadata"; platform-facts 5.2). */
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
