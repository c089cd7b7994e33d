/** A kind of filter (rest-api.md, "Column metadata"; platform-facts.md, 5.2), as a snippet on one line. */
export interface FilterForm {
  readonly label: string;
  readonly detail: string;
  readonly body: string;
  /** The kinds of columns that support the filter; all if omitted. */
  readonly columnKinds?: readonly ColumnKind[];
}

export type ColumnKind = 'text' | 'number' | 'date';

const createFilterForm = (
  label: string,
  detail: string,
  body: string,
  ...columnKinds: readonly ColumnKind[]
): FilterForm => (columnKinds.length === 0 ? { label, detail, body } : { label, detail, body, columnKinds });

const allFilterForms: readonly FilterForm[] = [
  createFilterForm('all', 'all values', '{ "all": true }'),
  createFilterForm(
    'members',
    'only these values',
    '{ "members": ["$1"], "explicit": true, "multiSelection": true }',
    'text',
    'date',
  ),
  createFilterForm(
    'members',
    'only these values',
    '{ "members": [$1], "explicit": true, "multiSelection": true }',
    'number',
  ),
  createFilterForm('exclude', 'all values but these', '{ "exclude": { "members": ["$1"] } }', 'text'),
  createFilterForm(
    'from … to',
    'days between',
    '{ "from": "${1:2026-01-01}", "to": "${2:2026-12-31}" }',
    'date',
  ),
  createFilterForm('from … to', 'values between', '{ "from": ${1:0}, "to": ${2:100} }', 'number'),
  createFilterForm(
    'not between',
    'values outside',
    '{ "exclude": { "from": ${1:0}, "to": ${2:100} } }',
    'number',
  ),
  createFilterForm('from', 'this value or more', '{ "from": ${1:0} }', 'number'),
  createFilterForm('fromNotEqual', 'more than this value', '{ "fromNotEqual": ${1:0} }', 'number'),
  createFilterForm('to', 'this value or less', '{ "to": ${1:100} }', 'number'),
  createFilterForm('toNotEqual', 'less than this value', '{ "toNotEqual": ${1:100} }', 'number'),
  createFilterForm('equals', 'this value', '{ "equals": ${1:0} }', 'number'),
  createFilterForm('equals', 'this text', '{ "equals": "$1" }', 'text'),
  createFilterForm('contains', 'texts with this part', '{ "contains": "$1" }', 'text'),
  createFilterForm('doesntContain', 'texts without this part', '{ "doesntContain": "$1" }', 'text'),
  createFilterForm('startsWith', 'texts that begin so', '{ "startsWith": "$1" }', 'text'),
  createFilterForm('endsWith', 'texts that end so', '{ "endsWith": "$1" }', 'text'),
  createFilterForm('like', 'texts like a pattern', '{ "like": "$1" }', 'text'),
  createFilterForm('isEmpty', 'empty texts', '{ "isEmpty": "" }', 'text'),
  createFilterForm(
    'last',
    'the last periods of the level',
    '{ "last": { "count": ${1:3}, "offset": ${2:0} } }',
    'date',
  ),
  createFilterForm(
    'next',
    'the next periods of the level',
    '{ "next": { "count": ${1:3}, "offset": ${2:0} } }',
    'date',
  ),
  createFilterForm(
    'top',
    'the first so many by a measure',
    '{ "top": ${1:10}, "by": { "table": "$2", "column": "$3", "agg": "${4|sum,count,average|}" } }',
    'text',
  ),
  createFilterForm(
    'bottom',
    'the last so many by a measure',
    '{ "bottom": ${1:10}, "by": { "table": "$2", "column": "$3", "agg": "${4|sum,count,average|}" } }',
    'text',
  ),
  createFilterForm('and', 'all of these conditions', '{ "and": [{ "$1": "$2" }, { "$3": "$4" }] }', 'text'),
  createFilterForm('or', 'any of these conditions', '{ "or": [{ "$1": "$2" }, { "$3": "$4" }] }', 'text'),
];

/** Returns the filter forms for a kind of column; all forms if the kind is unknown. */
export function getFilterForms(kind: ColumnKind | undefined): readonly FilterForm[] {
  return allFilterForms.filter(
    ({ columnKinds }) => kind === undefined || columnKinds === undefined || columnKinds.includes(kind),
  );
}
