import type { JsonObject } from '../../base/json.ts';
import { compareTexts } from '../../base/sortByText.ts';
import { getText } from '../../changes/model/readJson.ts';
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

function readOwnName({ name, connection }: JsonObject): string | undefined {
  const connectionName =
    typeof connection === 'object' && connection !== null && 'name' in connection
      ? connection['name']
      : undefined;
  return getDatasetName({
    oid: '',
    name: getText(name),
    connection: typeof connectionName === 'string' ? { name: connectionName } : undefined,
  });
}

function getFallbackName({ type, connection }: JsonObject): string {
  const provider =
    typeof connection === 'object' && connection !== null && 'provider' in connection
      ? connection['provider']
      : undefined;
  return type === 'custom' ? 'Custom' : (typeof provider === 'string' && provider) || 'Dataset';
}
