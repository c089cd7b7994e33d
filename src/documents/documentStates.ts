import type { Clock } from '../base/clock.ts';
import type { BaseStorage } from './baseStorage.ts';
import { readDocumentPath } from './documentAddress.ts';
import type { DocumentState, ShownVersion } from './documentState.ts';
import { createDocumentHandler } from './kinds/documentHandler.ts';
import { DocumentRefusedError } from './refusals.ts';
import type { RuleAliases } from './ruleAliases.ts';
import type { ServerDocumentCache } from './serverDocumentCache.ts';
import { Version, readVersion } from './version.ts';

/** The editor's functions that documents need. */
export interface DocumentEditor {
  /** Returns whether the document is open with unsaved changes. */
  isDirty(path: string): boolean;
}

interface DocumentStatesDeps {
  readonly cache: ServerDocumentCache;
  readonly clock: Clock;
  readonly editor: DocumentEditor;
  readonly baseStorage: BaseStorage;
  readonly aliases: RuleAliases;
}

/** The states of all documents: the server's version, and the version that the user's text is based on. */
export class DocumentStates {
  readonly #deps: DocumentStatesDeps;
  readonly #states = new Map<string, DocumentState>();

  constructor(deps: DocumentStatesDeps) {
    this.#deps = deps;
  }

  find(path: string): DocumentState | undefined {
    return this.#states.get(path);
  }

  /** @throws DocumentRefusedError `not-opened` for a path that is not a document */
  getOrCreate(path: string): DocumentState {
    const existing = this.#states.get(path);
    if (existing !== undefined && existing.identity.resource.kind !== 'rule') {
      return existing;
    }
    const document = readDocumentPath(path);
    if (document === undefined) {
      throw new DocumentRefusedError('not-opened');
    }
    const current = this.#deps.aliases.resolve(document);
    if (existing !== undefined) {
      // A rule's ID may have changed since, for example because the rule was restored.
      existing.identity = current;
      existing.handler = createDocumentHandler(current.resource);
      return existing;
    }
    const state = {
      path,
      identity: current,
      handler: createDocumentHandler(current.resource),
      isAwaitingEditor: false,
    };
    this.#states.set(path, state);
    return state;
  }

  /** Returns the state of a document. If the editor restored unsaved text after a restart, recalls its base too. */
  async getOrRestore(path: string): Promise<DocumentState> {
    const state = this.getOrCreate(path);
    if (state.base !== undefined || !this.#deps.editor.isDirty(path)) {
      return state;
    }
    const stored = await this.#deps.baseStorage.read(path);
    const version = stored && readVersion(stored.text, state.handler);
    if (stored !== undefined && version !== undefined && state.base === undefined) {
      state.base = version;
      state.storedBase = version;
      state.editorStat = { mtime: stored.mtime, size: stored.size };
      if (state.serverVersion === undefined || state.serverVersion.version.hash === version.hash) {
        state.serverVersion = { version, mtime: stored.mtime };
      }
    }
    return state;
  }

  /**
   * Returns the server's version, which is at most `maxAgeMs` old. If it is the result of the save whose response was
   * lost, it becomes the base of the user's text.
   * @throws DocumentRefusedError `gone` if the server no longer has the document
   */
  async refresh(state: DocumentState, maxAgeMs: number): Promise<ShownVersion> {
    const serverDocument = await this.#deps.cache.get(state.identity, maxAgeMs);
    if (state.serverVersion !== undefined && state.serverDocument === serverDocument) {
      return state.serverVersion;
    }
    const value =
      serverDocument.value === undefined ? undefined : state.handler.getVisiblePart(serverDocument.value);
    if (value === undefined && state.interruptedSave !== undefined && state.serverVersion !== undefined) {
      // Our own interrupted save has deleted it: the next save restores it.
      return state.serverVersion;
    }
    if (value === undefined) {
      delete state.serverDocument;
      throw new DocumentRefusedError('gone');
    }
    state.serverDocument = serverDocument;
    state.serverVersion = this.#replaceIfChanged(
      state.serverVersion,
      Version.create(value, state.handler.isServerManaged),
    );
    if (state.attemptedHash !== undefined && state.attemptedHash === state.serverVersion.version.hash) {
      // The save whose response was lost did succeed: these changes are our own.
      this.adopt(state, state.serverVersion.version);
    }
    return state.serverVersion;
  }

  /** Keeps the previous version, with its bytes and time, if the content is the same. */
  #replaceIfChanged(previous: ShownVersion | undefined, version: Version): ShownVersion {
    if (previous === undefined) {
      return { version, mtime: this.#deps.clock.now() };
    }
    return previous.version.hash === version.hash
      ? previous
      : { version, mtime: Math.max(this.#deps.clock.now(), previous.mtime + 1) };
  }

  /** Makes this version the base of the user's further changes: the editor shows it now. */
  setBase(state: DocumentState, { version, mtime }: ShownVersion): void {
    state.base = version;
    state.editorStat = { mtime, size: version.bytes.length };
    delete state.ownWriteHash;
    delete state.mergedVersion;
  }

  /**
   * Makes the server's current version the base of the user's text, so that the editor does not ask about it. Does
   * nothing if another version was read from the server meanwhile.
   */
  adopt(state: DocumentState, theirs: Version): void {
    if (state.serverVersion?.version === theirs) {
      const mtime = state.editorStat?.mtime ?? state.serverVersion.mtime;
      state.serverVersion = { version: theirs, mtime };
      state.base = theirs;
      delete state.ownWriteHash;
      delete state.mergedVersion;
    }
  }

  /** Called when the user's text contains all changes of the server's version except the conflicting ones. */
  beginMerge(
    state: DocumentState,
    { base, theirs }: { readonly base: Version; readonly theirs: Version },
  ): void {
    if (state.serverVersion?.version === theirs) {
      this.adopt(state, theirs);
      state.base = base;
      state.mergedVersion = theirs;
    }
  }

  /** Deletes the stored base of a document that has no unsaved changes. */
  deleteStoredBase(path: string): void {
    const state = this.#states.get(path);
    if (state?.storedBase !== undefined) {
      delete state.storedBase;
      // A base that could not be deleted has no effect: it is only used for a document with unsaved changes.
      void this.#deps.baseStorage.delete(path).catch(() => undefined);
    }
  }

  /** Removes a closed document, and the cached response unless another document is based on it. */
  close(path: string): void {
    this.deleteStoredBase(path);
    const state = this.#states.get(path);
    if (state !== undefined) {
      if (this.getSiblings(path).length === 0) {
        this.#deps.cache.drop(state.identity);
      }
      this.#states.delete(path);
    }
  }

  /** Returns the other documents that are based on the same response. */
  getSiblings(path: string): readonly string[] {
    const state = this.#states.get(path);
    return state === undefined
      ? []
      : [...this.#states.values()]
          .filter((other) => other !== state && isSibling(other, state))
          .map((other) => other.path);
  }
}

const isSibling = (a: DocumentState, b: DocumentState): boolean =>
  a.identity.connectionId === b.identity.connectionId && a.handler.sourceKey === b.handler.sourceKey;
