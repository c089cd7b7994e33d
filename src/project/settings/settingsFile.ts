import { join } from 'node:path';
import type * as z from 'zod';
import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { parseJsonFile } from '../files/jsonFile.ts';
import { type FilePosition, getPathPosition, getPosition } from '../files/project.ts';
import { readTextFile } from '../files/readTextFile.ts';

/** A settings file of a project can't be used. The message has its path and line, and says what is expected. */
export class SettingsFileError extends Error {
  override readonly name = 'SettingsFileError';
  /** The path of the file in its project. */
  readonly path: string;
  /** `undefined` if the whole file is meant. */
  readonly position: FilePosition | undefined;
  /** The message without path and line. */
  readonly problem: string;

  constructor(path: string, position: FilePosition | undefined, problem: string) {
    super(`${position === undefined ? path : `${path}:${position.line}`}: ${problem}`);
    this.path = path;
    this.position = position;
    this.problem = problem;
  }
}

/**
 * Reads a settings file of a project. Comments and trailing commas are allowed.
 * @returns `undefined` if the file does not exist
 * @throws SettingsFileError
 */
export async function readSettingsFile<T>(
  folder: string,
  path: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const text = await readText(folder, path);
  if (text === undefined) {
    return undefined;
  }
  const parsed = parseJsonFile(text);
  if ('fault' in parsed) {
    throw new SettingsFileError(path, getPosition(text, parsed.fault.offset), parsed.fault.message);
  }
  refuseNewerVersion(path, parsed.value);
  const result = schema.safeParse(parsed.value);
  if (!result.success) {
    const [issue] = result.error.issues;
    const issuePath = (issue?.path ?? []).map((key) => (typeof key === 'symbol' ? String(key) : key));
    const property = issuePath.length === 0 ? '' : `"${issuePath.join('.')}": `;
    throw new SettingsFileError(
      path,
      getPathPosition(text, parsed.json, issuePath),
      `${property}${issue === undefined ? 'Invalid value' : issue.message}.`,
    );
  }
  return result.data;
}

async function readText(folder: string, path: string): Promise<string | undefined> {
  const file = await readTextFile(join(folder, path));
  if ('text' in file) {
    return file.text;
  }
  switch (file.fault) {
    case 'missing':
      return undefined;
    case 'invalid-encoding':
      throw new SettingsFileError(path, undefined, 'The file is not valid UTF-8.');
    case 'unreadable':
      throw new SettingsFileError(path, undefined, `Can't read the file (${file.code}).`);
  }
}

/** The version of the format that this release reads and writes. */
export const projectFormatVersion = 1;

function refuseNewerVersion(path: string, value: JsonValue): void {
  const version = isJsonObject(value) ? value['version'] : undefined;
  if (typeof version === 'number' && version > projectFormatVersion) {
    throw new SettingsFileError(
      path,
      undefined,
      `The project has format version ${version}, and this version of Datamodel Studio reads version ${projectFormatVersion}. Update Datamodel Studio.`,
    );
  }
}
