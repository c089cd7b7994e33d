import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  defaultEnvironmentName,
  defaultProjectSettings,
  type Environment,
  type EnvironmentConnections,
  type ProjectSettings,
  readEnvironment,
  readProjectSettings,
} from '../project/settings/projectSettings.ts';
import { findEnvironments } from '../project/pull/findEnvironments.ts';
import { SettingsFileError } from '../project/settings/settingsFile.ts';
import type { CommandContext } from './command.ts';
import { CommandRefusedError } from './exitCodes.ts';
import { type InstanceTarget, readInstanceTarget } from './target.ts';

/** The project that a command works with, and one of its instances. */
export interface ProjectTarget {
  /** The absolute path of the project's folder. */
  readonly folder: string;
  /** The settings of the project; the defaults if it has none yet. */
  readonly settings: ProjectSettings;
  readonly isNewProject: boolean;
  readonly environmentName: string;
  readonly instance: InstanceTarget;
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
    throw new CommandRefusedError('The folder of --project does not exist. Create it first.');
  }
  const [settings, environment] = await refuseBadSettings(() =>
    Promise.all([
      readProjectSettings(folder),
      name === undefined ? undefined : readEnvironment(folder, name),
    ]),
  );
  return {
    folder,
    settings: settings ?? defaultProjectSettings,
    isNewProject: settings === undefined,
    environmentName: name ?? defaultEnvironmentName,
    instance: await readInstanceTarget(context, environment),
    connections: environment?.connections ?? {},
  };
}

/**
 * Reads the project and the instance, for a command that plans changes: `--url` must not bypass the role of an
 * environment, nor its lock file, which shows what other users have changed.
 * @throws CommandRefusedError as {@link readProjectTarget}, and if a protected environment has the address of `--url`
 */
export async function readChangeTarget(
  context: Pick<CommandContext, 'args' | 'shell'>,
): Promise<ProjectTarget> {
  const target = await readProjectTarget(context);
  if (context.args.has('url')) {
    await refuseProtectedUrl(target);
  }
  return target;
}

async function refuseProtectedUrl({ folder, instance: { connection } }: ProjectTarget): Promise<void> {
  for (const name of (await findEnvironments(folder, connection)).matches) {
    const role = await readRole(folder, name);
    if (role === 'production' || role === 'read-only') {
      throw new CommandRefusedError(
        `--url is the address of the environment ${name}, whose role is ${role}. Use --environment ${name} instead.`,
      );
    }
  }
}

/** Returns the role of an environment; `undefined` if it has only a lock file. */
async function readRole(folder: string, name: string): Promise<Environment['role'] | undefined> {
  try {
    return (await readEnvironment(folder, name)).role;
  } catch (error) {
    if (error instanceof SettingsFileError) {
      return undefined;
    }
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // The folder can't be used, regardless of the reason.
    return false;
  }
}

async function refuseBadSettings<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof SettingsFileError ? new CommandRefusedError(error.message) : error;
  }
}
