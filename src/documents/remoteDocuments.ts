import { ApiError } from '../api/errors.ts';
import type { Clock } from '../base/clock.ts';
import { isLiveReplacement } from '../writes/liveRuleReplacement.ts';
import type { Report } from '../writes/problems.ts';
import type { Permit } from '../writes/runOptions.ts';
import type { BaseMemory } from './baseMemory.ts';
import { readDocumentPath } from './documentAddress.ts';
import { type DocumentMerge, mergeDocument } from './documentMerge.ts';
import type { DocumentStat, DocumentState, ShownVersion } from './documentState.ts';
import type { SecretAnswer } from './kinds/documentKind.ts';
import { handlerOf } from './kinds/kinds.ts';
import { DocumentRefusal } from './refusals.ts';
import type { RuleAliases } from './ruleAliases.ts';
import { IncompleteSave } from './saveProblems.ts';
import { type DocumentWriter, type SaveHost, type Saved, save } from './saving.ts';
import { valueAt } from './secrets.ts';
import { type SourceSessions, Sources } from './sources.ts';
import { Version, versionOf } from './version.ts';

/** Asking and reading follow each other at once when a document is opened: they share a request. */
const openingMs = 1000;

/** The editor looks at a file right before it writes it; the writer looks once more before it sends. */
const savingMs = 10_000;

/** What the documents need of the editor that shows them. */
export interface DocumentEditor {
  /** Whether the document is open with changes that are not saved. */
  isDirty(path: string): boolean;
}

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
  readonly #sources: Sources;
  readonly #states = new Map<string, DocumentState>();

  constructor(deps: RemoteDocumentsDeps) {
    this.#deps = deps;
    this.#sources = new Sources(deps.sessions, deps.clock);
  }

  /**
   * Time and size, true ones: the editor asks before it reads and before it writes.
   * @throws DocumentRefusal `not-opened` for a path that is no document, `gone` when the server does not have it
   * @throws ApiError
   */
  async stat(path: string): Promise<DocumentStat> {
    const state = await this.#recalled(path);
    const { version, mtime } =
      state.isSettling && state.current !== undefined ? state.current : await this.#look(state, openingMs);
    const { editor } = state;
    if (editor !== undefined && editor.mtime < mtime && editor.size !== version.bytes.length) {
      state.asked = version.hash;
    }
    return { mtime, size: version.bytes.length, isReadOnly: state.handler.isReadOnly };
  }

  /**
   * Makes the server hold the text. The local copy changes only when the server said yes.
   * @throws whatever {@link save} does; the document stays as it is then
   */
  async write(path: string, bytes: Uint8Array, options: SaveOptions): Promise<Saved> {
    if (!options.byHand) {
      throw new DocumentRefusal('not-by-hand');
    }
    const state = await this.#recalled(path);
    if (state.base === undefined && !this.#deps.editor.isDirty(path)) {
      throw new DocumentRefusal('not-opened');
    }
    if (state.source?.isMasked === true) {
      this.#sources.forget(state.document);
    }
    try {
      const saved = await save(state, this.#hostOf(state, options), bytes);
      this.#accept(state, saved);
      return saved;
    } catch (error) {
      if (error instanceof IncompleteSave) {
        await this.#adoptOwnWork(state);
      }
      throw error;
    } finally {
      // Each was given for one save.
      delete state.permit;
      delete state.secrets;
      delete state.overwritable;
    }
  }

  /**
   * The editor has heard that its save was accepted.
   * @returns whether the server made something else of it, which the editor has to read
   */
  async settle(path: string): Promise<boolean> {
    const state = this.#states.get(path);
    if (state === undefined || !state.isSettling) {
      return false;
    }
    state.isSettling = false;
    const { current } = state;
    return (await this.#look(state, Number.POSITIVE_INFINITY)) !== current;
  }

  /** The document as its server has it now. */
  async onServer(path: string): Promise<Version> {
    return (await this.#look(await this.#recalled(path), 0)).version;
  }

  /** The person wants this version of the server's to be replaced: good for the next save. */
  allowOverwrite(path: string, version: Version): void {
    this.#state(path).overwritable = version.hash;
  }

  /** The person has looked at the plan of the save: good for the next one. */
  allowPlan(path: string, permit: Permit): void {
    this.#state(path).permit = permit;
  }

  /** Secrets that the next save needs, by their path in the document. */
  giveSecrets(path: string, secrets: ReadonlyMap<string, SecretAnswer>): void {
    this.#state(path).secrets = secrets;
  }

  /**
   * The person's text and the server's document in one; what both changed is told. Nothing is saved.
   * @throws DocumentRefusal when the text cannot be read
   */
  async merge(path: string, text: string): Promise<DocumentMerge> {
    const state = await this.#recalled(path);
    const { version } = await this.#look(state, 0);
    return mergeDocument(state, version, text);
  }

  /** The person's text was made from this version of the server's, after a merge: the editor need not ask again. */
  adopt(path: string, theirs: Version): void {
    const state = this.#states.get(path);
    if (state?.current?.version === theirs) {
      const mtime = state.editor?.mtime ?? state.current.mtime;
      state.current = { version: theirs, mtime };
      state.base = theirs;
      delete state.asked;
    }
  }

  /** The person began to change the document: what it was made from is kept, in case the window goes. */
  async edited(path: string): Promise<void> {
    const state = this.#states.get(path);
    if (state?.base !== undefined && state.editor !== undefined && state.remembered !== state.base) {
      state.remembered = state.base;
      await this.#deps.memory.remember(path, { text: state.base.text, ...state.editor });
    }
  }

  /** The content. */
  async read(path: string): Promise<Uint8Array> {
    const state = await this.#recalled(path);
    const shown = await this.#look(state, openingMs);
    state.lastRead = shown;
    // A look at the file while its editor holds changes (a comparison) does not change what those were made from.
    if (!this.#deps.editor.isDirty(path)) {
      this.#rebase(state, shown);
    }
    return shown.version.bytes;
  }

  /** The editor shows the content without changes again, after an undo or because they were given up. */
  cleaned(path: string, text: string): void {
    const state = this.#states.get(path);
    if (state?.lastRead !== undefined && sameText(state.lastRead.version.text, text)) {
      this.#rebase(state, state.lastRead);
    }
    this.#forget(path);
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
    this.#forget(path);
    this.#states.delete(path);
  }

  /** Documents that are made of the same answer, this one left out. */
  siblings(path: string): readonly string[] {
    const state = this.#states.get(path);
    return state === undefined
      ? []
      : [...this.#states.values()]
          .filter((other) => other !== state && isSibling(other, state))
          .map((other) => other.path);
  }

  #rebase(state: DocumentState, { version, mtime }: ShownVersion): void {
    state.base = version;
    state.editor = { mtime, size: version.bytes.length };
    delete state.asked;
    delete state.overwritable;
  }

  #state(path: string): DocumentState {
    const known = this.#states.get(path);
    if (known !== undefined) {
      return known;
    }
    const document = readDocumentPath(path);
    if (document === undefined) {
      throw new DocumentRefusal('not-opened');
    }
    const current = this.#deps.aliases.current(document);
    const state = { path, document: current, handler: handlerOf(current.resource), isSettling: false };
    this.#states.set(path, state);
    return state;
  }

  /** The document with what its unsaved text was made from, where the editor kept that text over a restart. */
  async #recalled(path: string): Promise<DocumentState> {
    const state = this.#state(path);
    if (state.base !== undefined || !this.#deps.editor.isDirty(path)) {
      return state;
    }
    const base = await this.#deps.memory.recall(path);
    const version = base && versionOf(base.text, state.handler);
    if (base !== undefined && version !== undefined && state.base === undefined) {
      state.base = version;
      state.remembered = version;
      state.editor = { mtime: base.mtime, size: base.size };
      if (state.current === undefined || state.current.version.hash === version.hash) {
        state.current = { version, mtime: base.mtime };
      }
    }
    return state;
  }

  #forget(path: string): void {
    const state = this.#states.get(path);
    if (state?.remembered !== undefined) {
      delete state.remembered;
      // A base that is left over is not used: it counts only for a document with unsaved changes.
      void this.#deps.memory.forget(path).catch(() => undefined);
    }
  }

  #hostOf(state: DocumentState, { onUnknown }: SaveOptions): SaveHost {
    return {
      look: () => this.#look(state, savingMs),
      invalidate: () => this.#sources.forget(state.document),
      writer: this.#deps.writer,
      onUnknown: () => onUnknown?.(),
    };
  }

  #accept(state: DocumentState, { version, source, report }: Saved): void {
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
    state.isSettling = true;
    delete state.attempted;
    this.#rebase(state, shown);
    this.#forget(state.path);
  }

  /** A live rule that was saved is another rule now. */
  #follow(state: DocumentState, { writes, operation }: Report): void {
    const { document } = state;
    const { connectionId, resource } = document;
    if (resource.kind !== 'rule' || !isLiveReplacement(operation.writes)) {
      return;
    }
    const [, made] = writes;
    const to = made?.state === 'done' ? valueAt(made.answer, [0, '_id']) : undefined;
    if (typeof to === 'string' && to !== '') {
      this.#deps.aliases.moved(connectionId, resource, to);
      state.document = { connectionId, resource: { ...resource, ruleId: to } };
      state.handler = handlerOf(state.document.resource);
    }
  }

  /** A save that stopped half-way has changed the server: the next one goes on from there. */
  async #adoptOwnWork(state: DocumentState): Promise<void> {
    try {
      const { version } = await this.#look(state, 0);
      this.adopt(state.path, version);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof DocumentRefusal)) {
        throw error;
      }
      // The server cannot be looked at: the next save looks again, and asks.
    }
  }

  /** What the server holds, at most so old. */
  async #look(state: DocumentState, maxAgeMs: number): Promise<ShownVersion> {
    const source = await this.#sources.get(state.document, maxAgeMs);
    if (state.current !== undefined && state.source === source) {
      return state.current;
    }
    const value = source.value === undefined ? undefined : state.handler.show(source.value);
    if (value === undefined) {
      delete state.source;
      throw new DocumentRefusal('gone');
    }
    state.source = source;
    state.current = this.#newer(state.current, Version.of(value, state.handler.isServers));
    if (state.attempted !== undefined && state.attempted === state.current.version.hash) {
      // A save whose answer was lost did happen: nothing of this is anybody else's.
      this.adopt(state.path, state.current.version);
    }
    return state.current;
  }

  /** The bytes stay while the document says the same. */
  #newer(former: ShownVersion | undefined, version: Version): ShownVersion {
    if (former === undefined) {
      return { version, mtime: this.#deps.clock.now() };
    }
    return former.version.hash === version.hash
      ? former
      : { version, mtime: Math.max(this.#deps.clock.now(), former.mtime + 1) };
  }
}

const isSibling = (a: DocumentState, b: DocumentState): boolean =>
  a.document.connectionId === b.document.connectionId && a.handler.sourceKey === b.handler.sourceKey;

const sameText = (a: string, b: string): boolean => a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
