import { getDatasetName, type Datamodel } from '../contract/datamodel.ts';
import { getColumnName, getTableName } from '../contract/table.ts';
import { findNodeAtPath, getLiteralText } from '../json/text/jsonNode.ts';
import type { JsonDocument } from '../json/text/parseJsonTree.ts';

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
  return (columns?.kind === 'array' ? columns.items : []).flatMap((relationColumn) => {
    const [datasetNode, tableNode, columnNode] = (['dataset', 'table', 'column'] as const).map((key) => {
      const node = findNodeAtPath(relationColumn, [key])?.node;
      const oid = getLiteralText(node);
      return node === undefined || oid === undefined ? undefined : { oid, offset: node.end };
    });
    const datasets = datamodel.datasets ?? [];
    const referencedDataset = datasets.find(({ oid }) => oid === datasetNode?.oid);
    const referencedTable = datasets
      .flatMap(({ schema }) => schema?.tables ?? [])
      .find(({ oid }) => oid === tableNode?.oid);
    const referencedColumn = (referencedTable?.columns ?? []).find(({ oid }) => oid === columnNode?.oid);
    return [
      datasetNode && {
        offset: datasetNode.offset,
        name: referencedDataset && (getDatasetName(referencedDataset) ?? referencedDataset.name ?? undefined),
      },
      tableNode && { offset: tableNode.offset, name: referencedTable && getTableName(referencedTable) },
      columnNode && { offset: columnNode.offset, name: referencedColumn && getColumnName(referencedColumn) },
    ].filter((hint) => hint !== undefined);
  });
}
