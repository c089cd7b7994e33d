import { join } from 'node:path';
import { type JsonPath, getMember, isJsonObject } from '../../base/json.ts';
import { createMessage } from '../../base/localize.ts';
import { parseJsonFile } from '../files/jsonFile.ts';
import type { FilePosition } from '../files/project.ts';
import { readTextFile } from '../files/readTextFile.ts';
import { FileLocator } from './fileLocator.ts';
import { type Finding, describeUnknownName } from './finding.ts';
import type { ItemNames } from './projectNames.ts';

/** The name of a datamodel or dataset in the connections of an environment, with its position. */
export interface LocatedConnectionName extends FilePosition {
  /** The path of the file in the project. */
  readonly path: string;
  readonly datamodel: string;
  /** Absent for the name of the datamodel. */
  readonly dataset?: string;
}

const connectionsKey = 'connections';

/** Reads the names in the connections of an environment that is valid. */
export async function readConnectionNames(
  folder: string,
  path: string,
): Promise<readonly LocatedConnectionName[]> {
  const file = await readTextFile(join(folder, path));
  const parsed = 'text' in file ? parseJsonFile(file.text) : undefined;
  const connections =
    parsed === undefined || 'fault' in parsed ? undefined : getMember(parsed.value, connectionsKey);
  if (!('text' in file) || !isJsonObject(connections)) {
    return [];
  }
  const locator = new FileLocator(file.text);
  return Object.entries(connections).flatMap(([datamodel, datasets]) => [
    { path, datamodel, ...locator.locateKey([connectionsKey, datamodel]) },
    ...Object.keys(isJsonObject(datasets) ? datasets : {}).map((dataset) => ({
      path,
      datamodel,
      dataset,
      ...locator.locateKey([connectionsKey, datamodel, dataset]),
    })),
  ]);
}

/**
 * Finds the connections of datamodels and datasets that the project doesn't have: nothing uses them. Only warnings,
 * since they may be for what another branch has.
 */
export const findUnknownConnections = (
  names: ItemNames,
  connections: readonly LocatedConnectionName[],
): readonly Finding[] => connections.flatMap((connection) => checkConnection(names, connection));

function checkConnection(
  names: ItemNames,
  { path, line, column, datamodel, dataset }: LocatedConnectionName,
): readonly Finding[] {
  const position = { path, line, column, severity: 'warning' } as const;
  if (dataset === undefined) {
    return names.isDatamodelMissing(datamodel)
      ? [
          {
            ...position,
            code: 'settings/unknown-datamodel',
            ...describeUnknownName(
              createMessage('The project has no datamodel "{0}".', datamodel),
              createUnknownKey([datamodel]),
              names.listDatamodels(),
            ),
            subject: datamodel,
          },
        ]
      : [];
  }
  return names.isDatasetMissing(datamodel, dataset)
    ? [
        {
          ...position,
          code: 'settings/unknown-dataset',
          ...describeUnknownName(
            createMessage('The datamodel has no dataset "{0}".', dataset),
            createUnknownKey([datamodel, dataset]),
            names.listDatasets(datamodel),
          ),
          subject: `${datamodel}/${dataset}`,
        },
      ]
    : [];
}

const createUnknownKey = (path: readonly string[]) => ({
  name: path.at(-1) ?? '',
  path: [connectionsKey, ...path] satisfies JsonPath,
  isKey: true as const,
});
