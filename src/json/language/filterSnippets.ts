import type { Localize } from '../../base/localize.ts';

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

const createFilterSnippets = (t: Localize): readonly FilterSnippet[] => [
  createFilterSnippet('all', t('all values'), '{ "all": true }'),
  createFilterSnippet(
    'members',
    t('only these values'),
    '{ "members": ["$1"], "explicit": true, "multiSelection": true }',
    'text',
    'date',
  ),
  createFilterSnippet(
    'members',
    t('only these values'),
    '{ "members": [$1], "explicit": true, "multiSelection": true }',
    'number',
  ),
  createFilterSnippet(
    'exclude',
    t('all values except these'),
    '{ "exclude": { "members": ["$1"] } }',
    'text',
  ),
  createFilterSnippet(
    'from … to',
    t('days between'),
    '{ "from": "${1:2026-01-01}", "to": "${2:2026-12-31}" }',
    'date',
  ),
  createFilterSnippet('from … to', t('values between'), '{ "from": ${1:0}, "to": ${2:100} }', 'number'),
  createFilterSnippet(
    'not between',
    t('values outside'),
    '{ "exclude": { "from": ${1:0}, "to": ${2:100} } }',
    'number',
  ),
  createFilterSnippet('from', t('this value or more'), '{ "from": ${1:0} }', 'number'),
  createFilterSnippet('fromNotEqual', t('more than this value'), '{ "fromNotEqual": ${1:0} }', 'number'),
  createFilterSnippet('to', t('this value or less'), '{ "to": ${1:100} }', 'number'),
  createFilterSnippet('toNotEqual', t('less than this value'), '{ "toNotEqual": ${1:100} }', 'number'),
  createFilterSnippet('equals', t('this value'), '{ "equals": ${1:0} }', 'number'),
  createFilterSnippet('equals', t('this text'), '{ "equals": "$1" }', 'text'),
  createFilterSnippet('contains', t('text that contains this'), '{ "contains": "$1" }', 'text'),
  createFilterSnippet(
    'doesntContain',
    t("text that doesn't contain this"),
    '{ "doesntContain": "$1" }',
    'text',
  ),
  createFilterSnippet('startsWith', t('text that starts with this'), '{ "startsWith": "$1" }', 'text'),
  createFilterSnippet('endsWith', t('text that ends with this'), '{ "endsWith": "$1" }', 'text'),
  createFilterSnippet('like', t('text that matches a pattern'), '{ "like": "$1" }', 'text'),
  createFilterSnippet('isEmpty', t('empty strings'), '{ "isEmpty": "" }', 'text'),
  createFilterSnippet(
    'last',
    t('the last n periods of the level'),
    '{ "last": { "count": ${1:3}, "offset": ${2:0} } }',
    'date',
  ),
  createFilterSnippet(
    'next',
    t('the next n periods of the level'),
    '{ "next": { "count": ${1:3}, "offset": ${2:0} } }',
    'date',
  ),
  createFilterSnippet(
    'top',
    t('the top values by a measure'),
    '{ "top": ${1:10}, "by": { "table": "$2", "column": "$3", "agg": "${4|sum,count,average|}" } }',
    'text',
  ),
  createFilterSnippet(
    'bottom',
    t('the bottom values by a measure'),
    '{ "bottom": ${1:10}, "by": { "table": "$2", "column": "$3", "agg": "${4|sum,count,average|}" } }',
    'text',
  ),
  createFilterSnippet(
    'and',
    t('all of these conditions'),
    '{ "and": [{ "$1": "$2" }, { "$3": "$4" }] }',
    'text',
  ),
  createFilterSnippet(
    'or',
    t('any of these conditions'),
    '{ "or": [{ "$1": "$2" }, { "$3": "$4" }] }',
    'text',
  ),
];

/** Returns the filter snippets for a kind of column; all of them if the kind is unknown. */
export function getFilterSnippets(kind: ColumnKind | undefined, t: Localize): readonly FilterSnippet[] {
  return createFilterSnippets(t).filter(
    ({ columnKinds }) => kind === undefined || columnKinds === undefined || columnKinds.includes(kind),
  );
}
