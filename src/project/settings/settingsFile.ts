import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as z from 'zod';
import { decodeUtf8 } from '../../base/decodeText.ts';
import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { getPathRange } from '../../json/text/pathRange.ts';
import { parseJsonFile } from '../files/jsonFile.ts';

/** A settings file of a project can't be used. The message has its path and line, and says what is expected. */
export class SettingsFileError extends Error {
  override readonly name = 'SettingsFileError';
  /** The path of the file in its project. */
  readonly path: string;

  constructor(path: string, line: number | undefined, message: string) {
    super(`${line === undefined ? path : `${path}:${line}`}: ${message}`);
    this.path = path;
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
  const getLine = (offset: number): number => text.slice(0, offset).split(/\r\n?|\n/).length;
  const parsed = parseJsonFile(text);
  if ('fault' in parsed) {
    throw new SettingsFileError(path, getLine(parsed.fault.offset), parsed.fault.message);
  }
  refuseNewerVersion(path, parsed.value);
  const result = schema.safeParse(parsed.value);
  if (!result.success) {
    const [issue] = result.error.issues;
    const issuePath = (issue?.path ?? []).map((key) => (typeof key === 'symbol' ? String(key) : key));
    const property = issuePath.length === 0 ? '' : `"${issuePath.join('.')}": `;
    throw new SettingsFileError(
      path,
      getLine(getPathRange(parsed.json, issuePath).start),
      `${property}${issue === undefined ? 'Invalid value' : issue.message}.`,
    );
  }
  return result.data;
}

async function readText(folder: string, path: string): Promise<string | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(join(folder, path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    if (code === 'ENOENT') {
      return undefined;
    }
    throw new SettingsFileError(path, undefined, `Can't read the file (${code}).`);
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    throw new SettingsFileError(path, undefined, 'The file is not valid UTF-8.');
  }
  return text;
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
