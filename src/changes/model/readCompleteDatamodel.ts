import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import type { ApiResponse } from '../../client/apiResponse.ts';
import { PartialResponseError } from '../../client/errors.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { asObject, getObjects, getText } from './jsonMembers.ts';

/** Reads the items of a list. */
type ItemReader = (response: Promise<ApiResponse<unknown>>) => Promise<readonly JsonObject[]>;

type ListClient = Pick<PlatformClient, 'datasets' | 'tables' | 'relations'>;

/**
 * Reads a datamodel with its datasets, tables and relations, without loss.
 * @throws ApiError, also if a part of it can't be read
 */
export async function readCompleteDatamodel(
  client: ListClient & Pick<PlatformClient, 'datamodels'>,
  datamodelId: string,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const model = asObject((await client.datamodels.get({ datamodelId }, signal)).json);
  return completeDatamodel(client, model, { datamodelId }, signal);
}

/**
 * Adds the datasets, tables and relations that the document of a datamodel lacks, with a request for each list: some
 * instances omit them (platform-facts.md, 2.1). Empty lists are not added, so that a new datamodel stays as it is.
 * @param readItems by default, fails if an item is invalid
 * @throws ApiError
 */
export async function completeDatamodel(
  client: ListClient,
  model: JsonObject,
  path: { readonly datamodelId: string },
  signal?: AbortSignal,
  readItems: ItemReader = readAllItems,
): Promise<JsonObject> {
  const datasets = isListOfObjects(model['datasets'])
    ? getObjects(model['datasets'])
    : await readItems(client.datasets.list(path, signal));
  const withTables = datasets.map(async (dataset): Promise<JsonObject> => {
    const { schema, oid } = dataset;
    if (Array.isArray(asObject(schema)['tables'])) {
      return dataset;
    }
    const tables = await readItems(client.tables.list({ ...path, datasetId: getText(oid) }, signal));
    return tables.length === 0 ? dataset : { ...dataset, schema: { ...asObject(schema), tables } };
  });
  const relations = isListOfObjects(model['relations'])
    ? []
    : await readItems(client.relations.list(path, signal));
  return {
    ...model,
    ...(datasets.length === 0 ? {} : { datasets: await Promise.all(withTables) }),
    ...(relations.length === 0 ? {} : { relations }),
  };
}

/** Returns false for a list of IDs, which some servers return in place of the objects (platform-facts.md, 2.2). */
const isListOfObjects = (value: JsonValue | undefined): boolean =>
  Array.isArray(value) && (value as readonly JsonValue[]).every(isJsonObject);

async function readAllItems(response: Promise<ApiResponse<unknown>>): Promise<readonly JsonObject[]> {
  return getObjects((await response).json);
}

/** Also accepts a list with invalid items, which are only compared and stored as JSON. */
export const readItemsAsJson: ItemReader = (response) =>
  readAllItems(response).catch((error: unknown) => {
    if (error instanceof PartialResponseError) {
      return getObjects(error.response.json);
    }
    throw error;
  });
