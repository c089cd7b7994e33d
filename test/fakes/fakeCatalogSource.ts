import type { CatalogSource } from '../../src/catalog/instanceCatalog.ts';

/** Creates a catalog source with the given methods; a call of any other method fails. */
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
