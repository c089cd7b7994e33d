import * as vscode from 'vscode';
import { CanceledError } from '../../client/errors.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { getDisplayName, getDocumentPath } from '../../documents/documentAddress.ts';
import { DocumentRefusedError, type RefusalCode } from '../../documents/refusals.ts';
import {
  ConnectionLockedError,
  DocumentConflictError,
  ErrorsFoundError,
  IncompleteSaveError,
  RecoveryReviewNeededError,
} from '../../documents/saveErrors.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { type SaveIntent, getRemainingDecisions } from '../../documents/saveIntent.ts';
import { SaveIntents } from '../../documents/saveIntents.ts';
import type { SaveResult } from '../../documents/saving.ts';
import type { Plan } from '../../changes/model/plan.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showError, showInformation, showWarning } from '../../platform/messages.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { Write } from '../../changes/model/operation.ts';
import { PlanNeededError, type OperationReport } from '../../changes/run/writeErrors.ts';
import { findErrorMessages, confirmSaveWithErrors } from './errorsBeforeSave.ts';
import { promptForDocumentSecrets } from './promptForDocumentSecrets.ts';
import { type ConflictDeps, mergeWithServer, resolveConflict } from './resolveConflict.ts';
import { createSaveControl } from './createSaveControl.ts';
import type { DocumentsDeps } from './deps.ts';
import { findOpenDocument } from './openDocuments.ts';
import { describeRefusal } from './refusalMessages.ts';
import { MergeEditors } from './mergeEditors.ts';
import { isNewRulePath, promptForEveryoneElseDecision, showCreatedRule } from './newRules.ts';
import type { ServerVersions } from './serverVersions.ts';
import { reviewInterruptedSave } from './reviewInterruptedSave.ts';
import { SaveProblems } from './saveProblems.ts';
import { SaveTriggerTracker } from './saveTriggerTracker.ts';
import { UnsavedDocuments } from './unsavedDocuments.ts';
import { showUnverifiedSave } from './unverifiedSaveNotice.ts';

const t = vscode.l10n.t;

/** The text of a failed save, and the decisions of the user that it was made with. */
interface SaveAttempt {
  readonly intent: SaveIntent;
  readonly text: string;
}

interface SaveOutcome {
  readonly result?: SaveResult;
  readonly error?: unknown;
}

/**
 * Saves documents and resolves failures with the user. A save never waits for the user (decisions.md, "Documents"): if
 * it needs a decision, it fails immediately, the user is asked, and the document is saved again with the decision.
 */
export class DocumentSaves implements Disposable {
  readonly unsavedDocuments: UnsavedDocuments;
  readonly #deps: DocumentsDeps;
  readonly #documents: RemoteDocuments;
  readonly #store = new DisposableStore();
  readonly #triggerTracker: SaveTriggerTracker;
  readonly #intents = new SaveIntents();
  readonly #mergeEditors: MergeEditors;
  readonly #problems: SaveProblems;
  /** The paths of documents for which the user is being asked. */
  readonly #promptingPaths = new Set<string>();
  /** The outcomes of saves, by their intent. */
  readonly #outcomes = new WeakMap<SaveIntent, SaveOutcome>();
  /** The names of rules that were created by the last save of a document, by its path. */
  readonly #createdNames = new Map<string, string>();
  /** The paths of documents for which the user was notified that the server does not keep comments. */
  readonly #commentNoticePaths = new Set<string>();

  constructor(deps: DocumentsDeps, documents: RemoteDocuments, versions: ServerVersions) {
    this.#deps = deps;
    this.#documents = documents;
    this.unsavedDocuments = this.#store.add(new UnsavedDocuments());
    this.#triggerTracker = this.#store.add(new SaveTriggerTracker(deps.clock));
    this.#mergeEditors = this.#store.add(new MergeEditors(versions));
    this.#problems = this.#store.add(new SaveProblems(deps.jsonTrees));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
        if (uri.scheme === schemes.document && contentChanges.length > 0) {
          this.#problems.clear(uri);
        }
      }),
    );
  }

  /**
   * Saves a document that VS Code writes. If the user has to decide something first, keeps the document unsaved and
   * asks the user, without an error in VS Code.
   * @throws the error to show in VS Code if the document was not saved
   */
  async write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const path = getDocumentPath(uri);
    const saveCompletion = Promise.withResolvers<void>();
    const pendingIntent = this.#intents.peek(path);
    let intent: SaveIntent | undefined;
    try {
      const trigger = await this.#triggerTracker.getTrigger(uri);
      intent = trigger === 'autoSave' ? undefined : this.#intents.take(path, pendingIntent);
      // If VS Code fired no event for the save, it counts as requested by the user only if the user has just decided
      // about this document.
      if (trigger === 'unknown' && intent === undefined) {
        throw new DocumentRefusedError('maybe-not-explicit');
      }
      const saveResult = await this.#documents.write(path, content, {
        isExplicit: trigger !== 'autoSave',
        intent,
        reviewsGains: true,
        isLocked: (connectionId) => this.#isWriteRefused(connectionId),
        findErrors: (replacedNames) => findErrorMessages(uri, replacedNames),
        onResponseLost: () => showUnverifiedSave(path, saveCompletion.promise),
        control: createSaveControl(path, saveCompletion.promise, this.#deps.clock),
      });
      this.#recordOutcome(intent, { result: saveResult });
      if (isNewRulePath(path)) {
        this.#createdNames.set(path, saveResult.report?.operation.subject.name ?? '');
      }
      this.#problems.clear(uri);
      this.#notifyDroppedComments(path, saveResult);
    } catch (error) {
      this.#recordOutcome(intent, { error });
      const attempt = { intent: intent ?? {}, text: new TextDecoder().decode(content) };
      const prompt = this.#getPrompt(path, error, attempt);
      const document = findOpenDocument(path);
      // Called when VS Code has completed the write: keeping the document unsaved changes it, which clears its
      // problems.
      const ask = (): void => {
        if (document !== undefined && error instanceof DocumentRefusedError) {
          this.#problems.show(document, error);
        }
        if (prompt !== undefined) {
          this.#ask(path, { error, attempt, prompt });
        }
      };
      const staysUnsaved =
        document !== undefined &&
        canStayUnsaved(error, prompt) &&
        (await this.unsavedDocuments.keepUnsaved(document, ask));
      if (!staysUnsaved) {
        ask();
        throw error;
      }
    } finally {
      saveCompletion.resolve();
    }
  }

  /** Saves an open document with the decisions that the user has made, such as to overwrite the server's version. */
  saveWith(path: string, intent: SaveIntent): Promise<void> {
    return this.#intents.saveWith(path, intent, async () => findOpenDocument(path)?.save());
  }

  /** Shows the rule that the last save of a document has created; called when VS Code has completed the save. */
  async revealCreatedRule(uri: vscode.Uri): Promise<void> {
    const path = getDocumentPath(uri);
    const name = this.#createdNames.get(path);
    const identity = this.#documents.getIdentity(path);
    if (name !== undefined && identity !== undefined) {
      this.#createdNames.delete(path);
      await showCreatedRule(uri, path, { identity, name });
    }
  }

  /** Merges the server's version into an open document. */
  merge(path: string): Promise<void> {
    return mergeWithServer(this.#conflictDeps, path);
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #conflictDeps(): ConflictDeps {
    const { userDirectories, log } = this.#deps;
    return { documents: this.#documents, mergeEditors: this.#mergeEditors, userDirectories, log };
  }

  /** Asks the user how to resolve a failed save. The save does not wait for the answer. */
  #ask(
    path: string,
    {
      error,
      attempt,
      prompt,
    }: {
      readonly error: unknown;
      readonly attempt: SaveAttempt;
      readonly prompt: () => Promise<SaveIntent | undefined>;
    },
  ): void {
    // A conflict is shown again, because its notification may have been hidden without an answer.
    if (this.#promptingPaths.has(path) && !(error instanceof DocumentConflictError)) {
      return;
    }
    const decisions = getRemainingDecisions(attempt.intent);
    this.#promptingPaths.add(path);
    void prompt()
      .finally(() => this.#promptingPaths.delete(path))
      .then((intent) => {
        if (intent === undefined) {
          return undefined;
        }
        // Secrets were entered for this text: a changed text might send them to another server.
        const { secretAnswers, ...decisionsWithoutSecrets } = decisions;
        const canReuseSecrets =
          secretAnswers !== undefined && findOpenDocument(path)?.getText() === attempt.text;
        return this.saveWith(path, { ...(canReuseSecrets ? decisions : decisionsWithoutSecrets), ...intent });
      })
      .catch((failure: unknown) => {
        this.#deps.log.error('documents', 'Asking the user about a refused save failed', {
          reason: String(failure),
        });
        void showError(
          failure instanceof DocumentRefusedError ? describeRefusal(failure) : getUserMessage(failure),
        );
      });
  }

  /**
   * Returns the prompt that lets the user resolve an error; `undefined` if there is none. The prompt returns the intent
   * of the next save; `undefined` if the document should not be saved again.
   */
  #getPrompt(
    path: string,
    error: unknown,
    { intent, text }: SaveAttempt,
  ): (() => Promise<SaveIntent | undefined>) | undefined {
    const decisions = getRemainingDecisions(intent);
    if (error instanceof DocumentConflictError) {
      // The merge editor saves when it opens, and shows the conflicts itself.
      return this.#mergeEditors.consumeOpeningSave(path, text)
        ? () => Promise.resolve(undefined)
        : () => resolveConflict(this.#conflictDeps, error);
    }
    if (error instanceof PlanNeededError) {
      return () => this.#review(path, error, decisions);
    }
    if (error instanceof RecoveryReviewNeededError) {
      return () => reviewInterruptedSave(this.#documents, path, error);
    }
    if (error instanceof ErrorsFoundError) {
      return () => confirmSaveWithErrors(path, error);
    }
    if (error instanceof ConnectionLockedError) {
      return async () => ((await ensureWritable(this.#deps, error.connectionId)) ? {} : undefined);
    }
    if (!(error instanceof DocumentRefusedError)) {
      return undefined;
    }
    const prompts: Partial<Record<RefusalCode, () => Promise<SaveIntent | undefined>>> = {
      'secrets-needed': () => promptForSecrets(path, error),
      'default-rule-undecided': () => promptForEveryoneElseDecision(error),
      'maybe-not-explicit': () => promptForIntent(path),
    };
    return prompts[error.code] ?? (isTextRefusal(error.code) ? () => showRefusal(error) : undefined);
  }

  /** Asks whether to update references to a renamed item, then shows Review Changes if the save still requires it. */
  async #review(path: string, planNeededError: PlanNeededError, decisions: SaveIntent): Promise<undefined> {
    const additionalWrites = await this.#planReferenceWrites(planNeededError.plan);
    if (additionalWrites === 'cancel') {
      return undefined;
    }
    const remainingError =
      additionalWrites.length === 0
        ? planNeededError
        : await this.#trySaveWithoutReview(path, { ...decisions, additionalWrites });
    if (remainingError !== undefined) {
      try {
        await this.#deps.changeReview.review(remainingError, (approval, control) =>
          this.#retrySave(path, { ...decisions, approval, control, additionalWrites }),
        );
      } catch (error) {
        // VS Code shows why the save failed, and the user was asked what to do about a conflict.
        if (!(error instanceof DocumentConflictError || error instanceof IncompleteSaveError)) {
          throw error;
        }
      }
    }
    return undefined;
  }

  /** Returns the writes that update references; none if the references cannot be read. */
  async #planReferenceWrites(plan: Plan): Promise<readonly Write[] | 'cancel'> {
    try {
      return await this.#deps.planReferenceUpdates(plan);
    } catch (error) {
      if (error instanceof CanceledError) {
        return 'cancel';
      }
      const { name } = plan.operation.subject;
      void showWarning(t("Can't find references to {0}. {1}", name, getUserMessage(error)));
      return [];
    }
  }

  /**
   * Saves with additional writes. Returns the error if a review is still required; `undefined` if the save succeeded.
   */
  async #trySaveWithoutReview(path: string, intent: SaveIntent): Promise<PlanNeededError | undefined> {
    try {
      await this.#retrySave(path, intent);
      return undefined;
    } catch (error) {
      if (error instanceof PlanNeededError) {
        return error;
      }
      throw error;
    }
  }

  /** Returns whether the lock or the role of a connection refuses writes. */
  #isWriteRefused(connectionId: string): boolean {
    const connection = this.#deps.connections.find(connectionId);
    return connection !== undefined && this.#deps.locks.getRefusal(connection) !== undefined;
  }

  #recordOutcome(intent: SaveIntent | undefined, outcome: SaveOutcome): void {
    if (intent !== undefined) {
      this.#outcomes.set(intent, outcome);
    }
  }

  /** @throws the error of the save, or CancellationError if VS Code did not save the document */
  async #retrySave(path: string, intent: SaveIntent): Promise<OperationReport> {
    await this.saveWith(path, intent);
    const outcome = this.#outcomes.get(intent);
    if (outcome?.result?.report !== undefined) {
      return outcome.result.report;
    }
    throw outcome?.error ?? new vscode.CancellationError();
  }

  #notifyDroppedComments(path: string, { hasComments }: SaveResult): void {
    if (hasComments && !this.#commentNoticePaths.has(path)) {
      this.#commentNoticePaths.add(path);
      void showInformation(
        t(
          "Saved. The server doesn't store comments. Comments in {0} are kept only in the editor, until the resource changes.",
          getDisplayName(path),
        ),
      );
    }
  }
}

/**
 * Returns whether a document can stay unsaved without an error, because the user is asked instead. This is not possible
 * if it is unknown who requested the save: auto save is on in that case, and would save again immediately.
 */
const canStayUnsaved = (error: unknown, prompt: unknown): boolean =>
  prompt !== undefined && !(error instanceof DocumentRefusedError && error.code === 'maybe-not-explicit');

/** Returns whether a save was refused because of its text. The user corrects the text in the editor. */
const isTextRefusal = (code: RefusalCode): boolean =>
  ['not-json', 'wrong-shape', 'not-editable', 'not-removable', 'unknown-item', 'not-allowed'].includes(code);

/** Shows why a text was refused. Does not wait until the user has read it: the next save may be refused, too. */
async function showRefusal(error: DocumentRefusedError): Promise<undefined> {
  void showWarning(describeRefusal(error));
}

/** Asks whether the user requested the save, if that is unknown. */
async function promptForIntent(path: string): Promise<SaveIntent | undefined> {
  const saveLabel = t('Save to Server');
  const question = t(
    "Auto Save is on, so it's unclear whether you saved {0} yourself. Save it to the server?",
    getDisplayName(path),
  );
  return (await showWarning(question, saveLabel)) === saveLabel ? {} : undefined;
}

async function promptForSecrets(
  path: string,
  { paths }: DocumentRefusedError,
): Promise<SaveIntent | undefined> {
  const secrets = await promptForDocumentSecrets(path, paths);
  return secrets && { secretAnswers: secrets };
}
