import * as z from 'zod';
import { type JsonValue, getMember } from '../../base/json.ts';
import { createMessage, translatable } from '../../base/localize.ts';
import { type ConnectionRole, connectionRoles } from '../../connections/connection.ts';
import { parseAddress } from '../../connections/parseAddress.ts';
import { formatJsonFile } from '../files/jsonFile.ts';
import type { SchemaViolation } from '../files/schemaViolations.ts';
import { type Selection, createNameMatcher } from '../source/selection.ts';
import { environmentAddressProblems } from './environmentAddress.ts';
import { projectFormatVersion, readSettingsFile, SettingsFileError } from './settingsFile.ts';
import { projectFileName } from '../projectFileName.ts';

const patterns = z.array(z.string().min(1));

/** Messages for invalid filters of custom data, which say what is expected. */
const filterMessages = translatable({
  condition: 'Expected a string, a number, true, false, or {"$exists": true}.',
  id: 'Expected properties other than "_id": IDs differ between instances.',
  operator: 'Expected property names. Operators other than "$exists" aren\'t supported.',
  empty: 'Expected at least one condition, such as {"app": "settings"}.',
});

/** The only two conditions whose meaning is documented (rest-api.md, "Custom data API"). */
const conditionSchema = z.union(
  [z.string(), z.number(), z.boolean(), z.strictObject({ $exists: z.boolean() })],
  filterMessages.condition,
);

const filterSchema = z
  .record(z.string(), conditionSchema)
  .refine((filter) => !Object.hasOwn(filter, '_id'), {
    message: filterMessages.id,
  })
  .refine((filter) => !Object.keys(filter).some((name) => name.startsWith('$')), {
    message: filterMessages.operator,
  })
  .refine((filter) => Object.keys(filter).length > 0, {
    message: filterMessages.empty,
  });

const manageSchema = z.strictObject({
  datamodels: patterns
    .default(['*'])
    .describe('Titles of the datamodels to manage. Their rules are included. `*` matches any characters.'),
  viewpoints: patterns.default(['*']).describe('Names of the viewpoints. `*` matches any characters.'),
  cubeSets: z
    .array(z.string().min(1))
    .default([])
    .describe('Names of the cube sets whose rules are managed.'),
  customData: z
    .record(z.string().min(1), filterSchema)
    .default({})
    .describe(
      'Custom data objects, each with a name of your choice and a filter that matches only that object: the values of its top-level properties.',
    ),
});

/** The content of `datamodel-studio.json`. */
export const projectSettingsSchema = z.strictObject({
  version: z.literal(projectFormatVersion).describe('The version of the project format.'),
  manage: manageSchema
    .prefault({})
    .describe('What the project manages. Everything else on an instance is left alone.'),
});

export type ProjectSettings = z.infer<typeof projectSettingsSchema> & {
  /** False in an environment whose instance has no viewpoint service: then no viewpoints are managed. */
  readonly offersViewpoints?: false;
};

/**
 * The settings of a project without a settings file: all datamodels with their rules, all viewpoints, and no custom
 * data.
 */
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
  readSettingsFile(folder, projectFileName, { schema: projectSettingsSchema });

/**
 * Limits a pull or a plan to a part of what a project manages. Without both lists, nothing is limited; if only one is
 * set, nothing of the other kinds is selected. An item must match one of the name patterns of its list.
 */
export interface SelectionLimits {
  readonly datamodels?: readonly string[];
  readonly viewpoints?: readonly string[];
}

/**
 * Returns what a project manages, within limits. If only one kind is limited, nothing of the other kinds is selected.
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
    customData: new Map(isLimited ? [] : Object.entries(manage.customData)),
  };
}

/** The content of `environments/<name>.json`: an instance that the project is used with. */
export const environmentSchema = z.strictObject({
  url: z.string().min(1).describe('The address of the instance.'),
  role: z
    .enum(connectionRoles)
    .default('development')
    .describe('The purpose of the instance. Writes to production require confirmation.'),
  tenant: z.string().min(1).optional().describe('The ID of the tenant, if the instance has more than one.'),
  viewpoints: z
    .boolean()
    .optional()
    .describe(
      'Whether the instance has viewpoints. With `false`, the viewpoints of the project are neither read nor changed there.',
    ),
  connections: z
    .record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())))
    .optional()
    .describe(
      'The connections of datasets that don\'t exist yet, by the title of the datamodel and the name of the dataset. `{"$env": "NAME"}` stands for the value of an environment variable.',
    ),
});

/** An instance that the project is used with. */
export interface Environment {
  readonly name: string;
  readonly url: string;
  readonly role: ConnectionRole;
  readonly tenant?: string | undefined;
  /** False if the instance has no viewpoint service. */
  readonly viewpoints?: boolean | undefined;
  /** Connections by datamodel and dataset. */
  readonly connections?: EnvironmentConnections | undefined;
}

/** The connections of datasets in an environment, by the title of the datamodel and the name of the dataset. */
export type EnvironmentConnections = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
>;

/** The name of the environment for an instance of which only the address is given, as with `--url`. */
export const defaultEnvironmentName = 'default';

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Returns whether a name is valid for an environment. It is also the name of its file. */
export const isEnvironmentName = (name: string): boolean =>
  namePattern.test(name) && !name.toLowerCase().endsWith('.lock');

/** Returns the path of the file of an environment. */
export const getEnvironmentPath = (name: string): string => `environments/${name}.json`;

/** A project doesn't have an environment with the requested name. */
export class MissingEnvironmentError extends SettingsFileError {}

/**
 * Reads an environment of a project.
 * @throws SettingsFileError if the name or the address is not valid, or the project does not have it
 */
export async function readEnvironment(folder: string, name: string): Promise<Environment> {
  const path = getEnvironmentPath(name);
  if (!isEnvironmentName(name)) {
    throw new SettingsFileError('environments', {
      position: undefined,
      message: createMessage(
        'Invalid environment name. Expected: letters, digits, hyphens, underscores, and dots, starting with a letter or digit.',
      ),
    });
  }
  const environment = await readSettingsFile(folder, path, {
    schema: environmentSchema,
    findViolations: checkAddress,
  });
  if (environment === undefined) {
    throw new MissingEnvironmentError(path, {
      position: undefined,
      message: createMessage('The project has no such environment.'),
    });
  }
  return { name, ...environment };
}

function checkAddress(environment: JsonValue): readonly SchemaViolation[] {
  const url = getMember(environment, 'url');
  const problem = typeof url === 'string' && url !== '' ? parseAddress(url).problem : undefined;
  return problem === undefined ? [] : [{ path: ['url'], message: environmentAddressProblems[problem] }];
}

/**
 * Returns the settings of a project for one of its environments: where an instance has no viewpoint service, the
 * project manages no viewpoints.
 */
export const toEnvironmentSettings = (
  settings: ProjectSettings,
  environment: Pick<Environment, 'viewpoints'> | undefined,
): ProjectSettings =>
  environment?.viewpoints === false
    ? { ...settings, manage: { ...settings.manage, viewpoints: [] }, offersViewpoints: false }
    : settings;

/**
 * Reads the settings of a project for one of its environments, which may have no file; `undefined` if the folder has no
 * settings.
 * @throws SettingsFileError
 */
export async function readEnvironmentSettings(
  folder: string,
  environmentName: string,
): Promise<ProjectSettings | undefined> {
  const [settings, environment] = await Promise.all([
    readProjectSettings(folder),
    readEnvironment(folder, environmentName).catch((error: unknown) => {
      if (error instanceof MissingEnvironmentError) {
        return undefined;
      }
      throw error;
    }),
  ]);
  return settings && toEnvironmentSettings(settings, environment);
}

/** Limits the settings of a project, so that it manages only what the limits select and nothing else seems missing. */
export const limitSettings = (
  settings: ProjectSettings,
  { datamodels = [], viewpoints = [] }: SelectionLimits,
): ProjectSettings => ({
  ...settings,
  manage: { ...settings.manage, datamodels: [...datamodels], viewpoints: [...viewpoints] },
});
