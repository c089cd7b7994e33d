import { isJsonObject, parseLossless, type JsonObject } from '../base/json.ts';
import type { ViewpointSearch } from '../contract/viewpoint.ts';

/** The user's search criteria; each field as typed, blank if unused. */
export interface ViewpointSearchForm {
  readonly text: string;
  readonly name: string;
  readonly description: string;
  readonly id: string;
  /** A time; finds the viewpoints that were last changed after it. */
  readonly after: string;
  /** A time; finds the viewpoints that were last changed before it. */
  readonly before: string;
  /** Names or IDs, separated by commas. */
  readonly apps: string;
  readonly groups: string;
  readonly users: string;
  readonly published: '' | 'yes' | 'no';
  readonly datamodel: string;
  /** `Table.Column`, or a table alone. */
  readonly column: string;
  /** JSON of a partial ViewpointDetails, for criteria without a field here. */
  readonly details: string;
}
export type ViewpointSearchField = keyof ViewpointSearchForm;

export const emptyViewpointSearchForm: ViewpointSearchForm = {
  text: '',
  name: '',
  description: '',
  id: '',
  after: '',
  before: '',
  apps: '',
  groups: '',
  users: '',
  published: '',
  datamodel: '',
  column: '',
  details: '',
};

export type FieldProblem = 'not-a-time' | 'not-json' | 'not-an-object';

/** The problem with the text typed into a field; `undefined` if it is valid. */
export function getFieldProblem(field: ViewpointSearchField, input: string): FieldProblem | undefined {
  const text = input.trim();
  if (text === '') {
    return undefined;
  }
  if (field === 'after' || field === 'before') {
    return parseTime(text) === undefined ? 'not-a-time' : undefined;
  }
  return field === 'details' ? getJsonProblem(text) : undefined;
}

/** The search document of the form (rest-api.md, "ViewpointSearch"); `undefined` if all fields are blank. */
export function toViewpointSearch(form: ViewpointSearchForm): ViewpointSearch | undefined {
  return omitBlanks({
    text: form.text,
    name: form.name,
    description: form.description,
    id: form.id.trim(),
    lastUpdate: omitBlanks({ after: parseTime(form.after), before: parseTime(form.before) }),
    visibility: omitBlanks({
      apps: parseList(form.apps),
      groups: parseList(form.groups),
      users: parseList(form.users),
      enabled: form.published === '' ? undefined : form.published === 'yes',
    }),
    details: toDetailsSearch(form),
  });
}

/**
 * A time in the platform's format: a timestamp in milliseconds, or an ISO datetime (rest-api.md, "ViewpointSearch"). A
 * day or a time without a zone is local to the user, so it is sent in UTC.
 */
function parseTime(input: string): string | number | undefined {
  const text = input.trim();
  if (/^\d{9,16}$/.test(text)) {
    return Number(text);
  }
  if (!/^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}.*)?)?$/.test(text)) {
    return undefined;
  }
  // A bare day would be parsed as UTC midnight.
  const time = new Date(
    /[T ]/.test(text) ? text.replace(' ', 'T') : `${text}${text.length === 7 ? '-01' : ''}T00:00`,
  );
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

const parseList = (input: string): readonly string[] =>
  input
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function toDetailsSearch({ datamodel, column, details }: ViewpointSearchForm): JsonObject | undefined {
  const detailsJson =
    details.trim() === '' || getJsonProblem(details) !== undefined ? {} : parseLossless(details);
  const dotIndex = column.indexOf('.');
  const [table, name] =
    dotIndex === -1 ? [column, ''] : [column.slice(0, dotIndex), column.slice(dotIndex + 1)];
  const columnCriteria = omitBlanks({ table: table.trim(), column: name.trim() });
  return omitBlanks({
    datasource: omitBlanks({ title: datamodel.trim() }),
    columns: columnCriteria === undefined ? undefined : [columnCriteria],
    ...(isJsonObject(detailsJson) ? detailsJson : {}),
  }) as JsonObject | undefined;
}

function getJsonProblem(text: string): FieldProblem | undefined {
  try {
    return isJsonObject(parseLossless(text)) ? undefined : 'not-an-object';
  } catch {
    return 'not-json';
  }
}

/** The fields that are set; `undefined` if none is. */
function omitBlanks(fields: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const filledFields = Object.entries(fields).filter(([, value]) => !isBlank(value));
  return filledFields.length === 0 ? undefined : Object.fromEntries(filledFields);
}

const isBlank = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);
