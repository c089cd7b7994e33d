import { datasetName, type Datamodel } from '../contract/datamodel.ts';
import { columnName, tableName } from '../contract/table.ts';
import { nodeAt, textOf } from '../json/text/jsonNode.ts';
import type { JsonDocument } from '../json/text/parseJson.ts';

/** A name to be shown behind an oid. */
export interface NameHint {
  /** End of the oid in the text. */
  readonly offset: number;
  /** `undefined` where the datamodel has nothing of that oid. */
  readonly name: string | undefined;
}

/** The names of the datasets, tables and columns that the text of a relation names by their oids. */
export function relationHints({ root }: JsonDocument, datamodel: Datamodel): readonly NameHint[] {
  const columns = nodeAt(root, ['columns'])?.node;
  return (columns?.kind === 'array' ? columns.items : []).flatMap((end) => {
    const [dataset, table, column] = (['dataset', 'table', 'column'] as const).map((key) => {
      const node = nodeAt(end, [key])?.node;
      const oid = textOf(node);
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
        name: inDataset && (datasetName(inDataset) ?? inDataset.name ?? undefined),
      },
      table && { offset: table.offset, name: inTable && tableName(inTable) },
      column && { offset: column.offset, name: inColumn && columnName(inColumn) },
    ].filter((hint) => hint !== undefined);
  });
}
