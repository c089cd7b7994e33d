import type { Clock } from '../base/clock.ts';
import type { BaseMemory } from './baseMemory.ts';
import { readDocumentPath } from './documentAddress.ts';
import type { DocumentState, ShownVersion } from './documentState.ts';
import { createDocumentHandler } from './kinds/kinds.ts';
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
  readonly sources: ServerDocumentCache;
  readonly clock: Clock;
  readonly editor: DocumentEditor;
  readonly memory: BaseMemory;
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

  /** @throws DocumentRefusedError `not-opened` for a path that is no document */
  getOrCreate(path: string): DocumentState {
    const known = this.#states.get(path);
    if (known !== undefined && known.document.resource.kind !== 'rule') {
      return known;
    }
    const document = readDocumentPath(path);
    if (document === undefined) {
      throw new DocumentRefusedError('not-opened');
    }
    const current = this.#deps.aliases.current(document);
    if (known !== undefined) {
      // A rule's ID may have changed since, for example because the rule was restored.
      known.document = current;
      known.handler = createDocumentHandler(current.resource);
      return known;
    }
    const state = {
      path,
      document: current,
      handler: createDocumentHandler(current.resource),
      isAwaitingEditor: false,
    };
    this.#states.set(path, state);
    return state;
  }

  /** Returns the state of a document. If the editor restored unsaved text after a restart, recalls its base too. */
  async getOrRecall(path: string): Promise<DocumentState> {
    const state = this.getOrCreate(path);
    if (state.base !== undefined || !this.#deps.editor.isDirty(path)) {
      return state;
    }
    const base = await this.#deps.memory.recall(path);
    const version = base && readVersion(base.text, state.handler);
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

  /** Returns the server's version, which is at most `maxAgeMs` old. */
  async refresh(state: DocumentState, maxAgeMs: number): Promise<ShownVersion> {
    const source = await this.#deps.sources.get(state.document, maxAgeMs);
    if (state.current !== undefined && state.source === source) {
      return state.current;
    }
    const value = source.value === undefined ? undefined : state.handler.show(source.value);
    if (value === undefined && state.interruptedSave !== undefined && state.current !== undefined) {
      // Our own interrupted save has deleted it: the next save restores it.
      return state.current;
    }
    if (value === undefined) {
      delete state.source;
      throw new DocumentRefusedError('gone');
    }
    state.source = source;
    state.current = this.#newer(state.current, Version.create(value, state.handler.isServerManaged));
    if (state.attempted !== undefined && state.attempted === state.current.version.hash) {
      // The save whose response was lost did succeed: these changes are our own.
      this.adopt(state, state.current.version);
    }
    return state.current;
  }

  /** Keeps the previous version, with its bytes and time, if the content is the same. */
  #newer(former: ShownVersion | undefined, version: Version): ShownVersion {
    if (former === undefined) {
      return { version, mtime: this.#deps.clock.now() };
    }
    return former.version.hash === version.hash
      ? former
      : { version, mtime: Math.max(this.#deps.clock.now(), former.mtime + 1) };
  }

  /** Makes this version the base of the user's further changes: the editor shows it now. */
  rebase(state: DocumentState, { version, mtime }: ShownVersion): void {
    state.base = version;
    state.editor = { mtime, size: version.bytes.length };
    delete state.asked;
  }

  /** Makes the server's current version the base of the user's text, so that the editor does not ask about it. */
  adopt(state: DocumentState, theirs: Version): void {
    if (state.current?.version === theirs) {
      const mtime = state.editor?.mtime ?? state.current.mtime;
      state.current = { version: theirs, mtime };
      state.base = theirs;
      delete state.asked;
    }
  }

  /** Deletes the stored base of a document that has no unsaved changes. */
  forgetBase(path: string): void {
    const state = this.#states.get(path);
    if (state?.remembered !== undefined) {
      delete state.remembered;
      // A base that could not be deleted has no effect: it is only used for a document with unsaved changes.
      void this.#deps.memory.forget(path).catch(() => undefined);
    }
  }

  /** Removes a closed document, and the cached response unless another document is based on it. */
  close(path: string): void {
    this.forgetBase(path);
    const state = this.#states.get(path);
    if (state !== undefined) {
      if (this.siblings(path).length === 0) {
        this.#deps.sources.drop(state.document);
      }
      this.#states.delete(path);
    }
  }

  /** Returns the other documents that are based on the same response. */
  siblings(path: string): readonly string[] {
    const state = this.#states.get(path);
    return state === undefined
      ? []
      : [...this.#states.values()]
          .filter((other) => other !== state && isSibling(other, state))
          .map((other) => other.path);
  }
}

const isSibling = (a: DocumentState, b: DocumentState): boolean =>
  a.document.connectionId === b.document.connectionId && a.handler.sourceKey === b.handler.sourceKey;
