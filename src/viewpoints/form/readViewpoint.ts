import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { isJsonArray, propertyOf } from '../../json/text/parts.ts';
import { columnFlags, type ColumnFlag, type ColumnText, type Datasource } from './viewpointEdit.ts';

/** A text of the document; one that is there but no text is shown, and only the JSON can change it. */
export interface TextField {
  readonly value: string;
  readonly isOdd: boolean;
}

export function textField(value: JsonValue | undefined): TextField {
  if (value === undefined || value === null) {
    return { value: '', isOdd: false };
  }
  return typeof value === 'string' ? { value, isOdd: false } : { value: JSON.stringify(value), isOdd: true };
}

/** The texts of a list; `isOdd` where it is none, or has other things among them. */
export interface ListField {
  readonly values: readonly string[];
  readonly isOdd: boolean;
}

export function listField(value: JsonValue | undefined): ListField {
  const items = value ?? [];
  if (!isJsonArray(items)) {
    return { values: [], isOdd: true };
  }
  const values = items.filter((item) => typeof item === 'string');
  return { values, isOdd: values.length < items.length };
}

/** A viewpoint as its form shows it, read from anything. */
export interface ViewpointFields {
  readonly name: TextField;
  readonly description: TextField;
  readonly isPublished: boolean;
  readonly datasource: Datasource;
  readonly apps: ListField;
  readonly groups: ListField;
  readonly users: ListField;
  readonly columns: readonly JsonValue[];
  /** True where there are columns of a kind that the form cannot list. */
  readonly hasOddColumns: boolean;
}

export function readViewpoint(document: JsonValue): ViewpointFields {
  const details = propertyOf(document, 'details') ?? {};
  const visibility = propertyOf(document, 'visibility') ?? {};
  const columns = propertyOf(details, 'columns') ?? [];
  const enabled = propertyOf(document, 'enabled') ?? propertyOf(visibility, 'enabled');
  return {
    name: textField(propertyOf(document, 'name')),
    description: textField(propertyOf(document, 'description')),
    isPublished: enabled === true,
    datasource: readDatasource(propertyOf(details, 'datasource')),
    apps: listField(propertyOf(visibility, 'apps')),
    groups: listField(propertyOf(visibility, 'groups')),
    users: listField(propertyOf(visibility, 'users')),
    columns: isJsonArray(columns) ? columns : [],
    hasOddColumns: !isJsonArray(columns) || !isJsonObject(details),
  };
}

export function readDatasource(value: JsonValue | undefined): Datasource {
  const text = (name: string): string => textField(propertyOf(value, name)).value;
  return {
    id: text('id') || undefined,
    title: text('title'),
    fullname: text('fullname'),
    modelType: text('modelType') || undefined,
  };
}

/** Whether it can be seen, and by whom (spec, "Viewpoint publication" and "ViewpointVisibility"). */
export type Sharing = 'private' | 'published' | 'shared' | 'visible';

/**
 * A viewpoint that is shared stays invisible until it is published; one that is published is visible to those with
 * whom it is shared.
 */
export function sharingOf({
  isPublished,
  apps,
  groups,
  users,
}: Pick<ViewpointFields, 'isPublished' | 'apps' | 'groups' | 'users'>): Sharing {
  const isShared = [apps, groups, users].some(({ values }) => values.length > 0);
  if (isShared) {
    return isPublished ? 'visible' : 'shared';
  }
  return isPublished ? 'published' : 'private';
}

/** A column of a viewpoint as the form shows it. */
export interface ColumnFields {
  readonly table: string;
  readonly column: string;
  readonly dim: string;
  readonly texts: Readonly<Record<ColumnText, TextField>>;
  readonly flags: ReadonlySet<ColumnFlag>;
  readonly filter: JsonValue | undefined;
  readonly format: JsonValue | undefined;
  readonly isDate: boolean;
  /** True of an entry that is no object: it can be moved and removed, no more. */
  readonly isOdd: boolean;
}

export function readColumn(column: JsonValue): ColumnFields {
  const text = (name: string): TextField => textField(propertyOf(column, name));
  const infusion = propertyOf(column, 'infusion');
  const datatype = text('datatype');
  return {
    table: text('table').value,
    column: text('column').value,
    dim: text('dim').value,
    texts: { title: text('title'), datatype, agg: text('agg'), level: text('level'), sort: text('sort') },
    flags: new Set(columnFlags.filter((flag) => propertyOf(infusion, flag) === true)),
    filter: propertyOf(column, 'filter'),
    format: propertyOf(column, 'format'),
    isDate: datatype.value === 'datetime' || text('dim').value.endsWith(' (Calendar)]'),
    isOdd: !isJsonObject(column),
  };
}
