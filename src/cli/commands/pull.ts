import { readProject } from '../../project/files/readProject.ts';
import { convertInstance } from '../../project/instance/convertInstance.ts';
import { createHiddenCheck } from '../../project/pull/hiddenItems.ts';
import { planPull } from '../../project/pull/planPull.ts';
import { ProjectWriteError, writeProjectFiles } from '../../project/pull/writeProjectFiles.ts';
import { writeNewSettings } from '../../project/settings/projectSettings.ts';
import type { InstanceReading } from '../../project/source/readInstance.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { exitCodes } from '../exitCodes.ts';
import { openInstance } from '../instance.ts';
import {
  hashInstance,
  readInstanceParts,
  readLimits,
  readOwnLock,
  refuseUselessLimits,
} from '../projectInstance.ts';
import { type ProjectTarget, readProjectTarget } from '../projectTarget.ts';
import { readPrunedKinds } from '../prunedKinds.ts';
import { getPullExitCode, printPullResult } from '../pullResult.ts';

/** Brings the files of a project up to date with an instance. Writes nothing to the instance. */
export const pull: RunCommand = async (context) => {
  const { args, output, signal } = context;
  const prunedKinds = readPrunedKinds(args.getValue('prune'));
  const target = await readProjectTarget(context);
  const { folder, environmentName, isNewProject } = target;
  const { hasDirectory = false } = await readOwnLock(target);
  const reading = await readTarget(target, context, hasDirectory);
  // Read after the instance, which can take minutes: files may change in the meantime.
  const lock = await readOwnLock(target);
  const project = await readProject(folder);
  refuseUselessLimits(readLimits(args), reading, project);
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
      instance: hashInstance(target.instance.connection),
      hasDirectory: hasDirectory || reading.hasDirectory,
    };
    await writeProjectFiles(folder, environmentName, { ...plan, lock: newLock });
  } catch (error) {
    if (!(error instanceof ProjectWriteError)) {
      throw error;
    }
    output.printMessage(error.message, 'error');
    return exitCodes.failed;
  }
  if (isNewProject) {
    await writeNewSettings(folder);
  }
  const result = { plan, pulled, project, unread: reading.unread };
  printPullResult(result, target, context);
  return getPullExitCode(result);
};

/** Reads the part of the instance that the options name. */
async function readTarget(
  target: ProjectTarget,
  context: CommandContext,
  requiresDirectory: boolean,
): Promise<InstanceReading> {
  const instance = openInstance(target.instance, context.shell, context.clock);
  try {
    return await readInstanceParts(target, {
      instance,
      context,
      limits: readLimits(context.args),
      requiresDirectory,
    });
  } finally {
    instance.dispose();
  }
}
