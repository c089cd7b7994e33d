import * as vscode from 'vscode';
import { CancelledError } from '../../client/errors.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { shownName } from '../../documents/documentAddress.ts';
import { DocumentRefusal } from '../../documents/refusals.ts';
import { DocumentConflict } from '../../documents/saveProblems.ts';
import type { RemoteDocuments } from '../../documents/remoteDocuments.ts';
import { type SaveIntent, stillDecided } from '../../documents/saveIntent.ts';
import { SaveIntents } from '../../documents/saveIntents.ts';
import type { Saved } from '../../documents/saving.ts';
import type { Plan } from '../../changes/model/plan.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { userMessage } from '../../platform/userErrors.ts';
import type { Write } from '../../changes/model/operation.ts';
import { PlanNeededError, type Report } from '../../changes/run/problems.ts';
import { askSecrets } from './askSecrets.ts';
import { tellConflict } from './conflictNotice.ts';
import type { DocumentsDeps } from './deps.ts';
import { openDocument } from './documentUri.ts';
import { SaveProblems } from './problems.ts';
import { SaveEvents } from './saveEvents.ts';
import { tellUnknown } from './unknownNotice.ts';

const t = vscode.l10n.t;

interface Outcome {
  readonly saved?: Saved;
  readonly error?: unknown;
}

/**
 * What happens around a save: a save never waits for a person (design.md, section 8). One that needs a person is
 * refused at once and stays unsaved; when the person has decided, the document is saved again.
 */
export class DocumentSaves implements Disposable {
  readonly #deps: DocumentsDeps;
  readonly #documents: RemoteDocuments;
  readonly #store = new DisposableStore();
  readonly #reasons: SaveEvents;
  readonly #intents = new SaveIntents();
  readonly #problems: SaveProblems;
  /** Documents about which a person is being asked. */
  readonly #asking = new Set<string>();
  /** How the save ended that an intent was for; somebody may wait for it. */
  readonly #outcomes = new WeakMap<SaveIntent, Outcome>();
  /** Documents of which it was told that comments are not kept. */
  readonly #toldOfComments = new Set<string>();

  constructor(deps: DocumentsDeps, documents: RemoteDocuments) {
    this.#deps = deps;
    this.#documents = documents;
    this.#reasons = this.#store.add(new SaveEvents(deps.clock));
    this.#problems = this.#store.add(new SaveProblems(deps.jsonTrees));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
        if (uri.scheme === schemes.document && contentChanges.length > 0) {
          this.#problems.clear(uri);
        }
      }),
    );
  }

  /** @throws the reason why it is not saved, for the editor to tell */
  async write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { path } = uri;
    const unknown = Promise.withResolvers<void>();
    const intended = this.#intents.waiting(path);
    let intent: SaveIntent | undefined;
    try {
      const origin = await this.#reasons.origin(uri);
      intent = origin === 'editor' ? undefined : this.#intents.take(path, intended);
      // One that the editor did not announce is a person's where a person has just decided about it.
      if (origin === 'unknown' && intent === undefined) {
        throw new DocumentRefusal('maybe-not-by-hand');
      }
      const saved = await this.#documents.write(path, content, {
        byHand: origin !== 'editor',
        intent,
        onUnknown: () => tellUnknown(path, unknown.promise),
      });
      this.#ended(intent, { saved });
      this.#problems.clear(uri);
      this.#tellOfComments(path, saved);
    } catch (error) {
      this.#ended(intent, { error });
      this.#follow(path, error, { intent: intent ?? {}, text: new TextDecoder().decode(content) });
      throw error;
    } finally {
      unknown.resolve();
    }
  }

  /** Saves the document as it is open, with what the person decided about that save. */
  saveWith(path: string, intent: SaveIntent): Promise<void> {
    return this.#intents.saveWith(path, intent, async () => openDocument(path)?.save());
  }

  dispose(): void {
    this.#store.dispose();
  }

  /**
   * What a person can do about it; not awaited by the save.
   * @param tried what was to be saved, and what was decided about it
   */
  #follow(path: string, error: unknown, tried: { readonly intent: SaveIntent; readonly text: string }): void {
    const document = openDocument(path);
    const decided = stillDecided(tried.intent);
    if (document !== undefined && error instanceof DocumentRefusal) {
      this.#problems.show(document, error);
    }
    const next = this.#decision(path, error, decided);
    // A conflict is told anew: what was told of it may be out of sight, and the editor shows the same only once.
    if (next === undefined || (this.#asking.has(path) && !(error instanceof DocumentConflict))) {
      return;
    }
    this.#asking.add(path);
    void next()
      .finally(() => this.#asking.delete(path))
      // What that save needs besides is asked then.
      .then((intent) => {
        if (intent === undefined) {
          return undefined;
        }
        // Secrets were given for that text: another may send them elsewhere.
        const { secrets, ...others } = decided;
        const isSame = secrets !== undefined && openDocument(path)?.getText() === tried.text;
        return this.saveWith(path, { ...(isSame ? decided : others), ...intent });
      })
      .catch((failure: unknown) => {
        this.#deps.log.error('documents', 'What follows a refused save failed', { reason: String(failure) });
      });
  }

  /** Asks the person; the answer is for the save that follows, where there is to be one. */
  #decision(
    path: string,
    error: unknown,
    decided: SaveIntent,
  ): (() => Promise<SaveIntent | undefined>) | undefined {
    if (error instanceof DocumentConflict) {
      return () => tellConflict(this.#documents, error);
    }
    if (error instanceof PlanNeededError) {
      return () => this.#review(path, error, decided);
    }
    if (!(error instanceof DocumentRefusal)) {
      return undefined;
    }
    return error.code === 'secrets-needed'
      ? () => secretsFor(path, error)
      : error.code === 'maybe-not-by-hand'
        ? () => askIntent(path)
        : undefined;
  }

  /** What goes by a name that the save changes may be renamed along; then there may be nothing left to look at. */
  async #review(path: string, needed: PlanNeededError, decided: SaveIntent): Promise<undefined> {
    const along = await this.#followUps(needed.plan);
    if (along === 'cancel') {
      return undefined;
    }
    const toReview = along.length === 0 ? needed : await this.#planWith(path, { ...decided, along });
    if (toReview !== undefined) {
      await this.#deps.performer.review(toReview, (permit) =>
        this.#saveAgain(path, { ...decided, permit, along }),
      );
    }
    return undefined;
  }

  /** Where nobody can look who goes by the names, the person looks at the plan as it is. */
  async #followUps(plan: Plan): Promise<readonly Write[] | 'cancel'> {
    try {
      return await this.#deps.followUps(plan);
    } catch (error) {
      if (error instanceof CancelledError) {
        return 'cancel';
      }
      const { name } = plan.operation.subject;
      void showWarning(t('It could not be found out who uses {0}. {1}', name, userMessage(error)));
      return [];
    }
  }

  /** Saves with other writes behind; the plan that it needs nevertheless, and nothing when it was saved. */
  async #planWith(path: string, intent: SaveIntent): Promise<PlanNeededError | undefined> {
    try {
      await this.#saveAgain(path, intent);
      return undefined;
    } catch (error) {
      if (error instanceof PlanNeededError) {
        return error;
      }
      throw error;
    }
  }

  #ended(intent: SaveIntent | undefined, outcome: Outcome): void {
    if (intent !== undefined) {
      this.#outcomes.set(intent, outcome);
    }
  }

  /** @throws what the save failed with, and CancellationError where the editor wrote nothing */
  async #saveAgain(path: string, intent: SaveIntent): Promise<Report> {
    await this.saveWith(path, intent);
    const outcome = this.#outcomes.get(intent);
    if (outcome?.saved?.report !== undefined) {
      return outcome.saved.report;
    }
    throw outcome?.error ?? new vscode.CancellationError();
  }

  #tellOfComments(path: string, { hasComments }: Saved): void {
    if (hasComments && !this.#toldOfComments.has(path)) {
      this.#toldOfComments.add(path);
      void showInformation(
        t(
          'Saved. The server keeps no comments: those in {0} are only here, until it changes.',
          shownName(path),
        ),
      );
    }
  }
}

/** Nobody but the person knows whether it was they who saved. */
async function askIntent(path: string): Promise<SaveIntent | undefined> {
  const save = t('Save to Server');
  const question = t(
    '{0}: auto save is on, and the editor did not say who wants this save.',
    shownName(path),
  );
  return (await showWarning(question, save)) === save ? {} : undefined;
}

async function secretsFor(path: string, { paths }: DocumentRefusal): Promise<SaveIntent | undefined> {
  const secrets = await askSecrets(path, paths);
  return secrets && { secrets };
}
