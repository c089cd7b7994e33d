import type { Project } from '../../project/files/project.ts';
import type { ItemKey } from '../../project/item.ts';
import { createNameMatcher } from '../../project/source/selection.ts';
import { readProject } from '../../project/files/readProject.ts';
import { convertInstance } from '../../project/instance/convertInstance.ts';
import { createHiddenCheck } from '../../project/pull/hiddenItems.ts';
import { planPull } from '../../project/pull/planPull.ts';
import { ProjectWriteError, writeProjectFiles } from '../../project/pull/writeProjectFiles.ts';
import { writeNewSettings } from '../../project/settings/projectSettings.ts';
import type { InstanceReading } from '../../project/source/readInstance.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { CommandRefusedError, exitCodes } from '../exitCodes.ts';
import { openInstance } from '../instance.ts';
import { hashInstance, readInstanceParts, readOwnLock } from '../projectInstance.ts';
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

/** Reads the part of the instance that the options name. */
async function readTarget(
  target: ProjectTarget,
  context: CommandContext,
  requiresDirectory: boolean,
): Promise<InstanceReading> {
  const instance = openInstance(target.instance, context.shell, context.clock);
  try {
    return await readInstanceParts(target, { instance, context, requiresDirectory });
  } finally {
    instance.dispose();
  }
}
