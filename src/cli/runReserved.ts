import type { History } from '../changes/journal/history.ts';
import { formatFileError, getFileErrorPath } from './formatFileError.ts';
import type { CommandOutput } from './shell.ts';
import { convertStateFolderErrors } from './target.ts';

/**
 * Runs a function while no other process can change the instance. If the reservation can't be released afterward, only
 * prints a warning, so that the caller can still report what the function has done. The next command replaces the
 * reservation once this process has ended.
 * @throws ClaimedError if another process has reserved the instance
 * @throws CommandRefusedError if the folder of journals can't be used
 */
export async function runReserved<T>(
  connectionId: string,
  {
    history,
    output,
  }: { readonly history: Pick<History, 'reserve'>; readonly output: Pick<CommandOutput, 'printMessage'> },
  run: () => Promise<T>,
): Promise<T> {
  const reservation = await convertStateFolderErrors(() => history.reserve(connectionId));
  try {
    return await run();
  } finally {
    await reservation.release().catch((error: unknown) => {
      const path = getFileErrorPath(error);
      if (path === undefined) {
        throw error;
      }
      output.printMessage(
        `The file that marks the instance as in use couldn't be deleted. ${formatFileError(error)} If other commands are refused because of it, delete ${path}.`,
        'warning',
      );
    });
  }
}
