import { join } from 'node:path';
import type * as z from 'zod';
import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { describeFileError } from '../../base/fileErrors.ts';
import { type Message, MessageError, createMessage } from '../../base/localize.ts';
import { createConflictMessage, findConflictMarker } from '../files/conflictMarkers.ts';
import { parseJsonFile } from '../files/jsonFile.ts';
import { type FilePosition, getPathPosition, getPosition } from '../files/project.ts';
import { readTextFile } from '../files/readTextFile.ts';
import { type SchemaViolation, findSchemaViolations } from '../files/schemaViolations.ts';

/** A problem in a settings file. */
export interface SettingsFault {
  /** `undefined` if the problem concerns the whole file. */
  readonly position: FilePosition | undefined;
  /** States what is expected, without path and line. */
  readonly message: Message;
}

/** A settings file of a project can't be used. The message contains its path and line, and what is expected. */
export class SettingsFileError extends MessageError {
  override readonly name = 'SettingsFileError';
  /** The path of the file in its project. */
  readonly path: string;
  /** All problems of the file; the message describes the first. */
  readonly faults: readonly SettingsFault[];

  constructor(path: string, ...faults: readonly [SettingsFault, ...SettingsFault[]]) {
    const [{ position, message }] = faults;
    super(createMessage('{0}: {1}', position === undefined ? path : `${path}:${position.line}`, message));
    this.path = path;
    this.faults = faults;
  }
}

/** How the content of a settings file is checked. */
interface SettingsChecks<T> {
  readonly schema: z.ZodType<T>;
  /** Checks what the schema can't. Runs even if the schema has found problems. */
  readonly findViolations?: (value: JsonValue) => readonly SchemaViolation[];
}

/**
 * Reads a settings file of a project. Comments and trailing commas are allowed.
 * @returns `undefined` if the file does not exist
 * @throws SettingsFileError
 */
export async function readSettingsFile<T>(
  folder: string,
  path: string,
  { schema, findViolations = () => [] }: SettingsChecks<T>,
): Promise<T | undefined> {
  const text = await readText(folder, path);
  if (text === undefined) {
    return undefined;
  }
  const marker = findConflictMarker(text);
  if (marker !== undefined) {
    throw new SettingsFileError(path, {
      position: getPosition(text, marker),
      message: createConflictMessage(),
    });
  }
  const parsed = parseJsonFile(text);
  if ('fault' in parsed) {
    const position = getPosition(text, parsed.fault.offset);
    throw new SettingsFileError(path, { position, message: parsed.fault.message });
  }
  refuseNewerVersion(path, parsed.value, () => getPathPosition(text, parsed.locate(), ['version']));
  const result = schema.safeParse(parsed.value);
  const [first, ...others] = [
    ...findSchemaViolations(schema, parsed.value),
    ...findViolations(parsed.value),
  ].map(({ path: valuePath, message }) => ({
    position: getPathPosition(text, parsed.locate(), valuePath),
    message,
  }));
  if (first !== undefined || !result.success) {
    throw new SettingsFileError(
      path,
      first ?? { position: undefined, message: createMessage('Invalid content.') },
      ...others,
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
      throw new SettingsFileError(path, {
        position: undefined,
        message: createMessage("The file isn't valid UTF-8."),
      });
    case 'unreadable':
      throw new SettingsFileError(path, {
        position: undefined,
        message: createMessage("Can't read the file. {0}", describeFileError(file.code)),
      });
  }
}

/** The version of the format that this release reads and writes. */
export const projectFormatVersion = 1;

/**
 * Requires that the format of a settings file isn't newer than this release.
 * @param getVersionPosition returns the position of the version
 * @throws SettingsFileError
 */
function refuseNewerVersion(path: string, value: JsonValue, getVersionPosition: () => FilePosition): void {
  const version = isJsonObject(value) ? value['version'] : undefined;
  if (typeof version === 'number' && version > projectFormatVersion) {
    throw new SettingsFileError(path, {
      position: getVersionPosition(),
      message: createMessage(
        'The project has format version {0}, but this version of Datamodel Studio reads version {1}. Update Datamodel Studio.',
        version,
        projectFormatVersion,
      ),
    });
  }
}
