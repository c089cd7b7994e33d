import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { maskConnectorSettings } from '../../base/secrets/maskSecrets.ts';
import { compareTexts } from '../../base/sortByText.ts';
import { getText } from '../../changes/model/jsonMembers.ts';
import { getDatasetName } from '../../contract/datamodel.ts';
import { readTableName, readTables } from './identifiers.ts';

/**
 * Returns a name for each dataset of a datamodel. Many datasets have an identifier of the instance as their name; these
 * get the name of their connection, or else `Custom` or the name of their provider. If two datasets would have the same
 * name, the name of their first table is added.
 */
export function nameDatasets(datasets: readonly JsonObject[]): ReadonlyMap<JsonObject, string> {
  const ownNames = datasets.map(readOwnName);
  const baseNames = datasets.map((dataset, index) => ownNames[index] ?? getFallbackName(dataset));
  const counts = new Map<string, number>();
  baseNames.forEach((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
  return new Map(
    datasets.map((dataset, index) => {
      const name = baseNames[index] ?? '';
      const [firstTable] = readTables(dataset).map(readTableName).toSorted(compareTexts);
      const isDerived = getText(dataset['name']) !== name;
      return [
        dataset,
        isDerived && (counts.get(name) ?? 0) > 1 && firstTable !== undefined
          ? `${name} (${firstTable})`
          : name,
      ];
    }),
  );
}

function readOwnName(dataset: JsonObject): string | undefined {
  const { name } = readConnection(dataset);
  return getDatasetName({
    oid: '',
    name: getText(dataset['name']),
    connection: typeof name === 'string' ? { name } : undefined,
  });
}

function getFallbackName(dataset: JsonObject): string {
  const { provider } = readConnection(dataset);
  return dataset['type'] === 'custom' ? 'Custom' : (typeof provider === 'string' && provider) || 'Dataset';
}

/** Returns the connection as files contain it: a part that may be a secret must not become part of a name. */
function readConnection({ connection = null }: JsonObject): JsonObject {
  const masked = maskConnectorSettings(connection);
  return isJsonObject(masked) ? masked : {};
}
