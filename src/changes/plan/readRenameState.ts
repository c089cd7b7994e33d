import type { PlatformClient } from '../../client/platformClient.ts';
import type { ApiResponse } from '../../client/apiResponse.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { getRuleSubject } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import { getObjects } from '../model/readJson.ts';
import type { RenameState } from './rename/renameState.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { readViewpointDocuments } from '../model/readViewpointDocuments.ts';
import { loadViewpointsIfOffered } from '../model/loadViewpointsIfOffered.ts';

/**
 * Reads the current documents that a rename in a datamodel may affect, without loss. Unlike a plan, fails if a part
 * can't be read: a rule left on the old name would protect nothing.
 * @returns `undefined` if the datamodel no longer exists
 * @throws ApiError
 */
export async function readRenameState(
  client: PlatformClient,
  datamodelId: string,
  signal?: AbortSignal,
): Promise<RenameState | undefined> {
  const reader = new DocumentReader(client, signal);
  const model = await readCompleteDatamodel(client, reader, datamodelId);
  if (model === undefined) {
    return undefined;
  }
  const subject = getRuleSubject(datamodelSchema.parse(model));
  const [rules, viewpoints] = await Promise.all([
    reader.readDocument({ kind: 'rules', subject }),
    loadViewpointsIfOffered(() => readViewpointDocuments(client, { with: 'details' }, signal)),
  ]);
  return { model, rules: getObjects(rules), viewpoints };
}

/** Reads a datamodel with its contents. If an instance omits them (platform-facts.md, 2.1), requests each list. */
async function readCompleteDatamodel(
  client: PlatformClient,
  reader: DocumentReader,
  datamodelId: string,
): Promise<JsonObject | undefined> {
  const model = await reader.readDocument({ kind: 'datamodel', datamodelId });
  if (!isJsonObject(model)) {
    return undefined;
  }
  const getItems = ({ json }: ApiResponse<unknown>) => getObjects(json);
  const datasets = Array.isArray(model['datasets'])
    ? getObjects(model['datasets'])
    : getItems(await client.datasets.list({ datamodelId }));
  const withTables = datasets.map(async (dataset): Promise<JsonObject> => {
    const { schema, oid } = dataset;
    if (isJsonObject(schema) && Array.isArray(schema['tables'])) {
      return dataset;
    }
    const datasetId = typeof oid === 'string' ? oid : '';
    return { ...dataset, schema: { tables: getItems(await client.tables.list({ datamodelId, datasetId })) } };
  });
  return { ...model, datasets: await Promise.all(withTables) };
}
