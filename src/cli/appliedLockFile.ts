import { ClaimedError } from '../changes/journal/claimedError.ts';
import type { History } from '../changes/journal/history.ts';
import type { UnfinishedChanges } from '../changes/journal/requireFinished.ts';
import { type RecordedChange, writeAppliedLock } from '../project/apply/finishApply.ts';
import { ProjectWriteError } from '../project/pull/writeProjectFiles.ts';
import type { CommandContext } from './command.ts';
import { formatProjectCommand } from './commandHint.ts';
import { warnOfInterruptedChange } from './interruptedChange.ts';
import { type LoadedPlan, toPlanTarget } from './projectPlan.ts';
import { runReserved } from './runReserved.ts';

/**
 * Records the state of the instance in the lock file, so that the next plan doesn't report it as changed on the server.
 * @param after the project and the instance, read after an apply, a resume, or a rollback
 */
export async function updateAppliedLock(
  after: LoadedPlan,
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
  change?: RecordedChange,
): Promise<void> {
  try {
    await writeAppliedLock(toPlanTarget(after.target), after, change);
  } catch (error) {
    if (!(error instanceof ProjectWriteError)) {
      throw error;
    }
    output.printMessage(
      `The lock file couldn't be updated: ${error.message} ${formatLockHint(args)}`,
      'warning',
    );
  }
}

/**
 * Updates the lock file when an apply has nothing to change: an earlier run may have applied everything and lost its
 * lock file, for example in a pipeline that couldn't push it. Does nothing while another run may still be rolled back.
 * @returns whether it was updated
 */
export async function updateLockWithoutApply(
  loaded: LoadedPlan,
  history: Pick<History, 'reserve'> & UnfinishedChanges,
  context: Pick<CommandContext, 'args' | 'output'>,
): Promise<boolean> {
  try {
    return await runReserved(loaded.operation.connectionId, { history, output: context.output }, async () => {
      if ((await warnOfInterruptedChange(history, loaded.target.instance, context)) !== undefined) {
        return false;
      }
      await updateAppliedLock(loaded, context);
      return true;
    });
  } catch (error) {
    if (error instanceof ClaimedError) {
      return false;
    }
    throw error;
  }
}

/**
 * Returns a hint how to update the lock file of a project: with a plain pull. A pull that keeps the versions of the
 * project (`--conflicts ours`) would mark the changes of others as known, so the next apply would overwrite them.
 */
export const formatLockHint = (args: CommandContext['args']): string =>
  `To update it: ${formatProjectCommand(['pull'], args)}`;
