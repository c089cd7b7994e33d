import { ApiError } from '../client/errors.ts';
import type { Clock } from '../base/clock.ts';
import { maskConnectorDocument } from '../base/secrets/maskSecrets.ts';
import { isLiveReplacement } from '../changes/rules/ruleWrites.ts';
import { ConflictError, type OperationReport } from '../changes/run/writeErrors.ts';
import type { BaseStorage } from './baseStorage.ts';
import { jsonEquals } from '../base/canonicalJson.ts';
import { type DocumentIdentity, readDocumentPath } from './documentAddress.ts';
import type { DocumentMerge } from './documentMerge.ts';
import type { DocumentStat, DocumentState } from './documentState.ts';
import { type DocumentEditor, DocumentStates } from './documentStates.ts';
import { createDocumentHandler } from './kinds/documentHandler.ts';
import { containsRules, isInterruptedSaveFinished } from './interruptedSave.ts';
import { DocumentRefusedError } from './refusals.ts';
import { ConnectionLockedError, ErrorsFoundError, IncompleteSaveError } from './saveErrors.ts';
import type { RuleAliases } from './ruleAliases.ts';
import type { DocumentWriter, SaveHost } from './saveHost.ts';
import type { SaveControl, SaveIntent } from './saveIntent.ts';
import { type SaveResult, saveDocument } from './saving.ts';
import { isNewRuleId } from '../catalog/newRuleId.ts';
import { getValueAt } from '../changes/model/outputRefs.ts';
import { type DocumentSessions, ServerDocumentCache } from './serverDocumentCache.ts';
import type { Version } from './version.ts';

/** The maximum age of a cached response on opening: the editor calls stat and then read, which share a request. */
const maxAgeOnOpenMs = 1000;

/** The maximum age on saving: the editor has just checked the file, and the writer checks again before it sends. */
const maxAgeOnSaveMs = 10_000;

export interface RemoteDocumentsDeps {
  readonly sessions: DocumentSessions;
  /** Loads the writer; first called by the first save. */
  readonly getWriter: () => Promise<DocumentWriter>;
  readonly clock: Clock;
  readonly editor: DocumentEditor;
  readonly baseStorage: BaseStorage;
  readonly aliases: RuleAliases;
}

/** The origin of a save, and the user's decisions about it. */
export interface SaveOptions {
  /** False for automatic saves: after a delay, on focus change, after a refactoring. */
  readonly isExplicit: boolean;
  /** The user's decisions about exactly this save. */
  readonly intent?: SaveIntent | undefined;
  /** Returns whether the connection must be unlocked before anything is sent. */
  readonly isLocked?: (connectionId: string) => boolean;
  /** Returns the messages of the errors that the document has in the editor, apart from uses of these names. */
  readonly findErrors?: (replacedNames: readonly string[]) => readonly string[];
  /** Whether the user reviews a change of rules or relations that may give someone access. */
  readonly reviewsGains?: boolean;
  /** Called when the response of a write was lost and the server is checked. */
  readonly onResponseLost?: () => void;
  /** Shows the progress of a save whose intent has no control, and lets the user cancel it. */
  readonly control?: SaveControl;
}

/**
 * The documents of all connections as files: their content, length and modification time. A document counts as changed
 * only if its content differs, not its formatting: the bytes that the user saved are kept as long as the server's
 * content is equivalent (decisions.md, "Documents").
 */
export class RemoteDocuments {
  readonly #deps: RemoteDocumentsDeps;
  readonly #cache: ServerDocumentCache;
  readonly #states: DocumentStates;

  constructor(deps: RemoteDocumentsDeps) {
    this.#deps = deps;
    this.#cache = new ServerDocumentCache(deps.sessions, deps.clock);
    this.#states = new DocumentStates({ ...deps, cache: this.#cache });
  }

  /**
   * Returns the modification time and size. The editor calls this before it reads and before it writes; with unsaved
   * changes the cache is not used, so that the write that follows knows of a newer version.
   * @throws DocumentRefusedError `not-opened` for a path that is not a document, `gone` if the server lacks it
   * @throws ApiError
   */
  async stat(path: string): Promise<DocumentStat> {
    const state = await this.#states.getOrRestore(path);
    const { version, mtime } =
      state.isAwaitingEditor && state.serverVersion !== undefined
        ? state.serverVersion
        : await this.#states.refresh(state, this.#deps.editor.isDirty(path) ? 0 : maxAgeOnOpenMs);
    const { editorStat } = state;
    if (
      editorStat !== undefined &&
      editorStat.mtime < mtime &&
      (await isInterruptedSaveFinished(state, this.#deps.getWriter))
    ) {
      // The newer version is the result of our own interrupted save. With the time that the editor knows, the editor
      // does not report a conflict; the next save finds the version.
      return { mtime: editorStat.mtime, size: version.bytes.length, isReadOnly: state.handler.isReadOnly };
    }
    return { mtime, size: version.bytes.length, isReadOnly: state.handler.isReadOnly };
  }

  /**
   * Stores the text on the server. If the server accepts the text, it becomes the content and the base of the
   * document. If only a part was written, the version on the server becomes the base, unless the next save has to roll
   * that part back.
   * @throws the errors of {@link saveDocument}, and DocumentRefusedError for a save that the user did not ask for
   */
  async write(path: string, bytes: Uint8Array, options: SaveOptions): Promise<SaveResult> {
    if (!options.isExplicit) {
      throw new DocumentRefusedError('not-explicit');
    }
    const state = await this.#states.getOrRestore(path);
    if (state.base === undefined && !this.#deps.editor.isDirty(path)) {
      throw new DocumentRefusedError('not-opened');
    }
    if (state.serverDocument?.isMasked === true) {
      this.#cache.invalidate(state.identity);
    }
    try {
      const result = await saveDocument(state, this.#createHost(state, options), bytes);
      this.#applyResult(state, result);
      return result;
    } catch (error) {
      // If another user has changed the document meanwhile, the server's version is not the result of our writes.
      if (
        error instanceof IncompleteSaveError &&
        (error.progress.doneCount > 0 || error.progress.hasPartialWrite) &&
        !(error.cause instanceof ConflictError)
      ) {
        await this.#adoptOwnChanges(path);
      }
      throw error;
    }
  }

  /**
   * Called when the editor has been informed that its save was accepted.
   * @returns whether the server stored a different version, which the editor has to read
   */
  async acknowledgeSave(path: string): Promise<boolean> {
    const state = this.#states.find(path);
    if (state === undefined || !state.isAwaitingEditor) {
      return false;
    }
    state.isAwaitingEditor = false;
    const { serverVersion } = state;
    return (
      (await this.#states.refresh(this.#states.getOrCreate(path), Number.POSITIVE_INFINITY)) !== serverVersion
    );
  }

  /** Returns the server's current version of the document. */
  async readServerVersion(path: string): Promise<Version> {
    return (await this.#states.refresh(await this.#states.getOrRestore(path), 0)).version;
  }

  /**
   * Merges the user's text and the server's document, and returns the conflicts. Nothing is saved.
   * @throws DocumentRefusedError when the text cannot be read
   */
  async merge(path: string, text: string): Promise<DocumentMerge> {
    // Import first: between reading the version below and merging it, nothing may be awaited.
    const { mergeDocument } = await import('./documentMerge.ts');
    const state = await this.#states.getOrRestore(path);
    const { version } = await this.#states.refresh(state, 0);
    return mergeDocument(state, version, text);
  }

  /** Called after a merge: the user's text is now based on this version, so that the editor does not ask again. */
  adopt(path: string, theirs: Version): void {
    const state = this.#states.find(path);
    if (state !== undefined) {
      this.#states.adopt(state, theirs);
    }
  }

  /** Called after a merge with conflicts: until they are resolved, a save is a conflict. */
  beginMerge(path: string, versions: { readonly base: Version; readonly theirs: Version }): void {
    const state = this.#states.find(path);
    if (state !== undefined) {
      this.#states.beginMerge(state, versions);
    }
  }

  /**
   * Called when the user begins to change the document: its base is stored, in case the window closes. A base with
   * unmasked secrets is not stored.
   */
  async handleEdit(path: string): Promise<void> {
    const state = this.#states.find(path);
    if (state?.base === undefined || state.editorStat === undefined) {
      return;
    }
    if (state.base !== state.storedBase && !hasSecrets(state.base)) {
      state.storedBase = state.base;
      await this.#deps.baseStorage.write(path, { text: state.base.text, ...state.editorStat });
    }
  }

  /** Returns the content of the document, in UTF-8. */
  async read(path: string): Promise<Uint8Array> {
    const state = await this.#states.getOrRestore(path);
    const shownVersion = await this.#states.refresh(state, maxAgeOnOpenMs);
    state.lastReadVersion = shownVersion;
    // Reading the file while its editor has changes (a comparison) does not change their base.
    if (!this.#deps.editor.isDirty(path)) {
      this.#states.setBase(state, shownVersion);
    }
    return shownVersion.version.bytes;
  }

  /** Called when the document no longer has unsaved changes, because they were undone or reverted. */
  handleUndoneChanges(path: string, text: string): void {
    const state = this.#states.find(path);
    if (state?.lastReadVersion !== undefined && isSameText(state.lastReadVersion.version.text, text)) {
      this.#states.setBase(state, state.lastReadVersion);
    }
    this.#states.deleteStoredBase(path);
  }

  /** Called when the document may have changed on the server. */
  handleServerChange(path: string): void {
    const document = readDocumentPath(path);
    if (document !== undefined) {
      this.#cache.invalidate(document);
    }
  }

  /** Returns the current identity of an open document. */
  getIdentity(path: string): DocumentIdentity | undefined {
    return this.#states.find(path)?.identity;
  }

  /**
   * Called when the user has finished the interrupted save of the document, or rolled it back. Both would have stopped
   * at rules that other users have changed, so the server's rules result from our own writes.
   */
  async handleRecovery(path: string): Promise<void> {
    const state = this.#states.find(path);
    if (state?.interruptedSave === undefined) {
      return;
    }
    if (state.interruptedSave.recovery === 'roll-back') {
      delete state.interruptedSave;
    }
    this.#cache.invalidate(state.identity);
    if (containsRules(state)) {
      await this.#adoptOwnChanges(path);
    }
  }

  /** Called when the document is closed. */
  handleClose(path: string): void {
    this.#states.close(path);
  }

  /** Returns the other documents that are based on the same response. */
  getSiblings(path: string): readonly string[] {
    return this.#states.getSiblings(path);
  }

  #createHost(state: DocumentState, options: SaveOptions): SaveHost {
    const { onResponseLost, isLocked, findErrors, intent = {}, reviewsGains = false, control } = options;
    const { connectionId } = state.identity;
    return {
      intent: { ...(control === undefined ? {} : { control }), ...intent },
      reviewsGains,
      assertNoErrors: ({ replacedNames }) => {
        const errors = intent.acceptsErrors === true ? [] : (findErrors?.(replacedNames) ?? []);
        if (errors.length > 0) {
          throw new ErrorsFoundError(errors);
        }
      },
      assertUnlocked: () => {
        if (isLocked?.(connectionId) === true) {
          throw new ConnectionLockedError(connectionId);
        }
      },
      // Recovering an interrupted save may give a rule another ID.
      refresh: () => this.#states.refresh(this.#states.getOrCreate(state.path), maxAgeOnSaveMs),
      getCurrentRuleId: (rule) =>
        this.#deps.aliases.resolve({ connectionId, resource: rule }).resource.ruleId,
      adoptOwnChanges: () => this.#adoptOwnChanges(state.path),
      invalidate: () => this.#cache.invalidate(state.identity),
      getWriter: this.#deps.getWriter,
      onResponseLost: () => onResponseLost?.(),
    };
  }

  #applyResult(state: DocumentState, { version, serverDocument, report }: SaveResult): void {
    const mtime = Math.max(this.#deps.clock.now(), (state.serverVersion?.mtime ?? 0) + 1);
    const shownVersion = { version, mtime };
    if (report !== undefined) {
      this.#updateRuleId(state, report);
    }
    if (serverDocument !== undefined) {
      this.#cache.put(state.identity, serverDocument);
    }
    state.serverVersion = shownVersion;
    state.lastReadVersion = shownVersion;
    state.isAwaitingEditor = true;
    delete state.attemptedHash;
    this.#states.setBase(state, shownVersion);
    this.#states.deleteStoredBase(state.path);
  }

  /** Updates the ID of a rule after a save: a live rule was replaced by one with a new ID, a new rule was given one. */
  #updateRuleId(state: DocumentState, { writeStates, operation }: OperationReport): void {
    const { identity } = state;
    const { connectionId, resource } = identity;
    if (resource.kind !== 'rule' || !(isNewRuleId(resource.ruleId) || isLiveReplacement(operation.writes))) {
      return;
    }
    const [creation] = writeStates;
    const newRuleId = creation?.state === 'done' ? getValueAt(creation.answer, [0, '_id']) : undefined;
    if (typeof newRuleId === 'string' && newRuleId !== '') {
      this.#deps.aliases.add(connectionId, resource, newRuleId);
      state.identity = { connectionId, resource: { ...resource, ruleId: newRuleId } };
      state.handler = createDocumentHandler(state.identity.resource);
    }
  }

  /**
   * Makes the result of an interrupted save the base of the next save, unless the next save has to roll it back first.
   */
  async #adoptOwnChanges(path: string): Promise<void> {
    try {
      // A rule's ID may have changed meanwhile.
      const state = this.#states.getOrCreate(path);
      if (state.interruptedSave?.recovery === 'roll-back') {
        return;
      }
      const { base } = state;
      const { version } = await this.#states.refresh(state, 0);
      this.#states.adopt(state, version);
      if (state.identity.resource.kind === 'rule' && base !== undefined) {
        // The text still contains the identity of the rule that no longer exists, and is based on it.
        state.base = base;
        state.ownWriteHash = version.hash;
      }
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof DocumentRefusedError)) {
        throw error;
      }
      // The server can't be reached: the next save checks again, and asks the user.
    }
  }
}

/**
 * Returns whether a version contains unmasked secrets. A secret that the user typed is in the text until the save is
 * read back; such a text must not be stored (decisions.md, "Documents").
 */
const hasSecrets = ({ value }: Version): boolean => !jsonEquals(value, maskConnectorDocument(value));

const isSameText = (a: string, b: string): boolean =>
  a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
