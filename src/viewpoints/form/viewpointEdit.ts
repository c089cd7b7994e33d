/** Text properties of a column that the form edits; an empty text removes the property. */
export type ColumnTextKey = 'title' | 'datatype' | 'agg' | 'level' | 'sort';

/** Flags of a column for assistant apps (rest-api.md, "infusion sub-object"), without the deprecated ones. */
export const columnFlags = ['uid', 'defaultMeasure', 'defaultDate', 'header', 'filterOnly'] as const;
export type ColumnFlag = (typeof columnFlags)[number];

/** Flags that at most one column of a viewpoint has (rest-api.md, "Limits"). */
export const exclusiveFlags: readonly ColumnFlag[] = ['uid', 'defaultMeasure', 'defaultDate'];

export const shareLists = ['apps', 'groups', 'users'] as const;
export type ShareList = (typeof shareLists)[number];

export interface Datasource {
  readonly id?: string | undefined;
  readonly title: string;
  readonly fullname: string;
  readonly modelType?: string | undefined;
}

/** The members of a datasource to set. In the files of a project, it has no full name. */
export type DatasourceTexts = Omit<Datasource, 'fullname'> & Partial<Pick<Datasource, 'fullname'>>;

/** A column added in the form. */
export interface NewViewpointColumn {
  readonly table: string;
  readonly column: string;
  readonly dim: string;
  readonly datatype: string;
  readonly title: string;
}

/** A JSON value that an edit replaces as a whole; `null` removes it. */
export type ComplexValue = Readonly<Record<string, unknown>> | readonly unknown[] | null;

/** An edit of a viewpoint in the form. Columns are identified by index. */
export type ViewpointEdit =
  | { readonly kind: 'text'; readonly key: 'name' | 'description'; readonly value: string }
  | { readonly kind: 'published'; readonly value: boolean }
  | { readonly kind: 'datasource'; readonly value: DatasourceTexts }
  | { readonly kind: 'share'; readonly list: ShareList; readonly values: readonly string[] }
  | {
      readonly kind: 'addColumns';
      readonly insertIndex: number;
      readonly columns: readonly NewViewpointColumn[];
    }
  | { readonly kind: 'removeColumns'; readonly columns: readonly number[] }
  /** Moves the columns, in their current order, before the column at `insertIndex`. */
  | { readonly kind: 'moveColumns'; readonly columns: readonly number[]; readonly insertIndex: number }
  | {
      readonly kind: 'columnText';
      readonly columns: readonly number[];
      readonly key: ColumnTextKey;
      readonly value: string;
    }
  | {
      readonly kind: 'flag';
      readonly columns: readonly number[];
      readonly flag: ColumnFlag;
      readonly value: boolean;
    }
  | {
      readonly kind: 'columnPart';
      readonly columns: readonly number[];
      readonly key: 'filter' | 'format';
      readonly value: ComplexValue;
    };
