import { createHash } from 'node:crypto';
import { silentLog } from '../base/log.ts';
import type { RemoteConnection } from '../connections/connection.ts';
import { type Lock, LockError, getLockPath, readLock } from '../project/pull/lock.ts';
import type { Project } from '../project/files/project.ts';
import type { ItemKey } from '../project/item.ts';
import { createSelection } from '../project/settings/projectSettings.ts';
import { type InstanceReading, readInstance } from '../project/source/readInstance.ts';
import { createNameMatcher } from '../project/source/selection.ts';
import type { Arguments, CommandContext } from './command.ts';
import { CommandRefusedError } from './exitCodes.ts';
import type { Instance } from './instance.ts';
import type { ProjectTarget } from './projectTarget.ts';

/**
 * Returns a hash that identifies an instance in a lock file or a plan, which must not be used for another one:
 * everything would look changed or gone there.
 */
export const hashInstance = ({ url, tenantId = '' }: RemoteConnection): string =>
  createHash('sha256')
    .update(JSON.stringify([url, tenantId]))
    .digest('hex')
    .slice(0, 16);

/**
 * Reads the lock of the environment.
 * @throws CommandRefusedError if it can't be used, or belongs to another instance
 */
export async function readOwnLock({
  folder,
  environmentName,
  instance: { connection },
}: ProjectTarget): Promise<Lock> {
  const lock = await readLock(folder, environmentName).catch((error: unknown) => {
    throw error instanceof LockError ? new CommandRefusedError(error.message) : error;
  });
  if (lock.instance !== undefined && lock.instance !== hashInstance(connection)) {
    throw new CommandRefusedError(
      `${getLockPath(environmentName)} is of an instance with another address or tenant. Use an environment of its own for each instance. If the instance has moved, delete the file: then every difference is a conflict.`,
    );
  }
  return lock;
}

/** Patterns that limit a command to a part of what the project manages. */
export interface Limits {
  readonly datamodel?: string | undefined;
  readonly viewpoint?: string | undefined;
}

/** Reads `--datamodel` and `--viewpoint`. */
export function readLimits(args: Arguments): Limits {
  const [datamodel, viewpoint] = [args.getValue('datamodel'), args.getValue('viewpoint')];
  return {
    ...(datamodel === undefined ? {} : { datamodel }),
    ...(viewpoint === undefined ? {} : { viewpoint }),
  };
}

/**
 * Refuses limits that nothing matches: most likely, they are misspelled.
 * @throws CommandRefusedError
 */
export function refuseUselessLimits(
  limits: Limits,
  { documents, unread }: InstanceReading,
  { items }: Project,
): void {
  const kinds = [
    ['datamodel', documents.datamodels.length, (key: ItemKey) => 'datamodel' in key && key.datamodel],
    ['viewpoint', documents.viewpoints.length, (key: ItemKey) => 'viewpoint' in key && key.viewpoint],
  ] as const;
  for (const [name, count, getName] of kinds) {
    const pattern = limits[name];
    const matches = createNameMatcher(pattern === undefined ? [] : [pattern]);
    const isInProject = items.some(({ key }) => matches(getName(key) || ''));
    if (pattern !== undefined && count === 0 && unread.length === 0 && !isInProject) {
      throw new CommandRefusedError(
        `The project manages no ${name} that --${name} names. Letter case counts; see "manage" in datamodel-studio.json.`,
      );
    }
  }
}

/**
 * Reads the part of the instance that the project manages, within limits.
 * @param requiresDirectory whether rules and viewpoints are unknown if the instance does not list all users and groups
 * @throws ApiError
 */
export async function readInstanceParts(
  { settings }: ProjectTarget,
  {
    instance,
    context: { output, signal },
    limits: { datamodel, viewpoint },
    requiresDirectory,
  }: {
    readonly instance: Pick<Instance, 'getSession'>;
    readonly context: CommandContext;
    readonly limits: Limits;
    readonly requiresDirectory: boolean;
  },
): Promise<InstanceReading> {
  try {
    const { client } = await instance.getSession();
    return await readInstance(client, {
      selection: createSelection(settings, {
        ...(datamodel === undefined ? {} : { datamodels: [datamodel] }),
        ...(viewpoint === undefined ? {} : { viewpoints: [viewpoint] }),
      }),
      signal,
      log: silentLog,
      requiresDirectory,
      onProgress: (readCount, total) => output.showProgress(`Reading the instance: ${readCount} of ${total}`),
    });
  } finally {
    output.showProgress();
  }
}
