import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import type { RecoveryReviewNeededError } from '../../documents/saveErrors.ts';
import type { SaveIntent } from '../../documents/saveIntent.ts';
import { runCommandForResult } from '../../platform/commands.ts';

/**
 * Lets the user finish or roll back the interrupted save of a document, after a review on the same page as from the
 * History view.
 * @returns the intent of the next save; `undefined` if the user canceled, so that the save remains interrupted
 */
export async function reviewInterruptedSave(
  documents: Pick<RemoteDocuments, 'handleRecovery'>,
  path: string,
  { connectionId, entryId, recovery }: RecoveryReviewNeededError,
): Promise<SaveIntent | undefined> {
  const command =
    recovery === 'finish' ? 'datamodelStudio.history.finish' : 'datamodelStudio.history.rollBack';
  if ((await runCommandForResult(command, { connectionId, entryId })) !== true) {
    return undefined;
  }
  await documents.handleRecovery(path);
  return {};
}
