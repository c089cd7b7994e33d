import { type RecordedState, writeAppliedLock } from '../project/apply/finishApply.ts';
import { ProjectWriteError } from '../project/pull/writeProjectFiles.ts';
import type { CommandContext } from './command.ts';
import { formatProjectCommand } from './commandHint.ts';
import type { LoadedPlan } from './projectPlan.ts';

/**
 * Writes the lock file after a change, or prints why it couldn't be written.
 * @param after the project and the instance, read after an apply, a resume, or a rollback
 * @returns whether it was written
 */
export async function updateAppliedLock(
  after: LoadedPlan,
  recorded: Pick<RecordedState, 'lock'>,
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
): Promise<boolean> {
  try {
    await writeAppliedLock(after, recorded);
    return true;
  } catch (error) {
    if (!(error instanceof ProjectWriteError)) {
      throw error;
    }
    output.printMessage(
      `The lock file couldn't be updated. ${error.message} ${formatLockHint(args)}`,
      'warning',
    );
    return false;
  }
}

/**
 * Returns a hint how to update the lock file of a project: with a plain pull. A pull that keeps the versions of the
 * project (`--conflicts ours`) would mark the changes of others as known, so the next apply would overwrite them.
 */
export const formatLockHint = (args: CommandContext['args']): string =>
  `To update it: ${formatProjectCommand(['pull'], args)}`;
