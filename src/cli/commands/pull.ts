import { createHash } from 'node:crypto';
import { silentLog } from '../../base/log.ts';
import type { RemoteConnection } from '../../connections/connection.ts';
import type { Project } from '../../project/files/project.ts';
import type { ItemKey } from '../../project/item.ts';
import { createNameMatcher } from '../../project/source/selection.ts';
import { readProject } from '../../project/files/readProject.ts';
import { convertInstance } from '../../project/instance/convertInstance.ts';
import { createHiddenCheck } from '../../project/pull/hiddenItems.ts';
import { type Lock, LockError, getLockPath, readLock } from '../../project/pull/lock.ts';
import { planPull } from '../../project/pull/planPull.ts';
import { ProjectWriteError, writeProjectFiles } from '../../project/pull/writeProjectFiles.ts';
import { createSelection, writeNewSettings } from '../../project/settings/projectSettings.ts';
import { type InstanceReading, readInstance } from '../../project/source/readInstance.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { reportError } from '../errorOutput.ts';
import { CommandRefusedError, exitCodes } from '../exitCodes.ts';
import { openInstance } from '../instance.ts';
import { type ProjectTarget, readProjectTarget } from '../projectTarget.ts';
import { readPrunedKinds } from '../prunedKinds.ts';
import { getPullExitCode, printPullResult } from '../pullResult.ts';

/** Brings the files of a project up to date with an instance. Writes nothing to the instance. */
export const pull: RunCommand = async (context) => {
  const { args, signal } = context;
  const prunedKinds = readPrunedKinds(args.getValue('prune'));
  const target = await readProjectTarget(context);
  const { folder, environmentName, isNewProject } = target;
  const instance = hashInstance(target.instance.connection);
  const { hasDirectory = false } = await readOwnLock(target, instance);
  const reading = await read(target, { context, requiresDirectory: hasDirectory });
  // Read after the instance, which can take minutes: files may change in the meantime.
  const lock = await readOwnLock(target, instance);
  const project = await readProject(folder);
  refuseUselessLimits(context, reading, project);
  const pulled = convertInstance({ ...reading.documents, bound: lock.bound });
  const isHidden = createHiddenCheck(lock, pulled, reading.listedIds);
  const plan = planPull({
    project,
    lock,
    pulled,
    isUnknown: (key) => reading.isUnknown(key) || isHidden(key),
    prunedKinds,
  });
  signal.throwIfAborted();
  try {
    const newLock = {
      ...plan.lock,
      // No file has the numbers of parties whose names could not be read.
      ...(reading.unread.some(({ part }) => part.kind === 'people') ? { bound: lock.bound } : {}),
      instance,
      hasDirectory: hasDirectory || reading.hasDirectory,
    };
    await writeProjectFiles(folder, environmentName, { ...plan, lock: newLock });
  } catch (error) {
    if (!(error instanceof ProjectWriteError)) {
      throw error;
    }
    return reportError(context, { command: 'pull', message: error.message, exitCode: exitCodes.failed });
  }
  if (isNewProject) {
    await writeNewSettings(folder);
  }
  const result = { plan, pulled, project, unread: reading.unread };
  printPullResult(result, target, context);
  return getPullExitCode(result);
};

/**
 * Returns a hash that identifies an instance in a lock file, which must not be used for another one: everything would
 * look changed or gone there.
 */
const hashInstance = ({ url, tenantId = '' }: RemoteConnection): string =>
  createHash('sha256')
    .update(JSON.stringify([url, tenantId]))
    .digest('hex')
    .slice(0, 16);

/**
 * Reads the lock of the environment.
 * @throws CommandRefusedError if it can't be used, or belongs to another instance
 */
async function readOwnLock({ folder, environmentName }: ProjectTarget, instance: string): Promise<Lock> {
  const lock = await readLock(folder, environmentName).catch((error: unknown) => {
    throw error instanceof LockError ? new CommandRefusedError(error.message) : error;
  });
  if (lock.instance !== undefined && lock.instance !== instance) {
    throw new CommandRefusedError(
      `${getLockPath(environmentName)} is of an instance with another address or tenant. Use an environment of its own for each instance. If the instance has moved, delete the file: then every difference is a conflict.`,
    );
  }
  return lock;
}

/**
 * Refuses limits that nothing matches: most likely, they are misspelled.
 * @throws CommandRefusedError
 */
function refuseUselessLimits(
  { args }: CommandContext,
  { documents, unread }: InstanceReading,
  { items }: Project,
): void {
  const limits = [
    ['datamodel', documents.datamodels.length, (key: ItemKey) => 'datamodel' in key && key.datamodel],
    ['viewpoint', documents.viewpoints.length, (key: ItemKey) => 'viewpoint' in key && key.viewpoint],
  ] as const;
  for (const [name, count, getName] of limits) {
    const pattern = args.getValue(name);
    const matches = createNameMatcher(pattern === undefined ? [] : [pattern]);
    const isInProject = items.some(({ key }) => matches(getName(key) || ''));
    if (pattern !== undefined && count === 0 && unread.length === 0 && !isInProject) {
      throw new CommandRefusedError(
        `The project manages no ${name} that --${name} names. Letter case counts; see "manage" in datamodel-studio.json.`,
      );
    }
  }
}

async function read(
  { settings, instance: instanceTarget }: ProjectTarget,
  {
    context: { args, shell, clock, output, signal },
    requiresDirectory,
  }: { readonly context: CommandContext; readonly requiresDirectory: boolean },
): Promise<InstanceReading> {
  const instance = openInstance(instanceTarget, shell, clock);
  const [datamodel, viewpoint] = [args.getValue('datamodel'), args.getValue('viewpoint')];
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
    instance.dispose();
  }
}
