import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, getMember, isJsonObject, parseLossless } from '../../base/json.ts';
import { findMaskedPaths } from '../../base/secrets/maskedPaths.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { maskBody, maskOperation } from '../../changes/model/maskWrite.ts';
import type { Operation, Write } from '../../changes/model/operation.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { type EnvironmentConnections, readEnvironment } from '../settings/projectSettings.ts';
import { SettingsFileError } from '../settings/settingsFile.ts';
import { insertVariables } from './connections.ts';

/** The environment variables that connections may refer to. */
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Inserts the secrets of new datasets into an operation that was read from its journal, which contains no secrets: those
 * of the connections that the environment of the applied project has now. A connection that has changed since, except
 * for its secrets, isn't used; then the secrets stay masked.
 * @throws MissingVariableError if an environment variable of a connection is not set
 */
export async function insertConnectionSecrets(
  operation: Operation,
  variables: Variables,
): Promise<Operation> {
  const connections = await readConnections(operation);
  return {
    ...operation,
    writes: operation.writes.map((write) => {
      const [connection, ...others] = findConnections(write, connections).map((found) =>
        insertVariables(found, variables),
      );
      const body = connection && isJsonObject(write.body) ? { ...write.body, connection } : undefined;
      return body !== undefined &&
        others.every((other) => jsonEquals(other, connection ?? null)) &&
        jsonEquals(maskBody(write, body), write.body ?? null)
        ? { ...write, body }
        : write;
    }),
  };
}

/** Lists the environment variables that must be set to finish an apply: those of the datasets that it still creates. */
export async function listNeededVariables({
  operation,
  writes: states,
}: Pick<HistoryEntry, 'operation' | 'writes'>): Promise<readonly string[]> {
  const remaining = maskOperation(operation).writes.filter(
    (_write, index) => states[index]?.state !== 'done',
  );
  if (remaining.every(({ body }) => findMaskedPaths(body ?? null).length === 0)) {
    return [];
  }
  const connections = await readConnections(operation);
  const names = remaining.flatMap((write) => findConnections(write, connections).flatMap(listVariables));
  return [...new Set(names)].toSorted();
}

/** Reads the connections of the environment that a project was applied to; none if the project can't be read. */
async function readConnections({ project }: Operation): Promise<EnvironmentConnections> {
  if (project === undefined) {
    return {};
  }
  try {
    return (await readEnvironment(project.folder, project.environment)).connections ?? {};
  } catch (error) {
    if (error instanceof SettingsFileError) {
      return {};
    }
    throw error;
  }
}

/** Finds the connections, in any datamodel, that a write with masked secrets may create a dataset with. */
function findConnections(write: Write, connections: EnvironmentConnections): readonly JsonObject[] {
  const { body } = write;
  if (!isJsonObject(body) || findMaskedPaths(body).length === 0) {
    return [];
  }
  const { name, connection = null } = body;
  const datamodels = parseLossless(JSON.stringify(connections));
  return Object.values(isJsonObject(datamodels) ? datamodels : {}).flatMap((datasets) => {
    const found = typeof name === 'string' ? getMember(datasets, name) : undefined;
    return isJsonObject(found) &&
      jsonEquals(maskBody(write, { ...body, connection: assumeVariables(found, connection) }), body)
      ? [found]
      : [];
  });
}

const getVariable = (value: JsonObject): string | undefined =>
  typeof value['$env'] === 'string' ? value['$env'] : undefined;

/** Returns a connection whose variables have the values that another one has in their places. */
function assumeVariables(connection: JsonValue, other: JsonValue | undefined): JsonValue {
  if (isJsonArray(connection)) {
    return connection.map((entry, index) =>
      assumeVariables(entry, isJsonArray(other) ? other[index] : undefined),
    );
  }
  if (!isJsonObject(connection)) {
    return connection;
  }
  return getVariable(connection) === undefined
    ? Object.fromEntries(
        Object.entries(connection).map(([name, value]) => [
          name,
          assumeVariables(value, getMember(other, name)),
        ]),
      )
    : (other ?? null);
}

function listVariables(connection: JsonValue): readonly string[] {
  if (isJsonArray(connection)) {
    return connection.flatMap(listVariables);
  }
  if (!isJsonObject(connection)) {
    return [];
  }
  const variable = getVariable(connection);
  return variable === undefined ? Object.values(connection).flatMap(listVariables) : [variable];
}
