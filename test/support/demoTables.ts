import type { PlatformClient } from '../../src/client/platformClient.ts';

/** Finds a table of the demo's datamodel Retail, and the keys that identify it in requests. */
export async function findRetailTable(client: PlatformClient, name: string) {
  const models = (await client.datamodels.list()).value;
  const datamodelId = models.find(({ title }) => title === 'Retail')?.oid ?? '';
  for (const { oid: datasetId } of (await client.datasets.list({ datamodelId })).value) {
    const tables = (await client.tables.list({ datamodelId, datasetId })).value;
    const table = tables.find((candidate) => candidate.name === name);
    if (table !== undefined) {
      return { table, keys: { datamodelId, datasetId, tableId: table.oid } };
    }
  }
  throw new Error(`The demo has no table ${name}`);
}

/** Returns the description of a table of Retail. */
export const readTableDescription = async (client: PlatformClient, name: string): Promise<unknown> =>
  (await findRetailTable(client, name)).table.description;

/** Changes the description of a table of Retail. */
export async function updateTableDescription(
  client: PlatformClient,
  name: string,
  description: string,
): Promise<void> {
  const { keys } = await findRetailTable(client, name);
  await client.tables.update(keys, { description });
}
