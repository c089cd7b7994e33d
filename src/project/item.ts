import { escapePointerToken, unescapePointer } from '../base/jsonPointer.ts';
import type { JsonValue } from '../base/json.ts';
import type { ColumnName } from '../security/tableAccess.ts';

/**
 * Identifies an item of a project by names, which are the same on every instance. Each item is one file.
 * - `dataset`, `table`, `tableExpression`, `columnExpression`, `relation` and `rules` belong to a datamodel.
 * - `relation`: the names of the related columns, sorted. If a relation has lost a column on its instance, the names
 *   that no longer exist are empty.
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

/** A resource, or the SQL of one, without identifiers of an instance. */
export interface ProjectItem {
  readonly key: ItemKey;
  /** The canonical JSON of the item; for `tableExpression` and `columnExpression` the SQL, as a string. */
  readonly content: JsonValue;
}

/**
 * Returns a text that is equal for equal keys only, such as `table/Retail/Customers`. `~` and `/` in names are escaped
 * as in a JSON pointer. {@link parseItemKey} reads it.
 */
export const formatItemKey = (key: ItemKey): string =>
  getKeyNames(key).reduce((text, name) => `${text}/${escapePointerToken(name)}`, key.kind);

/** Returns the names in a key, from the outermost to the innermost. */
function getKeyNames(key: ItemKey): readonly string[] {
  switch (key.kind) {
    case 'datamodel':
      return [key.datamodel];
    case 'dataset':
      return [key.datamodel, key.dataset];
    case 'table':
    case 'tableExpression':
      return [key.datamodel, key.table];
    case 'columnExpression':
    case 'rules':
      return [key.datamodel, key.table, key.column];
    case 'relation':
      return [key.datamodel, ...key.columns.flatMap(({ table, column }) => [table, column])];
    case 'viewpoint':
      return [key.viewpoint];
    case 'cubeSetRules':
      return [key.cubeSet, key.table, key.column];
    case 'customData':
      return [key.name];
  }
}

/** Returns the keys of the items that an item belongs to: the datamodel and, for SQL, the table. */
export function getOwnerKeys(key: ItemKey): readonly ItemKey[] {
  if (!('datamodel' in key) || key.kind === 'datamodel') {
    return [];
  }
  const { datamodel } = key;
  const datamodelKey: ItemKey = { kind: 'datamodel', datamodel };
  return key.kind === 'tableExpression' || key.kind === 'columnExpression'
    ? [datamodelKey, { kind: 'table', datamodel, table: key.table }]
    : [datamodelKey];
}

/** Reads the text of a key; `undefined` if it is not one. */
export function parseItemKey(text: string): ItemKey | undefined {
  const tokens = text.split('/');
  const [kind = '', ...names] = text.includes('~') ? tokens.map(unescapePointer) : tokens;
  const [first, second, third] = names;
  if (first === undefined) {
    return undefined;
  }
  if (kind === 'relation') {
    return createRelationKey(first, names.slice(1));
  }
  if (names.length === 1) {
    return kind === 'datamodel'
      ? { kind, datamodel: first }
      : kind === 'viewpoint'
        ? { kind, viewpoint: first }
        : kind === 'customData'
          ? { kind, name: first }
          : undefined;
  }
  if (names.length === 2 && second !== undefined) {
    return kind === 'dataset'
      ? { kind, datamodel: first, dataset: second }
      : kind === 'table' || kind === 'tableExpression'
        ? { kind, datamodel: first, table: second }
        : undefined;
  }
  if (names.length !== 3 || second === undefined || third === undefined) {
    return undefined;
  }
  return kind === 'columnExpression' || kind === 'rules'
    ? { kind, datamodel: first, table: second, column: third }
    : kind === 'cubeSetRules'
      ? { kind, cubeSet: first, table: second, column: third }
      : undefined;
}

function createRelationKey(datamodel: string, names: readonly string[]): ItemKey | undefined {
  const columns = names.flatMap((table, index) => {
    const column = names[index + 1];
    return index % 2 === 0 && column !== undefined ? [{ table, column }] : [];
  });
  return names.length > 0 && names.length % 2 === 0 ? { kind: 'relation', datamodel, columns } : undefined;
}

/** Returns whether an item contains rules, of a datamodel or of a cube set. */
export const isRuleKey = (
  key: ItemKey,
): key is Extract<ItemKey, { readonly kind: 'rules' | 'cubeSetRules' }> =>
  key.kind === 'rules' || key.kind === 'cubeSetRules';

/**
 * Returns whether items of a kind may affect who sees what: by rules and sharing, or as the tables, columns, and
 * relations that rules and sharing apply to.
 */
export const affectsAccess = (kind: ItemKind): boolean => kind !== 'customData';

/** The member of a file that contains the former name of a table, a column, or a viewpoint. */
export const renamedFromMember = 'renamedFrom';

/** Returns whether a relation has lost a column on its instance, so that builds may fail. */
export const isBrokenRelation = (key: ItemKey): boolean =>
  key.kind === 'relation' && key.columns.some(({ column }) => column === '');
