import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { MessageError, createMessage } from '../../base/localize.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';

/** An environment variable that the connection of an environment needs is not set. */
export class MissingVariableError extends MessageError {
  override readonly name = 'MissingVariableError';
  readonly variable: string;

  constructor(variable: string) {
    super(createMessage("The environment variable {0} isn't set.", variable));
    this.variable = variable;
  }
}

/**
 * Returns whether a connection is to an uploaded file. Such a connection has no address and no account, so it can be
 * created as the project has it. Every other connection is different in each environment (decisions.md, "Projects").
 */
export const isFileConnection = (connection: JsonObject): boolean =>
  typeof connection['fileName'] === 'string' && connection['fileName'] !== '';

/**
 * Returns the names of the uploaded files that a connection reads. An apply creates the connection, and not the files
 * (decisions.md, "Projects").
 */
export function getUploadedFiles(connection: JsonObject): readonly string[] {
  const { fileName, parameters } = connection;
  if (typeof fileName !== 'string' || fileName === '') {
    return [];
  }
  const files = getMember(parameters, 'files');
  return isJsonArray(files) && files.length > 0
    ? files.filter((file) => typeof file === 'string')
    : [fileName];
}

/**
 * Returns a connection with its secrets: `{"$env": "NAME"}` stands for the value of an environment variable.
 * @throws MissingVariableError
 */
export function insertVariables(
  connection: JsonObject,
  env: Readonly<Record<string, string | undefined>>,
): JsonObject {
  const insert = (value: JsonValue): JsonValue => {
    if (isJsonArray(value)) {
      return value.map(insert);
    }
    if (!isJsonObject(value)) {
      return value;
    }
    const { $env: variable } = value;
    if (typeof variable === 'string') {
      const text = env[variable];
      if (text === undefined || text === '') {
        throw new MissingVariableError(variable);
      }
      return text;
    }
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, insert(member)]));
  };
  const inserted = insert(connection);
  return isJsonObject(inserted) ? inserted : connection;
}

/** Returns the name of the environment variable that an object stands for. */
export const getVariable = (value: JsonObject): string | undefined =>
  typeof value['$env'] === 'string' ? value['$env'] : undefined;

/** Lists the names of the environment variables in a connection. */
export function listVariables(connection: JsonValue): readonly string[] {
  if (isJsonArray(connection)) {
    return connection.flatMap(listVariables);
  }
  if (!isJsonObject(connection)) {
    return [];
  }
  const variable = getVariable(connection);
  return variable === undefined ? Object.values(connection).flatMap(listVariables) : [variable];
}
