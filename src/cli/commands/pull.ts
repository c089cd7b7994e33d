import { silentLog } from '../../base/log.ts';
import { readProject } from '../../project/files/readProject.ts';
import { convertInstance } from '../../project/instance/convertInstance.ts';
import { LockError, readLock } from '../../project/pull/lock.ts';
import { planPull } from '../../project/pull/planPull.ts';
import { writeProjectFiles } from '../../project/pull/writeProjectFiles.ts';
import { createSelection, writeNewSettings } from '../../project/settings/projectSettings.ts';
import { type InstanceReading, readInstance } from '../../project/source/readInstance.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { CommandRefusedError } from '../exitCodes.ts';
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
  const lock = await readLock(folder, environmentName).catch((error: unknown) => {
    throw error instanceof LockError ? new CommandRefusedError(error.message) : error;
  });
  const reading = await read(target, context);
  // Read after the instance, which can take minutes: files may change in the meantime.
  const project = await readProject(folder);
  const pulled = convertInstance({ ...reading.documents, bound: lock.bound });
  const plan = planPull({
    project,
    lock,
    pulled,
    isUnknown: reading.isUnknown,
    prunedKinds,
  });
  signal.throwIfAborted();
  await writeProjectFiles(folder, environmentName, plan);
  if (isNewProject) {
    await writeNewSettings(folder);
  }
  const result = { plan, pulled, project, unread: reading.unread };
  printPullResult(result, target, context);
  return getPullExitCode(result);
};

async function read(
  { settings, instance: instanceTarget }: ProjectTarget,
  { args, shell, clock, output, signal }: CommandContext,
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
      onProgress: (readCount, total) => output.showProgress(`Reading the instance: ${readCount} of ${total}`),
    });
  } finally {
    output.showProgress();
    instance.dispose();
  }
}
