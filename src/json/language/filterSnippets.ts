/** A kind of filter (rest-api.md, "Column metadata"; platform-facts.md, 5.2), as a snippet on one line. */
export interface FilterSnippet {
  readonly label: string;
  readonly detail: string;
  readonly body: string;
  /** The kinds of columns that support the filter; all if omitted. */
  readonly columnKinds?: readonly ColumnKind[];
}

export type ColumnKind = 'text' | 'number' | 'date';

const createFilterSnippet = (
  label: string,
  detail: string,
  body: string,
  ...columnKinds: readonly ColumnKind[]
): FilterSnippet =>
  columnKinds.length === 0 ? { label, detail, body } : { label, detail, body, columnKinds };

const allFilterSnippets: readonly FilterSnippet[] = [
  createFilterSnippet('all', 'all values', '{ "all": true }'),
  createFilterSnippet(
    'members',
    'only these values',
    '{ "members": ["$1"], "explicit": true, "multiSelection": true }',
    'text',
    'date',
  ),
  createFilterSnippet(
    'members',
    'only these values',
    '{ "members": [$1], "explicit": true, "multiSelection": true }',
    'number',
  ),
  createFilterSnippet('exclude', 'all values except these', '{ "exclude": { "members": ["$1"] } }', 'text'),
  createFilterSnippet(
    'from … to',
    'days between',
    '{ "from": "${1:2026-01-01}", "to": "${2:2026-12-31}" }',
    'date',
  ),
  createFilterSnippet('from … to', 'values between', '{ "from": ${1:0}, "to": ${2:100} }', 'number'),
  createFilterSnippet(
    'not between',
    'values outside',
    '{ "exclude": { "from": ${1:0}, "to": ${2:100} } }',
    'number',
  ),
  createFilterSnippet('from', 'this value or more', '{ "from": ${1:0} }', 'number'),
  createFilterSnippet('fromNotEqual', 'more than this value', '{ "fromNotEqual": ${1:0} }', 'number'),
  createFilterSnippet('to', 'this value or less', '{ "to": ${1:100} }', 'number'),
  createFilterSnippet('toNotEqual', 'less than this value', '{ "toNotEqual": ${1:100} }', 'number'),
  createFilterSnippet('equals', 'this value', '{ "equals": ${1:0} }', 'number'),
  createFilterSnippet('equals', 'this text', '{ "equals": "$1" }', 'text'),
  createFilterSnippet('contains', 'text that contains this', '{ "contains": "$1" }', 'text'),
  createFilterSnippet('doesntContain', "text that doesn't contain this", '{ "doesntContain": "$1" }', 'text'),
  createFilterSnippet('startsWith', 'text that starts with this', '{ "startsWith": "$1" }', 'text'),
  createFilterSnippet('endsWith', 'text that ends with this', '{ "endsWith": "$1" }', 'text'),
  createFilterSnippet('like', 'text that matches a pattern', '{ "like": "$1" }', 'text'),
  createFilterSnippet('isEmpty', 'empty strings', '{ "isEmpty": "" }', 'text'),
  createFilterSnippet(
    'last',
    'the last periods of the level',
    '{ "last": { "count": ${1:3}, "offset": ${2:0} } }',
    'date',
  ),
  createFilterSnippet(
    'next',
    'the next periods of the level',
    '{ "next": { "count": ${1:3}, "offset": ${2:0} } }',
    'date',
  ),
  createFilterSnippet(
    'top',
    'the top values by a measure',
    '{ "top": ${1:10}, "by": { "table": "$2", "column": "$3", "agg": "${4|sum,count,average|}" } }',
    'text',
  ),
  createFilterSnippet(
    'bottom',
    'the bottom values by a measure',
    '{ "bottom": ${1:10}, "by": { "table": "$2", "column": "$3", "agg": "${4|sum,count,average|}" } }',
    'text',
  ),
  createFilterSnippet(
    'and',
    'all of these conditions',
    '{ "and": [{ "$1": "$2" }, { "$3": "$4" }] }',
    'text',
  ),
  createFilterSnippet('or', 'any of these conditions', '{ "or": [{ "$1": "$2" }, { "$3": "$4" }] }', 'text'),
];

/** Returns the filter snippets for a kind of column; all of them if the kind is unknown. */
export function getFilterSnippets(kind: ColumnKind | undefined): readonly FilterSnippet[] {
  return allFilterSnippets.filter(
    ({ columnKinds }) => kind === undefined || columnKinds === undefined || columnKinds.includes(kind),
  );
}
