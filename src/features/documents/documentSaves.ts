import * as vscode from 'vscode';
import { CancelledError } from '../../client/errors.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { getDisplayName } from '../../documents/documentAddress.ts';
import { DocumentRefusedError } from '../../documents/refusals.ts';
import { DocumentConflictError } from '../../documents/saveProblems.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { type SaveIntent, keepDecisions } from '../../documents/saveIntent.ts';
import { SaveIntents } from '../../documents/saveIntents.ts';
import type { SaveResult } from '../../documents/saving.ts';
import type { Plan } from '../../changes/model/plan.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { Write } from '../../changes/model/operation.ts';
import { PlanNeededError, type OperationReport } from '../../changes/run/problems.ts';
import { promptForDocumentSecrets } from './promptForSecrets.ts';
import { resolveConflict } from './conflictNotice.ts';
import type { DocumentsDeps } from './deps.ts';
import { findOpenDocument } from './documentUri.ts';
import { SaveProblems } from './saveProblems.ts';
import { SaveOriginTracker } from './saveOriginTracker.ts';
import { showUnverifiedSave } from './unverifiedSaveNotice.ts';

const t = vscode.l10n.t;

interface SaveOutcome {
  readonly saved?: SaveResult;
  readonly error?: unknown;
}

/**
 * Handles everything around a save: a save never waits for the user (decisions.md, "Documents"). One that needs the
 * user is refused at once and stays unsaved; after the user's decision, the document is saved again.
 */
export class DocumentSaves implements Disposable {
  readonly #deps: DocumentsDeps;
  readonly #documents: RemoteDocuments;
  readonly #store = new DisposableStore();
  readonly #saveEvents: SaveOriginTracker;
  readonly #intents = new SaveIntents();
  readonly #problems: SaveProblems;
  /** Documents with an open prompt. */
  readonly #promptingPaths = new Set<string>();
  /** The outcome of the save that an intent was for; a caller may wait for it. */
  readonly #outcomes = new WeakMap<SaveIntent, SaveOutcome>();
  /** Documents for which the user was notified that comments are not kept. */
  readonly #commentNoticeShown = new Set<string>();

  constructor(deps: DocumentsDeps, documents: RemoteDocuments) {
    this.#deps = deps;
    this.#documents = documents;
    this.#saveEvents = this.#store.add(new SaveOriginTracker(deps.clock));
    this.#problems = this.#store.add(new SaveProblems(deps.jsonTrees));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
        if (uri.scheme === schemes.document && contentChanges.length > 0) {
          this.#problems.clear(uri);
        }
      }),
    );
  }

  /** @throws the reason why it is not saved, for the editor to show */
  async write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { path } = uri;
    const unknown = Promise.withResolvers<void>();
    const intended = this.#intents.peek(path);
    let intent: SaveIntent | undefined;
    try {
      const origin = await this.#saveEvents.origin(uri);
      intent = origin === 'editor' ? undefined : this.#intents.take(path, intended);
      // A save that the editor did not announce is the user's if the user has just decided about it.
      if (origin === 'unknown' && intent === undefined) {
        throw new DocumentRefusedError('maybe-not-by-hand');
      }
      const saved = await this.#documents.write(path, content, {
        byHand: origin !== 'editor',
        intent,
        onUnknown: () => showUnverifiedSave(path, unknown.promise),
      });
      this.#recordOutcome(intent, { saved });
      this.#problems.clear(uri);
      this.#noticeDroppedComments(path, saved);
    } catch (error) {
      this.#recordOutcome(intent, { error });
      this.#handleFailure(path, error, { intent: intent ?? {}, text: new TextDecoder().decode(content) });
      throw error;
    } finally {
      unknown.resolve();
    }
  }

  /** Saves the open document, with the user's decisions about that save. */
  saveWith(path: string, intent: SaveIntent): Promise<void> {
    return this.#intents.saveWith(path, intent, async () => findOpenDocument(path)?.save());
  }

  dispose(): void {
    this.#store.dispose();
  }

  /**
   * Offers the user a way to resolve the failure; not awaited by the save.
   * @param tried the text to be saved, and the decisions about it
   */
  #handleFailure(
    path: string,
    error: unknown,
    tried: { readonly intent: SaveIntent; readonly text: string },
  ): void {
    const document = findOpenDocument(path);
    const decided = keepDecisions(tried.intent);
    if (document !== undefined && error instanceof DocumentRefusedError) {
      this.#problems.show(document, error);
    }
    const next = this.#getPrompt(path, error, decided);
    // A conflict is shown again: its notification may be out of sight, and the editor shows the same one only once.
    if (next === undefined || (this.#promptingPaths.has(path) && !(error instanceof DocumentConflictError))) {
      return;
    }
    this.#promptingPaths.add(path);
    void next()
      .finally(() => this.#promptingPaths.delete(path))
      // Whatever else that save needs is asked then.
      .then((intent) => {
        if (intent === undefined) {
          return undefined;
        }
        // Secrets were entered for that text: another may send them elsewhere.
        const { secrets, ...others } = decided;
        const isSame = secrets !== undefined && findOpenDocument(path)?.getText() === tried.text;
        return this.saveWith(path, { ...(isSame ? decided : others), ...intent });
      })
      .catch((failure: unknown) => {
        this.#deps.log.error('documents', 'What follows a refused save failed', { reason: String(failure) });
      });
  }

  /** Returns the prompt for the user; the answer is for the next save, where there is to be one. */
  #getPrompt(
    path: string,
    error: unknown,
    decided: SaveIntent,
  ): (() => Promise<SaveIntent | undefined>) | undefined {
    if (error instanceof DocumentConflictError) {
      return () => resolveConflict(this.#documents, error);
    }
    if (error instanceof PlanNeededError) {
      return () => this.#review(path, error, decided);
    }
    if (!(error instanceof DocumentRefusedError)) {
      return undefined;
    }
    return error.code === 'secrets-needed'
      ? () => promptForSecrets(path, error)
      : error.code === 'maybe-not-by-hand'
        ? () => promptForIntent(path)
        : undefined;
  }

  /** Lets references follow a name that the save changes; then there may be nothing left to review. */
  async #review(path: string, needed: PlanNeededError, decided: SaveIntent): Promise<undefined> {
    const additionalWrites = await this.#followUps(needed.plan);
    if (additionalWrites === 'cancel') {
      return undefined;
    }
    const toReview =
      additionalWrites.length === 0 ? needed : await this.#planWith(path, { ...decided, additionalWrites });
    if (toReview !== undefined) {
      await this.#deps.performer.review(toReview, (approval) =>
        this.#retrySave(path, { ...decided, approval, additionalWrites }),
      );
    }
    return undefined;
  }

  /** If the references cannot be read, the user reviews the plan as it is. */
  async #followUps(plan: Plan): Promise<readonly Write[] | 'cancel'> {
    try {
      return await this.#deps.followUps(plan);
    } catch (error) {
      if (error instanceof CancelledError) {
        return 'cancel';
      }
      const { name } = plan.operation.subject;
      void showWarning(t('It could not be found out who uses {0}. {1}', name, getUserMessage(error)));
      return [];
    }
  }

  /** Saves with additional writes; returns the plan if one is still needed, and nothing when it was saved. */
  async #planWith(path: string, intent: SaveIntent): Promise<PlanNeededError | undefined> {
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

  #recordOutcome(intent: SaveIntent | undefined, outcome: SaveOutcome): void {
    if (intent !== undefined) {
      this.#outcomes.set(intent, outcome);
    }
  }

  /** @throws what the save failed with, and CancellationError where the editor wrote nothing */
  async #retrySave(path: string, intent: SaveIntent): Promise<OperationReport> {
    await this.saveWith(path, intent);
    const outcome = this.#outcomes.get(intent);
    if (outcome?.saved?.report !== undefined) {
      return outcome.saved.report;
    }
    throw outcome?.error ?? new vscode.CancellationError();
  }

  #noticeDroppedComments(path: string, { hasComments }: SaveResult): void {
    if (hasComments && !this.#commentNoticeShown.has(path)) {
      this.#commentNoticeShown.add(path);
      void showInformation(
        t(
          'Saved. The server keeps no comments: those in {0} are only here, until it changes.',
          getDisplayName(path),
        ),
      );
    }
  }
}

/** Only the user knows whether the save was theirs. */
async function promptForIntent(path: string): Promise<SaveIntent | undefined> {
  const save = t('Save to Server');
  const question = t(
    '{0}: auto save is on, and the editor did not say who wants this save.',
    getDisplayName(path),
  );
  return (await showWarning(question, save)) === save ? {} : undefined;
}

async function promptForSecrets(
  path: string,
  { paths }: DocumentRefusedError,
): Promise<SaveIntent | undefined> {
  const secrets = await promptForDocumentSecrets(path, paths);
  return secrets && { secrets };
}
