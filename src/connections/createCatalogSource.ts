import type { PlatformClient } from '../client/platformClient.ts';
import type { CatalogSource } from '../catalog/instanceCatalog.ts';

/**
 * Provides the catalog with data through the client.
 * @param getPageSize how many viewpoints are requested at once
 */
export function createCatalogSource(client: PlatformClient, getPageSize: () => number): CatalogSource {
  return {
    datamodels: async () => (await client.datamodels.listSummaries()).value,
    datamodel: async (datamodelId) => (await client.datamodels.get({ datamodelId })).value,
    datasets: async (datamodelId) => (await client.datasets.list({ datamodelId })).value,
    tables: async (datamodelId, datasetId) => (await client.tables.list({ datamodelId, datasetId })).value,
    relations: async (datamodelId) => (await client.relations.list({ datamodelId })).value,
    rules: async (subject) =>
      subject.kind === 'live'
        ? (await client.liveRules.list({ title: subject.title })).value
        : (await client.extractRules.list({ server: subject.server, elasticube: subject.elasticube })).value,
    viewpoints: async (offset, minCount) => {
      const limit = Math.max(getPageSize(), minCount);
      return (await client.viewpoints.list({ with: 'visibility', offset, limit })).value;
    },
    customData: async () => (await client.customData.list()).value,
    builds: async () => (await client.builds.list()).value,
  };
}
