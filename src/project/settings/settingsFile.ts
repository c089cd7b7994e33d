import { join } from 'node:path';
import type * as z from 'zod';
import { type JsonPath, type JsonValue, isJsonObject } from '../../base/json.ts';
import { parseJsonFile } from '../files/jsonFile.ts';
import { type FilePosition, getPathPosition, getPosition } from '../files/project.ts';
import { readTextFile } from '../files/readTextFile.ts';

/** A problem in a settings file. */
export interface SettingsFault {
  /** `undefined` if the problem concerns the whole file. */
  readonly position: FilePosition | undefined;
  /** A message that states what is expected, without path and line. */
  readonly problem: string;
}

/** A settings file of a project can't be used. The message contains its path and line, and what is expected. */
export class SettingsFileError extends Error {
  override readonly name = 'SettingsFileError';
  /** The path of the file in its project. */
  readonly path: string;
  /** All problems of the file; the message describes the first. */
  readonly faults: readonly SettingsFault[];

  constructor(path: string, ...faults: readonly [SettingsFault, ...SettingsFault[]]) {
    const [{ position, problem }] = faults;
    super(`${position === undefined ? path : `${path}:${position.line}`}: ${problem}`);
    this.path = path;
    this.faults = faults;
  }
}

/** How the content of a settings file is checked. */
interface SettingsChecks<T> {
  readonly schema: z.ZodType<T>;
  /** Checks what the schema can't. Runs even if the schema has found problems. */
  readonly findFaults?: (
    value: JsonValue,
  ) => readonly { readonly path: JsonPath; readonly problem: string }[];
}

/**
 * Reads a settings file of a project. Comments and trailing commas are allowed.
 * @returns `undefined` if the file does not exist
 * @throws SettingsFileError
 */
export async function readSettingsFile<T>(
  folder: string,
  path: string,
  { schema, findFaults = () => [] }: SettingsChecks<T>,
): Promise<T | undefined> {
  const text = await readText(folder, path);
  if (text === undefined) {
    return undefined;
  }
  const parsed = parseJsonFile(text);
  if ('fault' in parsed) {
    const position = getPosition(text, parsed.fault.offset);
    throw new SettingsFileError(path, { position, problem: parsed.fault.message });
  }
  refuseNewerVersion(path, parsed.value);
  const result = schema.safeParse(parsed.value);
  const [first, ...others] = [
    ...(result.error?.issues ?? []).flatMap(describeIssue),
    ...findFaults(parsed.value),
  ].map((fault) => ({
    position: getPathPosition(text, parsed.locate(), fault.path),
    problem: fault.problem,
  }));
  if (first !== undefined || !result.success) {
    throw new SettingsFileError(
      path,
      first ?? { position: undefined, problem: 'Invalid content.' },
      ...others,
    );
  }
  return result.data;
}

/** Describes each unknown member separately, because each has its own line. */
function describeIssue(issue: z.core.$ZodIssue): readonly { path: JsonPath; problem: string }[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], problem: `Unknown member "${key}".` }));
  }
  if (issue.code === 'invalid_value') {
    const expected = issue.values.map((value) => JSON.stringify(value)).join(', ');
    return [{ path, problem: `"${path.join('.')}" has an unknown value. Expected: ${expected}.` }];
  }
  return [{ path, problem: `${path.length === 0 ? '' : `"${path.join('.')}": `}${issue.message}.` }];
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
      throw new SettingsFileError(path, { position: undefined, problem: 'The file is not valid UTF-8.' });
    case 'unreadable':
      throw new SettingsFileError(path, {
        position: undefined,
        problem: `Can't read the file (${file.code}).`,
      });
  }
}

/** The version of the format that this release reads and writes. */
export const projectFormatVersion = 1;

function refuseNewerVersion(path: string, value: JsonValue): void {
  const version = isJsonObject(value) ? value['version'] : undefined;
  if (typeof version === 'number' && version > projectFormatVersion) {
    throw new SettingsFileError(path, {
      position: undefined,
      problem: `The project has format version ${version}, and this version of Datamodel Studio reads version ${projectFormatVersion}. Update Datamodel Studio.`,
    });
  }
}
