import type { PinnedTable } from '../../../catalog/pins.ts';
import { getTableName, type Table, tableTypes } from '../../../contract/table.ts';

/** Returns the context value of a table's node, by which the menus choose their items. */
export const getTableContextValue = (
  { type, hidden }: Pick<Table, 'type' | 'hidden'>,
  { isPinned, isLive }: { readonly isPinned: boolean; readonly isLive: boolean },
): string =>
  `table.${type ?? 'base'}${isPinned ? '.pinned' : ''}${hidden ? '.hidden' : ''}${isLive ? '.live' : ''}`;

/** Returns what a pin stores of a table, to show it before its datamodel is loaded. */
export function toPinnedTable(table: Table, datasetId: string): PinnedTable {
  const type = tableTypes.find((knownType) => knownType === table.type);
  return {
    datasetId,
    oid: table.oid,
    name: getTableName(table),
    ...(type === undefined ? {} : { type }),
    ...(table.hidden ? { hidden: true } : {}),
  };
}
