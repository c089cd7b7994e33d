import type { Datamodel } from '../contract/datamodel.ts';
import type { DatamodelSource } from './datamodelCache.ts';

/**
 * Loads a datamodel with its tables and relations: with one request if the server returns all of it, otherwise with
 * several.
 * @param source a catalog, which serves all parts from one response
 */
export async function loadCompleteDatamodel(
  source: DatamodelSource,
  datamodelId: string,
): Promise<Datamodel> {
  const datamodel = await source.datamodel(datamodelId);
  const datasets = await Promise.all(
    (await source.datasets(datamodelId)).map(async (dataset) => ({
      ...dataset,
      schema: { ...dataset.schema, tables: [...(await source.tables(datamodelId, dataset.oid))] },
    })),
  );
  return { ...datamodel, datasets, relations: [...(await source.relations(datamodelId))] };
}
