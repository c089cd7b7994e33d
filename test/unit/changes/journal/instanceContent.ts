import { type JsonObject, type JsonValue, isJsonObject } from '../../../../src/base/json.ts';
import { getText } from '../../../../src/changes/model/readJson.ts';
import type { ChangeFixture } from '../run/support.ts';

/** The fields that the server generates, or generates again for an item restored under another id. */
const ignoredFields: ReadonlySet<string> = new Set([
  'oid',
  '_id',
  'id',
  'vTag',
  'lastUpdated',
  'createdAt',
  'updatedAt',
  'updatedBy',
  'created',
  'lastModified',
  'createdBy',
  'fullname',
  'creator',
  'shares',
  'tenant',
  'tenantId',
  'server',
  'serverId',
  'isDropped',
  'owner',
  'ownerId',
  'createdByUser',
  'connectionPermissions',
  'autoRefresh',
  'protectedParameters',
  'schedule',
  'autoRefresh',
  'protectedParameters',
]);

/**
 * The entire content of the instance, with ids replaced by names, so that a deleted and recreated item compares equal.
 * Columns of custom tables are left out: a build creates them.
 */
export async function readInstanceContent({ sandbox }: ChangeFixture): Promise<JsonValue> {
  const get = async (path: string): Promise<JsonValue> => (await sandbox.send('GET', path)).body as JsonValue;
  const models = list(await get('/api/v2/datamodels'));
  const names = new Map<JsonValue, string>();
  for (const model of models) {
    for (const dataset of list(model['datasets'])) {
      names.set(dataset['oid'] ?? '', getText(dataset['name']));
      for (const table of tablesIn(dataset)) {
        names.set(table['oid'] ?? '', getText(table['name']));
        for (const column of list(table['columns'])) {
          names.set(column['oid'] ?? '', `${getText(table['name'])}.${getText(column['name'])}`);
        }
      }
    }
  }
  const viewpoints = await get('/api/v1/infusion/viewpoints?with=visibility,details&limit=1000');
  return normalize(
    {
      models,
      retailRules: await get('/api/elasticubes/LocalHost/Retail/datasecurity'),
      supportRules: await get('/api/v1/elasticubes/live/Support%20Desk/datasecurity'),
      viewpoints: isJsonObject(viewpoints) ? (viewpoints['viewpoints'] ?? null) : null,
      customData: await get('/api/v1/custom_data'),
    },
    names,
  );
}

const list = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

const tablesIn = (dataset: JsonObject): readonly JsonObject[] =>
  isJsonObject(dataset['schema']) ? list(dataset['schema']['tables']) : [];

function normalize(value: JsonValue, names: ReadonlyMap<JsonValue, string>, key = ''): JsonValue {
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => normalize(item, names));
    return isOrdered(key) ? items : items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (!isJsonObject(value)) {
    return names.get(value) ?? value;
  }
  const members = Object.entries(value).filter(
    ([name]) => !ignoredFields.has(name) && !(name === 'columns' && value['type'] === 'custom'),
  );
  // Parties are identified by their own ids, which stay.
  const shares = list(value['shares']).map(({ party, partyId, type }) => [
    getText(party ?? partyId),
    getText(type),
  ]);
  return {
    ...Object.fromEntries(
      members
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, member]) => [name, normalize(member, names, name)]),
    ),
    ...(shares.length === 0 || 'connection' in value || 'datasets' in value
      ? {}
      : { parties: shares.map((share) => share.join()).sort() }),
  };
}

/** The order of columns is the author's; any other order is the server's. */
const isOrdered = (key: string): boolean => key === 'columns' || key === 'members';
