import { InstanceCatalog } from '../catalog/instanceCatalog.ts';
import type { PlatformClient } from '../client/platformClient.ts';
import { type ViewpointListOptions, createCatalogSource } from './createCatalogSource.ts';

/** Creates the catalog of an instance. In a file of its own, because it is loaded with the first session. */
export const createCatalog = (client: PlatformClient, options: ViewpointListOptions): InstanceCatalog =>
  new InstanceCatalog(createCatalogSource(client, options));
