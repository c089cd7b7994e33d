/** A form that a filter can have (spec, "Column metadata"; platform-facts 5.2), as a snippet in one line. */
export interface FilterForm {
  readonly label: string;
  readonly detail: string;
  readonly body: string;
  /** For which columns; all when it is not said. */
  readonly only?: readonly ColumnKind[];
}

export type ColumnKind = 'text' | 'number' | 'date';

const form = (label: string, detail: string, body: string, ...only: readonly ColumnKind[]): FilterForm =>
  only.length === 0 ? { label, detail, body } : { label, detail, body, only };

const forms: readonly FilterForm[] = [
  form('all', 'all values', '{ "all": true }'),
  form(
    'members',
    'only these values',
    '{ "members": ["$1"], "explicit": true, "multiSelection": true }',
    'text',
    'date',
  ),
  form(
    'members',
    'only these values',
    '{ "members": [$1], "explicit": true, "multiSelection": true }',
    'number',
  ),
  form('exclude', 'all values but these', '{ "exclude": { "members": ["$1"] } }', 'text'),
  form('from … to', 'days between', '{ "from": "${1:2026-01-01}", "to": "${2:2026-12-31}" }', 'date'),
  form('from … to', 'values between', '{ "from": ${1:0}, "to": ${2:100} }', 'number'),
  form('not between', 'values outside', '{ "exclude": { "from": ${1:0}, "to": ${2:100} } }', 'number'),
  form('from', 'this value or more', '{ "from": ${1:0} }', 'number'),
  form('fromNotEqual', 'more than this value', '{ "fromNotEqual": ${1:0} }', 'number'),
  form('to', 'this value or less', '{ "to": ${1:100} }', 'number'),
  form('toNotEqual', 'less than this value', '{ "toNotEqual": ${1:100} }', 'number'),
  form('equals', 'this value', '{ "equals": ${1:0} }', 'number'),
  form('equals', 'this text', '{ "equals": "$1" }', 'text'),
  form('contains', 'texts with this part', '{ "contains": "$1" }', 'text'),
  form('doesntContain', 'texts without this part', '{ "doesntContain": "$1" }', 'text'),
  form('startsWith', 'texts that begin so', '{ "startsWith": "$1" }', 'text'),
  form('endsWith', 'texts that end so', '{ "endsWith": "$1" }', 'text'),
  form('like', 'texts like a pattern', '{ "like": "$1" }', 'text'),
  form('isEmpty', 'empty texts', '{ "isEmpty": "" }', 'text'),
  form('last', 'the last periods of the level', '{ "last": { "count": ${1:3}, "offset": ${2:0} } }', 'date'),
  form('next', 'the next periods of the level', '{ "next": { "count": ${1:3}, "offset": ${2:0} } }', 'date'),
  form(
    'top',
    'the first so many by a measure',
    '{ "top": ${1:10}, "by": { "table": "$2", "column": "$3", "agg": "${4|sum,count,average|}" } }',
    'text',
  ),
  form(
    'bottom',
    'the last so many by a measure',
    '{ "bottom": ${1:10}, "by": { "table": "$2", "column": "$3", "agg": "${4|sum,count,average|}" } }',
    'text',
  ),
  form('and', 'all of these conditions', '{ "and": [{ "$1": "$2" }, { "$3": "$4" }] }', 'text'),
  form('or', 'any of these conditions', '{ "or": [{ "$1": "$2" }, { "$3": "$4" }] }', 'text'),
];

/** The forms that fit a column; those that fit any where it is not known what it holds. */
export function filterForms(kind: ColumnKind | undefined): readonly FilterForm[] {
  return forms.filter(({ only }) => kind === undefined || only === undefined || only.includes(kind));
}
