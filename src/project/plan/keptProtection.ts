import type { JsonValue } from '../../base/json.ts';
import { sortByText } from '../../base/sortByText.ts';
import type { Comparison, ItemChange } from '../compare/itemChange.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { type ItemKey, type ProjectItem, formatItemKey } from '../item.ts';

/** Something that only the instance has and that may restrict new tables or columns. */
export interface KeptProtection {
  /** The text of the key of rules, or of a relation. */
  readonly item: string;
  /** The rules; absent for a relation. */
  readonly content?: JsonValue;
  /** Whether the instance has the column that rules are on, without which they have no effect. */
  readonly hasColumn?: boolean;
}

/**
 * Returns what may restrict the new tables and columns of a plan although only the instance has it, so that no change
 * shows it: rules on them, and rules and relations of the same datamodels, since rules on linked tables restrict them
 * too (platform-facts.md, 3.3). Without new tables and columns, nothing is returned: who gains and who loses access to
 * the existing ones is compared separately.
 * @param items the items of the instance
 */
export function listKeptProtection(
  { changes, extraItems }: Pick<Comparison, 'changes' | 'extraItems'>,
  items: readonly ProjectItem[],
): readonly KeptProtection[] {
  const newTables = changes.flatMap((change) => (mayAddColumns(change) ? [change.key] : []));
  const datamodels = new Set(newTables.map(({ datamodel }) => datamodel));
  const tableNames = new Set(newTables.map(({ table }) => table));
  const contents = new Map(items.map(({ key, content }) => [formatItemKey(key), content]));
  const hasColumn = ({ datamodel, table, column }: Extract<ItemKey, { kind: 'rules' }>): boolean =>
    getColumnsByName(contents.get(formatItemKey({ kind: 'table', datamodel, table }))).has(column);
  const kept = extraItems.flatMap(({ key }): readonly KeptProtection[] => {
    const item = formatItemKey(key);
    const content = contents.get(item) ?? null;
    if (key.kind === 'cubeSetRules') {
      return tableNames.has(key.table) ? [{ item, content }] : [];
    }
    if ((key.kind !== 'relation' && key.kind !== 'rules') || !datamodels.has(key.datamodel)) {
      return [];
    }
    return key.kind === 'relation' ? [{ item }] : [{ item, content, hasColumn: hasColumn(key) }];
  });
  return sortByText(kept, ({ item }) => item);
}

type TableKey = Extract<ItemKey, { kind: 'table' | 'tableExpression' | 'columnExpression' }>;

/** Returns whether a change creates a table or a column, or changes SQL from which the next build creates columns. */
function mayAddColumns(change: ItemChange): change is ItemChange & { readonly key: TableKey } {
  const { action, key, parts } = change;
  if (key.kind === 'tableExpression' || key.kind === 'columnExpression') {
    return action !== 'delete';
  }
  const addsColumn = parts.some(
    ({ pointer, before, after }) =>
      pointer.startsWith('/columns/') && before === undefined && after !== undefined,
  );
  return key.kind === 'table' && (action === 'create' || addsColumn);
}
