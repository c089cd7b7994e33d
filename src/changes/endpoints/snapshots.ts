import type * as z from 'zod';
import type { Datamodel } from '../../contract/datamodel.ts';
import type { Table } from '../../contract/table.ts';
import type { Viewpoint } from '../../contract/viewpoint.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { Write } from '../model/operation.ts';

/** Returns the snapshot with one datamodel changed. */
export const withModel = (
  state: Snapshot,
  oid: string,
  change: (model: Datamodel) => Datamodel,
): Snapshot => ({
  ...state,
  datamodels: state.datamodels.map((model) => (model.oid === oid ? change(model) : model)),
});

/** Returns the snapshot with the tables changed of the dataset that a path names. */
export const withTablesOfDataset = (
  state: Snapshot,
  { datamodelId = '', datasetId = '' }: Write['params'],
  change: (tables: readonly Table[]) => readonly Table[],
): Snapshot => withModel(state, datamodelId, (model) => withTables(model, datasetId, change));

export const withTables = (
  model: Datamodel,
  datasetId: string,
  change: (tables: readonly Table[]) => readonly Table[],
): Datamodel => ({
  ...model,
  datasets: (model.datasets ?? []).map((dataset) =>
    dataset.oid === datasetId
      ? { ...dataset, schema: { ...dataset.schema, tables: [...change(dataset.schema?.tables ?? [])] } }
      : dataset,
  ),
});

export const withViewpoints = (
  state: Snapshot,
  change: (viewpoints: readonly Viewpoint[]) => readonly Viewpoint[],
): Snapshot => ({ ...state, viewpoints: state.viewpoints && change(state.viewpoints) });

/** Parses the part of the payload that can be read; the server rejects the rest. */
export function parseValues<T>(schema: z.ZodType<T>, value: unknown): readonly T[] {
  const { data } = schema.safeParse(value);
  return data === undefined ? [] : [data];
}
