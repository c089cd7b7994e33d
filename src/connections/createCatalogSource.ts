import type { PlatformClient } from '../client/platformClient.ts';
import type { Viewpoint } from '../contract/viewpoint.ts';
import type { CatalogSource } from '../catalog/instanceCatalog.ts';

/** What is requested of the list of viewpoints. */
export interface ViewpointListOptions {
  /** How many viewpoints are requested at once. */
  readonly getPageSize: () => number;
  /** Whether viewpoints are requested with their data source, which lists leave out (rest-api.md, "Viewpoint"). */
  readonly needsDatasources?: () => boolean;
}

/** Provides the catalog with data through the client. */
export function createCatalogSource(
  client: PlatformClient,
  { getPageSize, needsDatasources = () => false }: ViewpointListOptions,
): CatalogSource {
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
      if (!needsDatasources()) {
        return (await client.viewpoints.list({ with: 'visibility', offset, limit })).value;
      }
      const page = (await client.viewpoints.list({ with: ['visibility', 'details'], offset, limit })).value;
      return { ...page, viewpoints: page.viewpoints.map(withDatasourceOnly) };
    },
    customData: async () => (await client.customData.list()).value,
    builds: async () => (await client.builds.list()).value,
  };
}

/** Removes the columns of a viewpoint, which are most of it: the list of an instance may have many thousands. */
function withDatasourceOnly({ details, ...viewpoint }: Viewpoint): Viewpoint {
  const datasource = details?.datasource;
  return datasource === undefined ? viewpoint : { ...viewpoint, details: { datasource } };
}
