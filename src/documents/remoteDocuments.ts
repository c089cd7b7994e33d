import { ApiError } from '../client/errors.ts';
import type { Clock } from '../base/clock.ts';
import { maskSecrets } from '../base/secrets/maskSecrets.ts';
import { isLiveReplacement } from '../changes/rules/ruleWrites.ts';
import { ConflictError, type OperationReport } from '../changes/run/problems.ts';
import type { BaseMemory } from './baseMemory.ts';
import { jsonEquals } from '../base/canonicalJson.ts';
import { readDocumentPath } from './documentAddress.ts';
import type { DocumentMerge } from './documentMerge.ts';
import type { DocumentStat, DocumentState } from './documentState.ts';
import { type DocumentEditor, DocumentStates } from './documentStates.ts';
import { createDocumentHandler } from './kinds/kinds.ts';
import { isInterruptedSaveFinished } from './interruptedSave.ts';
import { DocumentRefusedError } from './refusals.ts';
import { IncompleteSaveError } from './saveProblems.ts';
import type { RuleAliases } from './ruleAliases.ts';
import type { DocumentWriter, SaveHost } from './saveHost.ts';
import type { SaveIntent } from './saveIntent.ts';
import { type SaveResult, saveDocument } from './saving.ts';
import { getValueAt } from '../changes/model/outputRefs.ts';
import { type SourceSessions, ServerDocumentCache } from './serverDocumentCache.ts';
import type { Version } from './version.ts';

/** Asking and reading follow each other at once when a document is opened: they share a request. */
const openingMs = 1000;

/** The editor looks at a file right before it writes it; the writer looks once more before it sends. */
const savingMs = 10_000;

export interface RemoteDocumentsDeps {
  readonly sessions: SourceSessions;
  /** Loaded with the first save. */
  readonly writer: () => Promise<DocumentWriter>;
  readonly clock: Clock;
  readonly editor: DocumentEditor;
  readonly memory: BaseMemory;
  readonly aliases: RuleAliases;
}

/** How a save came to be. */
export interface SaveOptions {
  /** False for saves that nobody asked for: after a delay, when the focus goes, after a refactoring. */
  readonly byHand: boolean;
  /** What the person decided about this very save. */
  readonly intent?: SaveIntent | undefined;
  /** The answer of a write was lost, and the server is looked at. */
  readonly onUnknown?: () => void;
}

/**
 * The documents of all connections as files: what they hold, how long they are and when they changed. A document
 * changes when it says something else, not when it is spelled otherwise: the bytes that a person saved stay its content
 * as long as the server says the same (design.md, section 8).
 */
export class RemoteDocuments {
  readonly #deps: RemoteDocumentsDeps;
  readonly #sources: ServerDocumentCache;
  readonly #states: DocumentStates;

  constructor(deps: RemoteDocumentsDeps) {
    this.#deps = deps;
    this.#sources = new ServerDocumentCache(deps.sessions, deps.clock);
    this.#states = new DocumentStates({ ...deps, sources: this.#sources });
  }

  /**
   * Time and size, true ones: the editor asks before it reads, and before it writes what was changed. Then it is told
   * of what came a moment ago, too: its own question is the better one.
   * @throws DocumentRefusedError `not-opened` for a path that is no document, `gone` when the server does not have it
   * @throws ApiError
   */
  async stat(path: string): Promise<DocumentStat> {
    const state = await this.#states.getOrRecall(path);
    const { version, mtime } =
      state.isAwaitingEditor && state.current !== undefined
        ? state.current
        : await this.#states.refresh(state, this.#deps.editor.isDirty(path) ? 0 : openingMs);
    const { editor } = state;
    if (
      editor !== undefined &&
      editor.mtime < mtime &&
      (await isInterruptedSaveFinished(state, this.#deps.writer))
    ) {
      // Our own work, which the next save knows.
      return { mtime: editor.mtime, size: version.bytes.length, isReadOnly: state.handler.isReadOnly };
    }
    if (editor !== undefined && editor.mtime < mtime && editor.size !== version.bytes.length) {
      state.asked = version.hash;
    }
    return { mtime, size: version.bytes.length, isReadOnly: state.handler.isReadOnly };
  }

  /**
   * Makes the server hold the text. The local copy changes only when the server said yes.
   * @throws whatever {@link save} does; the document stays as it is then
   */
  async write(path: string, bytes: Uint8Array, options: SaveOptions): Promise<SaveResult> {
    if (!options.byHand) {
      throw new DocumentRefusedError('not-by-hand');
    }
    const state = await this.#states.getOrRecall(path);
    if (state.base === undefined && !this.#deps.editor.isDirty(path)) {
      throw new DocumentRefusedError('not-opened');
    }
    if (state.source?.isMasked === true) {
      this.#sources.forget(state.document);
    }
    try {
      const saved = await saveDocument(state, this.#createHost(state, options), bytes);
      this.#accept(state, saved);
      return saved;
    } catch (error) {
      // Where somebody else has changed the document meanwhile, it is not our own work that is there.
      if (
        error instanceof IncompleteSaveError &&
        (error.progress.done > 0 || error.progress.isPartly) &&
        !(error.cause instanceof ConflictError)
      ) {
        await this.#adoptOwnChanges(path);
      }
      throw error;
    }
  }

  /**
   * The editor has heard that its save was accepted.
   * @returns whether the server made something else of it, which the editor has to read
   */
  async acknowledgeSave(path: string): Promise<boolean> {
    const state = this.#states.find(path);
    if (state === undefined || !state.isAwaitingEditor) {
      return false;
    }
    state.isAwaitingEditor = false;
    const { current } = state;
    return (await this.#states.refresh(this.#states.getOrCreate(path), Number.POSITIVE_INFINITY)) !== current;
  }

  /** The document as its server has it now. */
  async readServerVersion(path: string): Promise<Version> {
    return (await this.#states.refresh(await this.#states.getOrRecall(path), 0)).version;
  }

  /**
   * The person's text and the server's document in one; what both changed is told. Nothing is saved.
   * @throws DocumentRefusedError when the text cannot be read
   */
  async merge(path: string, text: string): Promise<DocumentMerge> {
    const state = await this.#states.getOrRecall(path);
    const { version } = await this.#states.refresh(state, 0);
    const { mergeDocument } = await import('./documentMerge.ts');
    return mergeDocument(state, version, text);
  }

  /** The person's text was made from this version of the server's, after a merge: the editor need not ask again. */
  adopt(path: string, theirs: Version): void {
    const state = this.#states.find(path);
    if (state !== undefined) {
      this.#states.adopt(state, theirs);
    }
  }

  /** The person began to change the document: what it was made from is kept, in case the window goes. */
  async edited(path: string): Promise<void> {
    const state = this.#states.find(path);
    if (state?.base === undefined || state.editor === undefined) {
      return;
    }
    if (state.base !== state.remembered && !holdsSecrets(state.base)) {
      state.remembered = state.base;
      await this.#deps.memory.remember(path, { text: state.base.text, ...state.editor });
    }
  }

  /** The content. */
  async read(path: string): Promise<Uint8Array> {
    const state = await this.#states.getOrRecall(path);
    const shown = await this.#states.refresh(state, openingMs);
    state.lastRead = shown;
    // A look at the file while its editor holds changes (a comparison) does not change what those were made from.
    if (!this.#deps.editor.isDirty(path)) {
      this.#states.rebase(state, shown);
    }
    return shown.version.bytes;
  }

  /** The editor shows the content without changes again, after an undo or because they were given up. */
  cleaned(path: string, text: string): void {
    const state = this.#states.find(path);
    if (state?.lastRead !== undefined && sameText(state.lastRead.version.text, text)) {
      this.#states.rebase(state, state.lastRead);
    }
    this.#states.forgetBase(path);
  }

  /** The server may hold something else by now. */
  changed(path: string): void {
    const document = readDocumentPath(path);
    if (document !== undefined) {
      this.#sources.forget(document);
    }
  }

  /** Nobody looks at the document any more. */
  closed(path: string): void {
    this.#states.close(path);
  }

  /** Documents that are made of the same answer, this one left out. */
  siblings(path: string): readonly string[] {
    return this.#states.siblings(path);
  }

  #createHost(state: DocumentState, { onUnknown, intent = {} }: SaveOptions): SaveHost {
    return {
      intent,
      // What ends a former save may give a rule another id.
      refresh: () => this.#states.refresh(this.#states.getOrCreate(state.path), savingMs),
      currentRule: (rule) =>
        this.#deps.aliases.current({ connectionId: state.document.connectionId, resource: rule }).resource
          .ruleId,
      adoptOwnChanges: () => this.#adoptOwnChanges(state.path),
      invalidate: () => this.#sources.forget(state.document),
      writer: this.#deps.writer,
      onUnknown: () => onUnknown?.(),
    };
  }

  #accept(state: DocumentState, { version, source, report }: SaveResult): void {
    const mtime = Math.max(this.#deps.clock.now(), (state.current?.mtime ?? 0) + 1);
    const shown = { version, mtime };
    if (report !== undefined) {
      this.#follow(state, report);
    }
    if (source !== undefined) {
      this.#sources.put(state.document, source);
    }
    state.current = shown;
    state.lastRead = shown;
    state.isAwaitingEditor = true;
    delete state.attempted;
    this.#states.rebase(state, shown);
    this.#states.forgetBase(state.path);
  }

  /** A live rule that was saved is another rule now. */
  #follow(state: DocumentState, { writes, operation }: OperationReport): void {
    const { document } = state;
    const { connectionId, resource } = document;
    if (resource.kind !== 'rule' || !isLiveReplacement(operation.writes)) {
      return;
    }
    const [made] = writes;
    const to = made?.state === 'done' ? getValueAt(made.answer, [0, '_id']) : undefined;
    if (typeof to === 'string' && to !== '') {
      this.#deps.aliases.add(connectionId, resource, to);
      state.document = { connectionId, resource: { ...resource, ruleId: to } };
      state.handler = createDocumentHandler(state.document.resource);
    }
  }

  /** A save that stopped half-way has changed the server: the next one goes on from there, unless it takes it back. */
  async #adoptOwnChanges(path: string): Promise<void> {
    try {
      // A rule may have another id by now.
      const state = this.#states.getOrCreate(path);
      if (state.interruptedSave?.how === 'take-back') {
        return;
      }
      const { base } = state;
      const { version } = await this.#states.refresh(state, 0);
      this.#states.adopt(state, version);
      if (state.document.resource.kind === 'rule' && base !== undefined) {
        // The text has the identity of the rule that is no more, and is made from it all the same.
        state.base = base;
        state.asked = version.hash;
      }
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof DocumentRefusedError)) {
        throw error;
      }
      // The server cannot be looked at: the next save looks again, and asks.
    }
  }
}

/** A secret that a person typed is in the text until the save is read back: it is kept nowhere (design.md, section 8). */
const holdsSecrets = ({ value }: Version): boolean => !jsonEquals(value, maskSecrets(value));

const sameText = (a: string, b: string): boolean => a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
