import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorCode } from '../base/fileErrors.ts';
import type { History } from '../changes/journal/history.ts';
import { getLockPath } from '../project/pull/lock.ts';
import { formatLockHint } from './appliedLockFile.ts';
import type { CommandContext } from './command.ts';
import type { ProjectTarget } from './projectTarget.ts';

/**
 * Warns if the last apply to an environment was finished, but its lock file wasn't updated, because the process was
 * killed in between. The next pull or plan would take the applied changes for changes by other users.
 */
export async function warnOfOutdatedLock(
  history: Pick<History, 'readEntries'>,
  {
    folder,
    environmentName,
    instance: { connection },
  }: Pick<ProjectTarget, 'folder' | 'environmentName'> & {
    readonly instance: { readonly connection: { readonly id: string } };
  },
  {
    args,
    output,
  }: {
    readonly args: CommandContext['args'];
    readonly output: Pick<CommandContext['output'], 'printMessage'>;
  },
): Promise<void> {
  const entries = await history.readEntries(connection.id);
  const last = entries.find(
    ({ operation: { connectionId, project } }) =>
      connectionId === connection.id &&
      project !== undefined &&
      project.folder === folder &&
      project.environment === environmentName,
  );
  const changedAt = await readChangeTime(join(folder, getLockPath(environmentName)));
  if (last?.end === 'done' && (changedAt === undefined || changedAt < last.startedAt)) {
    output.printMessage(
      `The last apply was finished, but the lock file wasn't updated afterward. ${formatLockHint(args)}`,
      'warning',
    );
  }
}

/** Returns when a file was last changed; `undefined` if it doesn't exist. */
async function readChangeTime(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
