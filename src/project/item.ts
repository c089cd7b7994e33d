import type { JsonValue } from '../base/json.ts';

/**
 * Identifies an item of a project by names, which are the same on every instance. Each item is one file.
 * - `dataset`, `table`, `tableExpression`, `columnExpression`, `relation` and `rules` belong to a datamodel.
 * - `relation`: the names of the related columns, sorted.
 * - `cubeSetRules`: the rules on one column of a cube set.
 */
export type ItemKey =
  | { readonly kind: 'datamodel'; readonly datamodel: string }
  | { readonly kind: 'dataset'; readonly datamodel: string; readonly dataset: string }
  | { readonly kind: 'table'; readonly datamodel: string; readonly table: string }
  | { readonly kind: 'tableExpression'; readonly datamodel: string; readonly table: string }
  | {
      readonly kind: 'columnExpression';
      readonly datamodel: string;
      readonly table: string;
      readonly column: string;
    }
  | { readonly kind: 'relation'; readonly datamodel: string; readonly columns: readonly ColumnName[] }
  | {
      readonly kind: 'rules';
      readonly datamodel: string;
      readonly table: string;
      readonly column: string;
    }
  | { readonly kind: 'viewpoint'; readonly viewpoint: string }
  | {
      readonly kind: 'cubeSetRules';
      readonly cubeSet: string;
      readonly table: string;
      readonly column: string;
    }
  | { readonly kind: 'customData'; readonly name: string };

export type ItemKind = ItemKey['kind'];

/** A column of a datamodel by names. */
export interface ColumnName {
  readonly table: string;
  readonly column: string;
}

/** A resource, or the SQL of one, without identifiers of an instance. */
export interface ProjectItem {
  readonly key: ItemKey;
  /** The canonical JSON of the item; for `tableExpression` and `columnExpression` the SQL, as a string. */
  readonly content: JsonValue;
}

/** Returns a text that is equal for equal keys only. */
export const formatItemKey = (key: ItemKey): string =>
  JSON.stringify(
    key.kind === 'relation'
      ? [key.kind, key.datamodel, ...key.columns.flatMap(({ table, column }) => [table, column])]
      : Object.values(key),
  );
