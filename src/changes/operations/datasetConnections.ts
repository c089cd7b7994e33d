import { toCanonicalText } from '../../base/canonicalJson.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { maskConnectorSettings } from '../../base/secrets/maskSecrets.ts';
import { datasetSchema, getDatasetName, serverConnectionFields } from '../../contract/datamodel.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { asObject, getObjects, getText, omitMembers } from '../model/jsonMembers.ts';

/** A dataset connection of an instance, and the datasets that use it. */
export interface DatasetConnectionUse {
  /** Complete, except that secrets are masked; parameters that are one encrypted text are unchanged. */
  readonly connection: JsonObject;
  readonly provider: string;
  /** The name of the connection, if it has one. */
  readonly name: string;
  /** What it reads: a server with its database, or files. */
  readonly source: string;
  /** The datasets that use it, as pairs of datamodel and dataset names. */
  readonly usedBy: readonly (readonly [datamodel: string, dataset: string])[];
}

/**
 * Returns the distinct connections of all datasets except that of the given dataset; those with the same connector come
 * first. Fields that the server maintains are ignored.
 * @param datamodels the complete list of datamodels, as returned by the server
 */
export function listDatasetConnections(
  datamodels: JsonValue | undefined,
  datasetId: string,
): readonly DatasetConnectionUse[] {
  const uses = getObjects(datamodels).flatMap((datamodel) =>
    getObjects(datamodel['datasets']).flatMap((dataset) => {
      const connection = omitServerFields(asObject(dataset['connection']));
      return getText(connection['provider']) === ''
        ? []
        : { datamodel, dataset, connection, key: toCanonicalText(connection) };
    }),
  );
  const ownUse = uses.find(({ dataset }) => dataset['oid'] === datasetId);
  const ownProvider = ownUse?.connection['provider'];
  return [...Map.groupBy(uses, ({ key }) => key)]
    .filter(([key]) => key !== ownUse?.key)
    .flatMap(([, group]) => {
      const [first] = group;
      return first === undefined
        ? []
        : {
            connection: maskUnlessEncrypted(first.connection),
            provider: getText(first.connection['provider']),
            name: getText(first.connection['name']),
            source: describeSource(first.connection),
            usedBy: group.map(
              ({ datamodel, dataset }) => [getText(datamodel['title']), getDatasetLabel(dataset)] as const,
            ),
          };
    })
    .toSorted((a, b) => Number(b.provider === ownProvider) - Number(a.provider === ownProvider));
}

const omitServerFields = (connection: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(omitMembers(connection, ...serverConnectionFields)).filter(
      ([name]) => !isServerManagedField(name),
    ),
  );

/**
 * Masks secrets, so that the user is asked for them; not parameters that are one encrypted text, which no user knows.
 */
const maskUnlessEncrypted = (connection: JsonObject): JsonObject => {
  const { parameters } = connection;
  return {
    ...asObject(maskConnectorSettings(connection)),
    ...(typeof parameters === 'string' ? { parameters } : {}),
  };
};

function describeSource(connection: JsonObject): string {
  const parameters = asObject(maskUnlessEncrypted(connection)['parameters']);
  const { files } = parameters;
  const fileNames = (Array.isArray(files) ? (files as readonly JsonValue[]) : []).flatMap((file) =>
    typeof file === 'string' ? file : getText(asObject(file)['path']),
  );
  const serverAndDatabase = [parameters['Server'], parameters['Database'] ?? parameters['DefaultDatabase']]
    .map(getText)
    .filter((text) => text !== '');
  const sources = serverAndDatabase.length === 0 ? fileNames : [...fileNames, serverAndDatabase.join('/')];
  return sources.length === 0 ? getText(connection['schema']) : sources.join(', ');
}

const getDatasetLabel = (dataset: JsonObject): string => {
  const { data } = datasetSchema.safeParse(dataset);
  return (data && getDatasetName(data)) ?? getText(dataset['name']);
};
