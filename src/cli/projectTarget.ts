import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  defaultEnvironmentName,
  defaultProjectSettings,
  type EnvironmentConnections,
  type ProjectSettings,
  readEnvironment,
  readProjectSettings,
} from '../project/settings/projectSettings.ts';
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

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Whatever the reason is, the folder can't be used.
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
