import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, getMember, isJsonObject, parseLossless } from '../../base/json.ts';
import { isSameAddress } from '../../base/sameAddress.ts';
import { findMaskPaths } from '../../base/secrets/maskPaths.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { maskBody, maskOperation } from '../../changes/model/maskWrite.ts';
import type { Operation, Write } from '../../changes/model/operation.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { parseItemKey } from '../item.ts';
import { type EnvironmentConnections, readEnvironment } from '../settings/projectSettings.ts';
import { SettingsFileError } from '../settings/settingsFile.ts';
import { getVariable, insertVariables, listVariables } from './connections.ts';

/** The environment variables that connections may refer to. */
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Inserts the secrets of new datasets into an operation that was read from its journal, which contains no secrets. The
 * secrets come from the connections that the environment of the applied project has now for these datasets. They stay
 * masked if the environment has another address than the instance, or if anything but the secrets of a connection has
 * changed since.
 * @param options `address`: the address of the instance; `undefined` for the embedded sandbox
 * @throws MissingVariableError if an environment variable of a connection is not set
 */
export async function insertConnectionSecrets(
  operation: Operation,
  { variables, address }: { readonly variables: Variables; readonly address: string | undefined },
): Promise<Operation> {
  const connections = await readConnections(operation, address);
  return {
    ...operation,
    writes: operation.writes.map((write) => {
      const [connection, ...others] = findConnections(write, operation, connections).map((found) =>
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

/**
 * Lists the environment variables that must be set to finish an apply: those of the datasets that it still creates.
 * @param address the address of the instance; `undefined` for the embedded sandbox
 */
export async function listNeededVariables(
  { operation, writeStates: states }: Pick<HistoryEntry, 'operation' | 'writeStates'>,
  address: string | undefined,
): Promise<readonly string[]> {
  const remaining = maskOperation(operation).writes.filter(
    (_write, index) => states[index]?.state !== 'done',
  );
  if (remaining.every(({ body }) => findMaskPaths(body ?? null).length === 0)) {
    return [];
  }
  const connections = await readConnections(operation, address);
  const names = remaining.flatMap((write) =>
    findConnections(write, operation, connections).flatMap(listVariables),
  );
  return [...new Set(names)].toSorted();
}

/**
 * Reads the connections of the environment that a project was applied to; none if it has another address, or the
 * project can't be read.
 */
async function readConnections(
  { project }: Operation,
  address: string | undefined,
): Promise<EnvironmentConnections> {
  if (project === undefined || address === undefined) {
    return {};
  }
  try {
    const { url, connections = {} } = await readEnvironment(project.folder, project.environment);
    return isSameAddress(url, address) ? connections : {};
  } catch (error) {
    if (error instanceof SettingsFileError) {
      return {};
    }
    throw error;
  }
}

/**
 * Finds the connections that a write with masked secrets may create a dataset with. The write has the name of its
 * dataset, and the journal names the datamodels. Several are returned if the apply creates datasets with this name in
 * several datamodels.
 */
function findConnections(
  write: Write,
  { project }: Operation,
  connections: EnvironmentConnections,
): readonly JsonObject[] {
  const { body } = write;
  if (!isJsonObject(body) || findMaskPaths(body).length === 0) {
    return [];
  }
  const { name, connection = null } = body;
  const datamodels = parseLossless(JSON.stringify(connections));
  return (project?.items ?? []).flatMap(({ key: text, content }) => {
    const key = parseItemKey(text);
    if (key?.kind !== 'dataset' || key.dataset !== name || content === undefined) {
      return [];
    }
    const found = getMember(getMember(datamodels, key.datamodel), key.dataset);
    return isJsonObject(found) &&
      jsonEquals(maskBody(write, { ...body, connection: assumeVariables(found, connection) }), body)
      ? [found]
      : [];
  });
}

/** Replaces the variables of a connection with the values that another connection has in the same places. */
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
