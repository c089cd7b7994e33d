import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { calendarSuffix } from '../../contract/terms.ts';
import { isJsonArray, getProperty } from '../../json/text/copyOnWrite.ts';
import { columnFlags, type ColumnFlag, type ColumnTextKey, type Datasource } from './viewpointEdit.ts';

/** A text property. A value of another type (`isUnsupported`) is shown as JSON and can only be edited there. */
export interface TextField {
  readonly value: string;
  readonly isUnsupported: boolean;
}

export function readTextField(value: JsonValue | undefined): TextField {
  if (value === undefined || value === null) {
    return { value: '', isUnsupported: false };
  }
  return typeof value === 'string'
    ? { value, isUnsupported: false }
    : { value: JSON.stringify(value), isUnsupported: true };
}

/** The texts of a list. `isUnsupported` if the value is not a list, or contains values that are not text. */
export interface ListField {
  readonly values: readonly string[];
  readonly isUnsupported: boolean;
}

export function readListField(value: JsonValue | undefined): ListField {
  const items = value ?? [];
  if (!isJsonArray(items)) {
    return { values: [], isUnsupported: true };
  }
  const values = items.filter((item) => typeof item === 'string');
  return { values, isUnsupported: values.length < items.length };
}

/** The fields of a viewpoint as the form shows them, read from any JSON. */
export interface ViewpointFields {
  readonly name: TextField;
  readonly description: TextField;
  readonly isPublished: boolean;
  readonly datasource: Datasource;
  readonly apps: ListField;
  readonly groups: ListField;
  readonly users: ListField;
  readonly columns: readonly JsonValue[];
  /** True if there are columns in a structure that the form cannot list. */
  readonly hasUnsupportedColumns: boolean;
}

export function readViewpoint(document: JsonValue): ViewpointFields {
  const details = getProperty(document, 'details') ?? {};
  const visibility = getProperty(document, 'visibility') ?? {};
  const columns = getProperty(details, 'columns') ?? [];
  const enabled = getProperty(document, 'enabled') ?? getProperty(visibility, 'enabled');
  return {
    name: readTextField(getProperty(document, 'name')),
    description: readTextField(getProperty(document, 'description')),
    isPublished: enabled === true,
    datasource: readDatasource(getProperty(details, 'datasource')),
    apps: readListField(getProperty(visibility, 'apps')),
    groups: readListField(getProperty(visibility, 'groups')),
    users: readListField(getProperty(visibility, 'users')),
    columns: isJsonArray(columns) ? columns : [],
    hasUnsupportedColumns: !isJsonArray(columns) || !isJsonObject(details),
  };
}

export function readDatasource(value: JsonValue | undefined): Datasource {
  const readText = (name: string): string => readTextField(getProperty(value, name)).value;
  return {
    id: readText('id') || undefined,
    title: readText('title'),
    fullname: readText('fullname'),
    modelType: readText('modelType') || undefined,
  };
}

/** Whether a viewpoint is published, shared, both (`visible`) or neither (`private`) (rest-api.md, "Viewpoint"). */
export type SharingState = 'private' | 'published' | 'shared' | 'visible';

/** Returns the sharing state: a viewpoint is visible only if it is both published and shared. */
export function getSharingState({
  isPublished,
  apps,
  groups,
  users,
}: Pick<ViewpointFields, 'isPublished' | 'apps' | 'groups' | 'users'>): SharingState {
  const isShared = [apps, groups, users].some(({ values }) => values.length > 0);
  if (isShared) {
    return isPublished ? 'visible' : 'shared';
  }
  return isPublished ? 'published' : 'private';
}

/** The fields of a viewpoint column as the form shows them. */
export interface ColumnFields {
  readonly table: string;
  readonly column: string;
  readonly dim: string;
  readonly texts: Readonly<Record<ColumnTextKey, TextField>>;
  readonly flags: ReadonlySet<ColumnFlag>;
  readonly filter: JsonValue | undefined;
  readonly format: JsonValue | undefined;
  readonly isDate: boolean;
  /** True for an entry that is not an object: it can only be moved and removed. */
  readonly isUnsupported: boolean;
}

export function readColumn(column: JsonValue): ColumnFields {
  const readField = (name: string): TextField => readTextField(getProperty(column, name));
  const infusion = getProperty(column, 'infusion');
  const datatype = readField('datatype');
  return {
    table: readField('table').value,
    column: readField('column').value,
    dim: readField('dim').value,
    texts: {
      title: readField('title'),
      datatype,
      agg: readField('agg'),
      level: readField('level'),
      sort: readField('sort'),
    },
    flags: new Set(columnFlags.filter((flag) => getProperty(infusion, flag) === true)),
    filter: getProperty(column, 'filter'),
    format: getProperty(column, 'format'),
    isDate: datatype.value === 'datetime' || readField('dim').value.endsWith(`${calendarSuffix}]`),
    isUnsupported: !isJsonObject(column),
  };
}
