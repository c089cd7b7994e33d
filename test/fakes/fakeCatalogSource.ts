import type { CatalogSource } from '../../src/catalog/instanceCatalog.ts';

/** Creates the source of a catalog that answers the given requests; any other request fails. */
export function createFakeCatalogSource(answers: Partial<CatalogSource>): CatalogSource {
  const reject = (name: string) => () => Promise.reject(new Error(`${name} was not expected`));
  return {
    datamodels: reject('datamodels'),
    datamodel: reject('datamodel'),
    datasets: reject('datasets'),
    tables: reject('tables'),
    relations: reject('relations'),
    rules: reject('rules'),
    viewpoints: reject('viewpoints'),
    customData: reject('customData'),
    builds: reject('builds'),
    ...answers,
  };
}
