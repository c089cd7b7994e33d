import { getDatasetName, type Datamodel } from '../contract/datamodel.ts';
import { getColumnName, getTableName } from '../contract/table.ts';
import { findNodeAtPath, getLiteralText } from '../json/text/jsonNode.ts';
import type { JsonDocument } from '../json/text/parseJson.ts';

/** A name to show after an oid. */
export interface NameHint {
  /** The end of the oid in the text. */
  readonly offset: number;
  /** `undefined` if the datamodel has no item with that oid. */
  readonly name: string | undefined;
}

/** Returns the names of the datasets, tables and columns that the text of a relation refers to by oid. */
export function getRelationHints({ root }: JsonDocument, datamodel: Datamodel): readonly NameHint[] {
  const columns = findNodeAtPath(root, ['columns'])?.node;
  return (columns?.kind === 'array' ? columns.items : []).flatMap((end) => {
    const [dataset, table, column] = (['dataset', 'table', 'column'] as const).map((key) => {
      const node = findNodeAtPath(end, [key])?.node;
      const oid = getLiteralText(node);
      return node === undefined || oid === undefined ? undefined : { oid, offset: node.end };
    });
    const datasets = datamodel.datasets ?? [];
    const inDataset = datasets.find(({ oid }) => oid === dataset?.oid);
    const inTable = datasets
      .flatMap(({ schema }) => schema?.tables ?? [])
      .find(({ oid }) => oid === table?.oid);
    const inColumn = (inTable?.columns ?? []).find(({ oid }) => oid === column?.oid);
    return [
      dataset && {
        offset: dataset.offset,
        name: inDataset && (getDatasetName(inDataset) ?? inDataset.name ?? undefined),
      },
      table && { offset: table.offset, name: inTable && getTableName(inTable) },
      column && { offset: column.offset, name: inColumn && getColumnName(inColumn) },
    ].filter((hint) => hint !== undefined);
  });
}
