import type { TableIds } from '../../changes/model/tableWrites.ts';
import type { ResourceTarget } from '../../contributions.ts';

/** A selected column and its table; a change of the column sends the whole table. */
export interface SelectedColumn {
  readonly connectionId: string;
  /** The names of its containers, outermost first. */
  readonly within: readonly string[];
  readonly tableIds: TableIds;
  readonly columnId: string;
}

/** Groups the selected columns by table, since the columns of one table are changed in one request. */
export function groupColumnsByTable(
  targets: readonly ResourceTarget[],
): readonly (readonly [SelectedColumn, ...SelectedColumn[]])[] {
  const columns = targets.flatMap(({ connectionId, within, resource }) => {
    if (resource.kind !== 'column') {
      return [];
    }
    const { datamodelId, datasetId, tableId, columnId } = resource;
    return [{ connectionId, within, tableIds: { datamodelId, datasetId, tableId }, columnId }];
  });
  const groups = Map.groupBy(columns, ({ connectionId, tableIds }) =>
    JSON.stringify([connectionId, tableIds]),
  );
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}
