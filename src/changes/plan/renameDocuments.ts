import type { PlatformClient } from '../../client/platformClient.ts';
import type { Answer } from '../../client/answer.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { ruleSubjectOf } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import { itemsOf } from '../model/read.ts';
import type { RenameState } from './rename/renameState.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { viewpointDocuments } from '../model/viewpointDocuments.ts';
import { ofViewpoints } from '../model/viewpointService.ts';

/**
 * The documents that a rename in a datamodel may touch, as the server has them now and without loss. Unlike a plan, a
 * rename that could not look at a part is not offered: a rule left on the old name protects nothing.
 * @returns `undefined` when the datamodel is gone
 * @throws ApiError
 */
export async function readRenameState(
  client: PlatformClient,
  datamodelId: string,
  signal?: AbortSignal,
): Promise<RenameState | undefined> {
  const reader = new DocumentReader(client, signal);
  const model = await wholeModel(client, reader, datamodelId);
  if (model === undefined) {
    return undefined;
  }
  const subject = ruleSubjectOf(datamodelSchema.parse(model));
  const [rules, viewpoints] = await Promise.all([
    reader.document({ kind: 'rules', subject }),
    ofViewpoints(() => viewpointDocuments(client, { with: 'details' }, signal)),
  ]);
  return { model, rules: itemsOf(rules), viewpoints };
}

/** Some instances answer a datamodel without what it holds (platform-facts 2.1): then each list is asked for. */
async function wholeModel(
  client: PlatformClient,
  reader: DocumentReader,
  datamodelId: string,
): Promise<JsonObject | undefined> {
  const model = await reader.document({ kind: 'datamodel', datamodelId });
  if (!isJsonObject(model)) {
    return undefined;
  }
  const list = ({ json }: Answer<unknown>) => itemsOf(json);
  const datasets = Array.isArray(model['datasets'])
    ? itemsOf(model['datasets'])
    : list(await client.datasets.list({ datamodelId }));
  const withTables = datasets.map(async (dataset): Promise<JsonObject> => {
    const { schema, oid } = dataset;
    if (isJsonObject(schema) && Array.isArray(schema['tables'])) {
      return dataset;
    }
    const datasetId = typeof oid === 'string' ? oid : '';
    return { ...dataset, schema: { tables: list(await client.tables.list({ datamodelId, datasetId })) } };
  });
  return { ...model, datasets: await Promise.all(withTables) };
}
