import { silentLog } from '../../base/log.ts';
import { type ConflictSide, conflictSides } from '../../project/pull/mergeItem.ts';
import {
  type PullResult,
  type PullTarget,
  ProjectPull,
  PullRefusedError,
} from '../../project/pull/pullProject.ts';
import { limitSettings } from '../../project/settings/projectSettings.ts';
import { ProjectWriteError } from '../../project/pull/writeProjectFiles.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { reportError } from '../errorOutput.ts';
import { CommandRefusedError, exitCodes } from '../exitCodes.ts';
import { openInstance } from '../instance.ts';
import { requireNoInterruptedChange } from '../interruptedChange.ts';
import { describePullFault, readLimits, toSelectionLimits } from '../selectionLimits.ts';
import { type ProjectTarget, readProjectTarget, requireSingleLockFile } from '../projectTarget.ts';
import { readPrunedFileKinds } from '../prunedKinds.ts';
import { getPullExitCode, printPullResult } from '../pullResult.ts';
import { createReadProgress } from '../readProgress.ts';
import { getStateFolder } from '../target.ts';

/** Brings the files of a project up to date with an instance. Writes nothing to the instance. */
export const pull: RunCommand = async (context) => {
  const { args } = context;
  const prunedKinds = readPrunedFileKinds(args.getValue('prune'));
  const winner = conflictSides.find((side) => side === args.getValue('conflicts'));
  const target = await readProjectTarget(context);
  await requireSingleLockFile(target, context.args);
  try {
    const result = await run(target, { context, prunedKinds, winner });
    printPullResult(result, target, context);
    return getPullExitCode(result);
  } catch (error) {
    if (error instanceof ProjectWriteError) {
      return reportError(context, { command: 'pull', message: error.message, exitCode: exitCodes.failed });
    }
    throw error instanceof PullRefusedError ? new CommandRefusedError(describePullFault(error.fault)) : error;
  }
};

async function run(
  { folder, settings, isNewProject, environmentName, instance: instanceTarget }: ProjectTarget,
  {
    context: { args, shell, clock, output, signal },
    prunedKinds,
    winner,
  }: {
    readonly context: CommandContext;
    readonly prunedKinds: ReturnType<typeof readPrunedFileKinds>;
    readonly winner: ConflictSide | undefined;
  },
): Promise<PullResult> {
  const instance = openInstance(instanceTarget, shell, clock);
  const limits = toSelectionLimits(readLimits(args));
  const limitsProject = isNewProject && Object.keys(limits).length > 0;
  const target: PullTarget = {
    folder,
    settings: limitsProject ? limitSettings(settings, limits) : settings,
    isNewProject,
    environmentName,
    address: instanceTarget.connection,
  };
  try {
    const { history } = await instance.openChangeServices(getStateFolder({ args, shell }));
    const projectPull = new ProjectPull(target, {
      limits,
      prunedKinds,
      winner,
      signal,
      log: silentLog,
      ...createReadProgress({ output, shell, clock }),
      requireNoPendingChange: async () => {
        await requireNoInterruptedChange(history, instanceTarget, args);
        await history.requireUnreserved(instanceTarget.connection.id);
      },
    });
    const result = await projectPull.run(async () => (await instance.getSession()).client);
    if (limitsProject) {
      output.printMessage(
        'The new project manages only the items that were pulled. To pull more, first change "manage" in datamodel-studio.json.',
      );
    }
    return result;
  } finally {
    instance.dispose();
  }
}
