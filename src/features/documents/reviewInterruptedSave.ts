import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import type { RecoveryReviewNeededError } from '../../documents/saveErrors.ts';
import type { SaveIntent } from '../../documents/saveIntent.ts';
import { runCommandForResult } from '../../platform/commands.ts';

/**
 * Lets the user review how the interrupted save of a document is ended, on the same page as from the History view.
 * @returns the intent of the save that continues; `undefined` if the interrupted one wasn't ended
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
