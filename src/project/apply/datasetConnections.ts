import { type JsonObject, getMember, isJsonObject, parseLossless } from '../../base/json.ts';
import type { Write } from '../../changes/model/operation.ts';
import type { EnvironmentConnections } from '../settings/projectSettings.ts';
import { insertVariables, listVariables } from './connections.ts';

/**
 * The connections that an environment has for new datasets. Their secrets are inserted only into writes that are sent,
 * so comparing and planning need none, and the hash of a plan doesn't depend on them.
 */
export class DatasetConnections {
  readonly #connections: EnvironmentConnections;
  /** Only these may contain variables: the files of a project don't decide which secrets are sent where. */
  readonly #used = new Set<JsonObject>();

  constructor(connections: EnvironmentConnections) {
    this.#connections = connections;
  }

  /** The names of the environment variables in the connections that were found, in the order of their places. */
  get variables(): readonly string[] {
    return [...this.#used].flatMap(listVariables);
  }

  /** Returns the connection of a new dataset, with `{"$env": "NAME"}` for its secrets; `undefined` if it has none. */
  find(datamodel: string, dataset: string): JsonObject | undefined {
    const connections = parseLossless(JSON.stringify(this.#connections));
    const connection = getMember(getMember(connections, datamodel), dataset);
    if (!isJsonObject(connection)) {
      return undefined;
    }
    this.#used.add(connection);
    return connection;
  }

  /**
   * Inserts the values of environment variables into a write that creates a dataset with a connection that was found.
   * @throws MissingVariableError
   */
  insertVariables(write: Write, env: Readonly<Record<string, string | undefined>>): Write {
    const { body } = write;
    const connection = getMember(body, 'connection');
    return isJsonObject(body) && isJsonObject(connection) && this.#used.has(connection)
      ? { ...write, body: { ...body, connection: insertVariables(connection, env) } }
      : write;
  }
}
