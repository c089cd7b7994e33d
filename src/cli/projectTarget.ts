import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { english, formatMessage } from '../base/localize.ts';
import { getAddressKey } from '../base/addressKey.ts';
import {
  defaultEnvironmentName,
  defaultProjectSettings,
  type EnvironmentConnections,
  MissingEnvironmentError,
  type ProjectSettings,
  getEnvironmentPath,
  readEnvironment,
  readProjectSettings,
  toEnvironmentSettings,
} from '../project/settings/projectSettings.ts';
import {
  type ListedEnvironment,
  createMissingFileMessage,
  listConfiguredEnvironments,
  listEnvironments,
  mayHaveAddress,
} from '../project/pull/findEnvironments.ts';
import { hashInstance } from '../project/pull/instanceHash.ts';
import { getLockPath } from '../project/pull/lock.ts';
import { SettingsFileError } from '../project/settings/settingsFile.ts';
import type { CommandContext } from './command.ts';
import { quoteWord } from './commandHint.ts';
import { CommandRefusedError } from './exitCodes.ts';
import { formatFileError, getFileErrorPath } from './formatFileError.ts';
import { type InstanceTarget, readInstanceTarget } from './target.ts';

/** An instance whose role may come from another environment with the same address. */
export interface ProtectedInstance extends InstanceTarget {
  /** The name of the environment that the role comes from, if it's another one. */
  readonly roleOrigin?: string | undefined;
}

/** The project that a command works with, and one of its instances. */
export interface ProjectTarget {
  /** The absolute path of the project's folder. */
  readonly folder: string;
  /** The settings of the project for the environment; the defaults if it has none yet. */
  readonly settings: ProjectSettings;
  readonly isNewProject: boolean;
  readonly environmentName: string;
  readonly instance: ProtectedInstance;
  /** The connections that the environment has for new datasets. */
  readonly connections: EnvironmentConnections;
}

/**
 * Reads the project and the instance that the options name: `--environment NAME` of the project, or `--url URL`.
 * @throws CommandRefusedError if they name none or both, or the project's settings can't be used
 */
export async function readProjectTarget(
  context: Pick<CommandContext, 'args' | 'shell'>,
): Promise<ProjectTarget> {
  const { args } = context;
  const folder = resolve(args.getValue('project') ?? '.');
  const name = args.getValue('environment');
  if ((name === undefined) !== args.has('url')) {
    throw new CommandRefusedError(
      name === undefined
        ? 'Missing: --environment NAME or --url URL.'
        : 'Use only one of --environment and --url.',
    );
  }
  if (!(await isFolder(folder))) {
    throw new CommandRefusedError("The --project folder doesn't exist. Create it first.");
  }
  const [settings, environment] = await convertSettingsErrors(folder, () =>
    Promise.all([
      readProjectSettings(folder),
      name === undefined ? undefined : readEnvironment(folder, name),
    ]),
  );
  return {
    folder,
    // A new project gets settings for all of its environments.
    settings: settings === undefined ? defaultProjectSettings : toEnvironmentSettings(settings, environment),
    isNewProject: settings === undefined,
    environmentName: name ?? defaultEnvironmentName,
    instance: await readInstanceTarget(context, environment),
    connections: environment?.connections ?? {},
  };
}

/**
 * Reads the project and the instance, for a command that plans changes: `--url` must not bypass the role of an
 * environment, nor its lock file, which shows what other users have changed.
 * @throws CommandRefusedError as {@link readProjectTarget}. Also if a protected environment has the address of `--url`,
 *   or if an environment that might have this address can't be read
 */
export async function readChangeTarget(
  context: Pick<CommandContext, 'args' | 'shell'>,
): Promise<ProjectTarget> {
  const target = await readProjectTarget(context);
  if (context.args.has('url')) {
    await refuseProtectedUrl(target.folder, target.instance);
    return target;
  }
  return { ...target, instance: await withStrictestRole(target) };
}

/**
 * Gives the instance of an environment the strictest role of all environments of the project with its address.
 * @throws CommandRefusedError if the file of an environment that might have this address is missing or can't be read
 */
async function withStrictestRole({ folder, instance }: ProjectTarget): Promise<ProtectedInstance> {
  const { environmentName, connection } = instance;
  const key = getAddressKey(connection.url) ?? '';
  const environments = await listEnvironments(folder);
  const hashes = new Set(
    [connection, ...environments].flatMap(({ url }) =>
      url !== undefined && getAddressKey(url) === key
        ? [hashInstance({ url }), hashInstance({ url, tenantId: connection.tenantId })]
        : [],
    ),
  );
  for (const { name, url, isFileMissing, instanceHash: hash = '' } of environments) {
    const mayBeSame =
      isFileMissing === true
        ? hashes.has(hash)
        : url === undefined && (await mayHaveAddress(folder, name, key));
    if (mayBeSame) {
      throw createUnusableFileError(`The address of the environment ${environmentName}`, folder, name);
    }
  }
  const { role = connection.role, roleOrigin } =
    environments.find(({ name }) => name === environmentName) ??
    // Not every file system distinguishes letter case.
    environments.find(({ url }) => url !== undefined && getAddressKey(url) === key) ??
    {};
  return { ...instance, connection: { ...connection, role }, roleOrigin };
}

/**
 * Refuses `--url` if its instance is that of an environment, and the project has no lock file for `--url` yet. The
 * command would create a second lock file, and each of the two would contain only a part of what was pulled and
 * applied.
 * @throws CommandRefusedError
 */
export async function requireSingleLockFile(
  { folder, instance }: Pick<ProjectTarget, 'folder' | 'instance'>,
  args: CommandContext['args'],
): Promise<void> {
  if (args.has('url') && !existsSync(join(folder, getLockPath(defaultEnvironmentName)))) {
    const environments = await findEnvironmentsOfUrl(folder, instance);
    // Each tenant has viewpoints of its own, so another tenant is another instance.
    const environment = environments.find(
      ({ url, instanceHash: hash }) =>
        url !== undefined && hash === hashInstance({ url, tenantId: instance.connection.tenantId }),
    );
    if (environment !== undefined && environment.name !== defaultEnvironmentName) {
      throw new CommandRefusedError(
        `--url is the address of the environment ${environment.name}. Use --environment ${environment.name} instead, so that the instance has only one lock file.`,
      );
    }
  }
}

/** The instance that a command works with, and the project that was named with it. */
export interface OptionalProjectTarget {
  readonly instance: ProtectedInstance;
  /** `undefined` if none was named, or the folder is no project. */
  readonly project: ProjectTarget | undefined;
}

/**
 * Reads the instance of a command that changes something and needs no project: a project is used only if `--project` or
 * `--environment` is given, so that a broken project in the current folder doesn't prevent the command. Even without
 * these options, environments of projects that contain the current folder protect their instances by their roles.
 * @throws CommandRefusedError as {@link readChangeTarget}
 */
export async function readOptionalProjectTarget(
  context: Pick<CommandContext, 'args' | 'shell'>,
): Promise<OptionalProjectTarget> {
  if (isWithoutProject(context)) {
    const instance = await readInstanceTarget(context);
    await refuseProtectedUrl(resolve('.'), instance);
    return { instance, project: undefined };
  }
  const project = await readChangeTarget(context);
  return { instance: project.instance, project: project.isNewProject ? undefined : project };
}

/**
 * Reads the instance of a command that only reads it and needs no project.
 * @throws CommandRefusedError as {@link readProjectTarget}
 */
export const readTargetForReading = async (
  context: Pick<CommandContext, 'args' | 'shell'>,
): Promise<InstanceTarget> =>
  isWithoutProject(context) ? readInstanceTarget(context) : (await readProjectTarget(context)).instance;

const isWithoutProject = ({ args }: Pick<CommandContext, 'args'>): boolean =>
  !args.has('project') && !args.has('environment') && args.has('url');

/** Returns a folder and those that contain it, the innermost one first. */
function listAncestors(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listAncestors(parent)];
}

/**
 * Refuses `--url` if it is the address of a protected environment, or of one that can't be read, in any project that
 * contains the folder or the current folder. A symbolic link may be in another project than the folder that it leads
 * to: both count.
 * @param folder the folder of the command's project
 * @throws CommandRefusedError
 */
async function refuseProtectedUrl(folder: string, target: InstanceTarget): Promise<void> {
  const ownFolders = [folder, resolve('.')];
  try {
    const realFolders = await Promise.all(ownFolders.map((path) => realpath(path)));
    for (const projectFolder of new Set([...ownFolders, ...realFolders].flatMap(listAncestors))) {
      const project = projectFolder === folder ? '' : `--project ${formatRelativePath(projectFolder)} `;
      for (const { name, role, roleOrigin = name } of await findEnvironmentsOfUrl(projectFolder, target)) {
        if (role === 'production' || role === 'read-only') {
          throw new CommandRefusedError(
            `--url is the address of the environment ${roleOrigin}, whose role is ${role}. Use ${project}--environment ${roleOrigin} instead.`,
          );
        }
      }
    }
  } catch (error) {
    const path = getFileErrorPath(error);
    throw path === undefined
      ? error
      : new CommandRefusedError(
          `Can't read ${path}, so it's unknown whether it protects the instance from changes. ${formatFileError(error)} Alternatively, use --environment or another folder.`,
        );
  }
}

const formatRelativePath = (path: string): string => quoteWord(relative(process.cwd(), path) || '.');

/**
 * Returns the environments with the address of `--url`, whatever their tenants. Only requests for viewpoints name a
 * tenant (rest-api.md, "Viewpoint API"), so a change of anything else may concern all environments with the address.
 * @throws CommandRefusedError if the file of an environment that may be one of them is missing or can't be read
 */
async function findEnvironmentsOfUrl(
  folder: string,
  { connection }: InstanceTarget,
): Promise<readonly ListedEnvironment[]> {
  const key = getAddressKey(connection.url) ?? '';
  const matches: ListedEnvironment[] = [];
  // The environment of --url itself isn't listed: it has only a lock file, and no role to protect.
  for (const environment of await listConfiguredEnvironments(folder)) {
    const { name, url } = environment;
    if (url !== undefined) {
      if (getAddressKey(url) === key) {
        matches.push(environment);
      }
      // A lock file has only a hash of the address and the tenant. The tenant is unknown, so any address might match.
    } else if (existsSync(join(folder, getLockPath(name))) || (await mayHaveAddress(folder, name, key))) {
      throw createUnusableFileError('--url', folder, name);
    }
  }
  return matches;
}

/** @param addressLabel the address that might be that of an environment without a usable file */
const createUnusableFileError = (addressLabel: string, folder: string, name: string): CommandRefusedError =>
  new CommandRefusedError(
    `${addressLabel} might be the address of the environment ${name}, whose file is missing or can't be read. Its role might protect the instance from changes. Restore or fix ${formatRelativePath(join(folder, getEnvironmentPath(name)))}, or delete it and its lock file.`,
  );

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // The folder can't be used, regardless of the reason.
    return false;
  }
}

/** Runs a function that reads settings, and converts its errors to a CommandRefusedError. */
async function convertSettingsErrors<T>(folder: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof MissingEnvironmentError) {
      const environments = await listConfiguredEnvironments(folder);
      const missing = environments.find(
        ({ name, isFileMissing }) => isFileMissing === true && getEnvironmentPath(name) === error.path,
      );
      if (missing !== undefined) {
        throw new CommandRefusedError(
          `${error.path}: ${formatMessage(english, createMissingFileMessage(missing.name))}`,
        );
      }
      const names = environments.flatMap(({ name, isFileMissing }) => (isFileMissing === true ? [] : [name]));
      throw new CommandRefusedError(
        `${error.message} ${names.length === 0 ? 'It has no environments.' : `Expected: ${names.join(', ')}.`}`,
      );
    }
    throw error instanceof SettingsFileError ? new CommandRefusedError(error.message) : error;
  }
}
