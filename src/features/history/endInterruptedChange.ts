import * as vscode from 'vscode';
import { joinNames } from '../../base/joinNames.ts';
import type { HistoryTarget } from '../../contributions.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { findOriginalChange, getUndoneIds } from '../../changes/journal/undoneEntries.ts';
import {
  ConflictError,
  EndedError,
  ReplacedLaterError,
  SecretsNeededError,
  StoppedError,
} from '../../changes/run/writeErrors.ts';
import type { ResumeOptions } from '../../changes/run/recovery.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';
import { ApiError } from '../../client/errors.ts';
import { MissingVariableError } from '../../project/apply/connections.ts';
import { formatCompletedRequests, formatDeniedAccess } from '../../changes/messages/describeStop.ts';
import { describeBuildsToPostpone } from '../../changes/messages/describeBuildsToPostpone.ts';
import { describeHiddenAfterStop } from '../../changes/messages/describeHidden.ts';
import { describeVisibleAfterStop } from '../../changes/messages/describeVisibleUntilBuild.ts';
import { formatUnfinishable } from '../../changes/messages/formatConflict.ts';
import { formatLabeledReason } from '../../changes/messages/stopReason.ts';
import { loadDocumentNames } from '../../changes/run/documentNames.ts';
import { trackProgress } from '../../changes/run/trackProgress.ts';
import { formatProgress } from '../../platform/runProgressTexts.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { formatItemName } from '../../platform/projects/itemNames.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getUserMessage, isCancellation } from '../../platform/userErrors.ts';
import type { HistoryFeatureDeps } from './deps.ts';
import { getEntryTitle } from './historyLabels.ts';

const t = vscode.l10n.t;

// The code that finishing a change, rolling it back, and abandoning it have in common.

/** How long a message stays in the status bar. */
export const statusMessageMs = 5000;

/** The maximum number of items that a notification names. */
const maxUnreadNames = 5;

/** Returns the entry of a row; `undefined` without a row. */
export async function findEntry(
  deps: HistoryFeatureDeps,
  target: HistoryTarget | undefined,
): Promise<HistoryEntry | undefined> {
  if (target?.entryId === undefined) {
    return undefined;
  }
  const { history } = await deps.changeServices();
  return history.readEntry(target.connectionId, target.entryId);
}

/**
 * Explains how to finish, roll back, or abandon a change that was interrupted on the command line. Only the command
 * line can do so, because its journal must record these requests as well.
 */
export async function explainCommand(
  command: 'resume' | 'roll-back' | 'abandon',
  { id }: HistoryEntry,
): Promise<void> {
  const copyLabel = t('Copy Command');
  const text = t(
    'This change was interrupted on the command line. Run "{0}" in a terminal. Add the connection options of the interrupted command, such as --environment or --url, and its --confirm and --state options, if any.',
    `datamodel-studio ${command} ${id} --execute`,
  );
  if ((await showInformation(text, copyLabel)) === copyLabel) {
    await vscode.env.clipboard.writeText(`datamodel-studio ${command} ${id} --execute`);
  }
}

/**
 * Updates the lock file of a project after its apply, or an undo of it, was finished, rolled back, or abandoned, or
 * after the apply was undone: the lock file doesn't match the instance then. If that isn't possible, says what to do or
 * what that means, without waiting until the notification is closed.
 */
export async function updateProjectLock(deps: HistoryFeatureDeps, entry: HistoryEntry): Promise<void> {
  const { history } = await deps.changeServices();
  const originalEntry = await findOriginalChange(entry, { history });
  const { cause, subject, connectionId } = originalEntry.operation;
  const unreadItems = cause === 'apply' ? await deps.recordAppliedState(originalEntry) : [];
  if (unreadItems !== undefined) {
    if (unreadItems.length > 0) {
      void showWarning(
        t(
          "Not everything could be read after the undo, so the lock file of the project {0} isn't complete. The next pull would update the following to match the instance: {1}.",
          subject.name,
          joinNames(unreadItems.map(formatItemName), t, maxUnreadNames),
        ),
      );
    }
    return;
  }
  const entries = await history.readEntries(connectionId);
  const isRolledBack = entries.some(({ id, end }) => id === originalEntry.id && end === 'rolled-back');
  if (isRolledBack || !getUndoneIds(entries).has(originalEntry.id)) {
    void showInformation(t('Pull into the project {0} now to update its lock file.', subject.name));
  } else if (isProjectOpen(originalEntry)) {
    void showWarning(
      t(
        "The lock file of the project {0} couldn't be updated. The next pull would update the files to match the instance.",
        subject.name,
      ),
    );
  }
}

/** Warns of what an ended change shows until the next build, without waiting until the notification is closed. */
export function warnOfVisibleData(sentences: readonly string[]): void {
  if (sentences.length > 0) {
    void showWarning(sentences.join(' '));
  }
}

/**
 * Returns whether the workspace is trusted and contains the project of an apply, so that its lock file can be updated.
 */
export const isProjectOpen = ({ operation: { project } }: HistoryEntry): boolean =>
  project !== undefined &&
  vscode.workspace.isTrusted &&
  vscode.workspace.getWorkspaceFolder(vscode.Uri.file(project.folder)) !== undefined;

/**
 * Returns the option that inserts the secrets of an apply into the writes that finish it: the history doesn't contain
 * them. Returns no option if the project isn't open.
 */
export async function getSecretOptions(
  { connections }: Pick<HistoryFeatureDeps, 'connections'>,
  entry: HistoryEntry,
): Promise<Pick<ResumeOptions, 'insertSecrets'>> {
  if (!isProjectOpen(entry)) {
    return {};
  }
  const { insertConnectionSecrets } = await import('../../project/apply/connectionSecrets.ts');
  const connection = connections.find(entry.operation.connectionId);
  const address = connection?.kind === 'remote' ? connection.url : undefined;
  return {
    insertSecrets: (operation) => insertConnectionSecrets(operation, { variables: process.env, address }),
  };
}

/** The reason with which finishing, rolling back, or abandoning an operation is aborted when the user cancels it. */
class RecoveryCanceledError extends Error {
  override readonly name = 'RecoveryCanceledError';

  constructor() {
    super(t('You canceled the change.'));
  }
}

/** Returns whether an error of {@link awaitCompletion} means that the user canceled before anything was sent. */
export const isCanceledByUser = (error: unknown): boolean =>
  error instanceof RecoveryCanceledError || isCancellation(error);

/**
 * Waits for an operation that finishes, rolls back, or undoes an entry.
 * @throws an Error with a user message if the entry was already ended, for example after a second click, or if it wrote
 *   nothing and a later change has written the same items
 */
export async function explainIfEnded<T>(completion: Promise<T>, entry: HistoryEntry): Promise<T> {
  try {
    return await completion;
  } catch (error) {
    if (error instanceof ReplacedLaterError) {
      const text = t(
        'Nothing to finish or roll back: "{0}" wrote nothing before it stopped, and a later change has written the same items.',
        getEntryTitle(entry),
      );
      throw new Error(text, { cause: error });
    }
    throw error instanceof EndedError
      ? new Error(t('Already finished, rolled back, or undone: {0}', getEntryTitle(entry)), { cause: error })
      : error;
  }
}

/**
 * Ends an interrupted operation, and shows its progress, and its waits for a busy server, in a notification that
 * cancels it.
 * @throws ApiError, or an Error that explains why the operation cannot be finished, or how far it got. A rollback that
 *   needs a review has a ConflictError or a SecretsNeededError as its cause.
 */
export async function awaitCompletion<T>(
  run: (control: Pick<RunOptions, 'signal' | 'onProgress' | 'onWait' | 'onQueued'>) => Promise<T>,
  entry: HistoryEntry,
): Promise<T> {
  const title = getEntryTitle(entry);
  try {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: toPlainText(title),
      cancellable: true,
    };
    return await vscode.window.withProgress(options, (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort(new RecoveryCanceledError()));
      const progressOptions = trackProgress(entry.operation, (step) =>
        progress.report({ message: formatProgress(step) }),
      );
      return explainIfEnded(run({ ...progressOptions, signal: abort.signal }), entry);
    });
  } catch (error) {
    if (error instanceof StoppedError) {
      throw createStopError(error);
    }
    if (error instanceof ConflictError) {
      throw new Error(formatUnfinishable(t, error, title), { cause: error });
    }
    if (error instanceof MissingVariableError) {
      const text = t(
        'Can\'t finish "{0}": the environment variable {1} isn\'t set, and the history contains no secrets. Start VS Code with this variable, or roll the change back.',
        title,
        error.variable,
      );
      throw new Error(text, { cause: error });
    }
    if (error instanceof SecretsNeededError) {
      throw new Error(t('Can\'t finish "{0}": secrets aren\'t stored. Roll it back and try again.', title), {
        cause: error,
      });
    }
    throw error;
  }
}

/**
 * Returns the error to show for an operation that has stopped again. If nothing was changed, that is the cause alone.
 */
export function createStopError(error: StoppedError): unknown {
  const { cause, changedNothing, mayTakeEffectLater, report } = error;
  if (changedNothing && !mayTakeEffectLater) {
    return cause;
  }
  const sentences = changedNothing
    ? [
        formatLabeledReason(t, error, getUserMessage),
        t('Nothing has changed on the server so far, but a request might still take effect.'),
      ]
    : [
        t('Stopped.'),
        formatCompletedRequests(t, report),
        formatLabeledReason(t, error, getUserMessage),
        ...formatDeniedAccess(t, report),
        ...describeBuildsToPostpone(t, report),
        ...describeVisibleAfterStop(t, report),
        ...describeHiddenAfterStop(t, report),
        t('You can finish the change or roll it back in the History view.'),
      ];
  return new Error(sentences.filter((sentence) => sentence !== '').join(' '), { cause: error });
}

/** Loads names that the journal doesn't contain from the instance; returns none if it can't be read. */
export async function loadNames(
  { sessions }: HistoryFeatureDeps,
  entry: HistoryEntry,
): Promise<ReadonlyMap<string, string>> {
  try {
    const { client } = await sessions.get(entry.operation.connectionId);
    return await loadDocumentNames([entry], client);
  } catch (error) {
    if (error instanceof ApiError) {
      return new Map();
    }
    throw error;
  }
}
