import { type JsonObject, type JsonValue, isJsonObject } from '../../../../src/base/json.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { ChangeFixture } from '../run/support.ts';

/** The fields that the server generates, or generates again for an item that is restored under another ID. */
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
]);

/**
 * The entire content of the instance, with IDs replaced by names, so that a deleted and recreated item compares equal.
 * Columns of custom tables are left out: a build creates them.
 */
export async function readInstanceContent({ sandbox }: ChangeFixture): Promise<JsonValue> {
  const readBody = async (path: string): Promise<JsonValue> =>
    (await sandbox.send('GET', path)).body as JsonValue;
  const models = filterObjects(await readBody('/api/v2/datamodels'));
  const names = new Map<JsonValue, string>();
  for (const model of models) {
    for (const dataset of filterObjects(model['datasets'])) {
      names.set(dataset['oid'] ?? '', getText(dataset['name']));
      for (const table of getTables(dataset)) {
        names.set(table['oid'] ?? '', getText(table['name']));
        for (const column of filterObjects(table['columns'])) {
          names.set(column['oid'] ?? '', `${getText(table['name'])}.${getText(column['name'])}`);
        }
      }
    }
  }
  const viewpoints = await readBody('/api/v1/infusion/viewpoints?with=visibility,details&limit=1000');
  return normalize(
    {
      models,
      retailRules: await readBody('/api/elasticubes/LocalHost/Retail/datasecurity'),
      supportRules: await readBody('/api/v1/elasticubes/live/Support%20Desk/datasecurity'),
      viewpoints: isJsonObject(viewpoints) ? (viewpoints['viewpoints'] ?? null) : null,
      customData: await readBody('/api/v1/custom_data'),
    },
    names,
  );
}

const filterObjects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

const getTables = (dataset: JsonObject): readonly JsonObject[] =>
  isJsonObject(dataset['schema']) ? filterObjects(dataset['schema']['tables']) : [];

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
  // Parties are identified by their own IDs, which stay.
  const shares = filterObjects(value['shares']).map(({ party, partyId, type }) => [
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

/** Columns and members are in the author's order; the order of anything else is up to the server. */
const isOrdered = (key: string): boolean => key === 'columns' || key === 'members';
