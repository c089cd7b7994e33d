import type { Datamodel } from '../contract/datamodel.ts';
import type { Catalog } from './catalog.ts';

/** A datamodel with its tables and relations, however many requests that takes; one where it is answered whole. */
export async function wholeDatamodel(catalog: Catalog, datamodelId: string): Promise<Datamodel> {
  const whole = await catalog.datamodel(datamodelId);
  const datasets = await Promise.all(
    (await catalog.datasets(datamodelId)).map(async (dataset) => ({
      ...dataset,
      schema: { ...dataset.schema, tables: [...(await catalog.tables(datamodelId, dataset.oid))] },
    })),
  );
  return { ...whole, datasets, relations: [...(await catalog.relations(datamodelId))] };
}
