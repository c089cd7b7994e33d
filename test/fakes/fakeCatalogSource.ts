import type { CatalogSource } from '../../src/catalog/instanceCatalog.ts';

/** Creates a catalog source with the given methods; a call of any other method fails. */
export function createFakeCatalogSource(methods: Partial<CatalogSource>): CatalogSource {
  const createRejectingMethod = (name: string) => () => Promise.reject(new Error(`${name} was not expected`));
  return {
    datamodels: createRejectingMethod('datamodels'),
    datamodel: createRejectingMethod('datamodel'),
    datasets: createRejectingMethod('datasets'),
    tables: createRejectingMethod('tables'),
    relations: createRejectingMethod('relations'),
    rules: createRejectingMethod('rules'),
    viewpoints: createRejectingMethod('viewpoints'),
    customData: createRejectingMethod('customData'),
    builds: createRejectingMethod('builds'),
    ...methods,
  };
}
