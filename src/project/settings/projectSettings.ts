import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type ConnectionRole, connectionRoles } from '../../connections/connection.ts';
import { formatJsonFile } from '../files/jsonFile.ts';
import { type Selection, createNameMatcher } from '../source/selection.ts';
import { projectFormatVersion, readSettingsFile, SettingsFileError } from './settingsFile.ts';

/** The file that makes a folder a project. */
export const projectFileName = 'datamodel-studio.json';

const patterns = z.array(z.string().min(1));

const manageSchema = z.strictObject({
  datamodels: patterns
    .default(['*'])
    .describe('Titles of the datamodels, with their rules. `*` matches any characters.'),
  viewpoints: patterns.default(['*']).describe('Names of the viewpoints. `*` matches any characters.'),
  cubeSets: z
    .array(z.string().min(1))
    .default([])
    .describe('Names of the cube sets whose rules are managed.'),
});

/** The content of `datamodel-studio.json`. */
export const projectSettingsSchema = z.strictObject({
  version: z.literal(projectFormatVersion).describe('The version of the format of the project.'),
  manage: manageSchema.prefault({}).describe('What the project manages. Everything else is left alone.'),
});

export type ProjectSettings = z.infer<typeof projectSettingsSchema>;

/** The settings of a project that has none: all datamodels with their rules, and all viewpoints. */
export const defaultProjectSettings: ProjectSettings = projectSettingsSchema.parse({
  version: projectFormatVersion,
});

/** The text of a new `datamodel-studio.json`. */
export const formatProjectSettings = ({ version, manage }: ProjectSettings): string =>
  formatJsonFile({ version, manage });

/**
 * Reads the settings of a project; `undefined` if the folder has none.
 * @throws SettingsFileError
 */
export const readProjectSettings = (folder: string): Promise<ProjectSettings | undefined> =>
  readSettingsFile(folder, projectFileName, projectSettingsSchema);

/** Limits a pull to a part of what a project manages; an absent list limits nothing. */
export interface SelectionLimits {
  readonly datamodels?: readonly string[];
  readonly viewpoints?: readonly string[];
}

/**
 * Returns what a project manages. If only one kind is limited, nothing of the other kinds is selected.
 */
export function createSelection(
  { manage }: ProjectSettings,
  { datamodels, viewpoints }: SelectionLimits = {},
): Selection {
  const isLimited = datamodels !== undefined || viewpoints !== undefined;
  const createFilter = (managed: readonly string[], limits: readonly string[] | undefined) => {
    const [isManaged, isWithinLimits] = [createNameMatcher(managed), createNameMatcher(limits ?? [])];
    return (name: string): boolean => isManaged(name) && (!isLimited || isWithinLimits(name));
  };
  return {
    includesDatamodel: createFilter(manage.datamodels, datamodels),
    includesViewpoint: createFilter(manage.viewpoints, viewpoints),
    hasViewpoints: manage.viewpoints.length > 0 && (!isLimited || viewpoints !== undefined),
    cubeSets: isLimited ? [] : manage.cubeSets,
  };
}

/** The content of `environments/<name>.json`: an instance of the project. */
export const environmentSchema = z.strictObject({
  url: z.string().min(1).describe('The address of the instance.'),
  role: z
    .enum(connectionRoles)
    .default('development')
    .describe('The purpose of the instance. Writes to production need a confirmation.'),
  tenant: z.string().min(1).optional().describe('The ID of the tenant, where the instance has several.'),
  connections: z
    .record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())))
    .optional()
    .describe(
      'The connections of datasets that do not exist yet, by the title of the datamodel and the name of the dataset. `{"$env": "NAME"}` stands for the value of an environment variable.',
    ),
});

/** An instance of a project. */
export interface Environment {
  readonly name: string;
  readonly url: string;
  readonly role: ConnectionRole;
  readonly tenant?: string | undefined;
  /** Connections by datamodel and dataset. */
  readonly connections?: EnvironmentConnections | undefined;
}

/** The connections that an environment has for datasets, by the title of the datamodel and the name of the dataset. */
export type EnvironmentConnections = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
>;

/** The environment of an instance that is given by its address alone. */
export const defaultEnvironmentName = 'default';

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Returns the path of the file of an environment. */
export const getEnvironmentPath = (name: string): string => `environments/${name}.json`;

/**
 * Reads an environment of a project.
 * @throws SettingsFileError if the name is not valid, or the project does not have it
 */
export async function readEnvironment(folder: string, name: string): Promise<Environment> {
  const path = getEnvironmentPath(name);
  if (!namePattern.test(name) || name.endsWith('.lock')) {
    throw new SettingsFileError(
      'environments',
      undefined,
      'Invalid name of an environment. Expected: letters, digits, hyphens, underscores, and dots.',
    );
  }
  const environment = await readSettingsFile(folder, path, environmentSchema);
  if (environment === undefined) {
    throw new SettingsFileError(path, undefined, 'The project has no such environment.');
  }
  return { name, ...environment };
}

/** Writes the settings of a new project, unless the file exists by now. */
export async function writeNewSettings(folder: string): Promise<void> {
  try {
    await writeFile(join(folder, projectFileName), formatProjectSettings(defaultProjectSettings), {
      flag: 'wx',
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      throw error;
    }
  }
}
