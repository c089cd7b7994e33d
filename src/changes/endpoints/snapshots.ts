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

/** Returns the snapshot with the tables of one dataset changed. */
export const withTablesOfDataset = (
  state: Snapshot,
  { datamodelId = '', datasetId = '' }: Write['params'],
  change: (tables: readonly Table[]) => readonly Table[],
): Snapshot => withModel(state, datamodelId, (model) => withTables(model, datasetId, change));

/** Returns the datamodel with the tables of one dataset changed. */
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

/** Returns the snapshot with the viewpoints changed, if they are known. */
export const withViewpoints = (
  state: Snapshot,
  change: (viewpoints: readonly Viewpoint[]) => readonly Viewpoint[],
): Snapshot => ({ ...state, viewpoints: state.viewpoints && change(state.viewpoints) });

/** Parses a value and returns it as an array; empty if it is invalid, since the server would reject it. */
export function parseOptional<T>(schema: z.ZodType<T>, value: unknown): readonly T[] {
  const { data } = schema.safeParse(value);
  return data === undefined ? [] : [data];
}
