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

/** The known state of each document: the server's version, and the version that the user's text is based on. */
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
      // A rule may have another ID since, for example after it was restored.
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

  /** Returns the document with the base of its unsaved text, if the editor kept that text over a restart. */
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

  /** Returns the server's version, at most that old. */
  async refresh(state: DocumentState, maxAgeMs: number): Promise<ShownVersion> {
    const source = await this.#deps.sources.get(state.document, maxAgeMs);
    if (state.current !== undefined && state.source === source) {
      return state.current;
    }
    const value = source.value === undefined ? undefined : state.handler.show(source.value);
    if (value === undefined && state.interruptedSave !== undefined && state.current !== undefined) {
      // Our own stopped save has deleted it: the next one restores it.
      return state.current;
    }
    if (value === undefined) {
      delete state.source;
      throw new DocumentRefusedError('gone');
    }
    state.source = source;
    state.current = this.#newer(state.current, Version.create(value, state.handler.isServerManaged));
    if (state.attempted !== undefined && state.attempted === state.current.version.hash) {
      // A save whose response was lost did happen: these changes are our own.
      this.adopt(state, state.current.version);
    }
    return state.current;
  }

  /** The bytes stay while the content of the document is the same. */
  #newer(former: ShownVersion | undefined, version: Version): ShownVersion {
    if (former === undefined) {
      return { version, mtime: this.#deps.clock.now() };
    }
    return former.version.hash === version.hash
      ? former
      : { version, mtime: Math.max(this.#deps.clock.now(), former.mtime + 1) };
  }

  /** The editor shows this version, and further changes by the user are based on it. */
  rebase(state: DocumentState, { version, mtime }: ShownVersion): void {
    state.base = version;
    state.editor = { mtime, size: version.bytes.length };
    delete state.asked;
  }

  /** The user's text is based on this version of the server: the editor need not ask about it. */
  adopt(state: DocumentState, theirs: Version): void {
    if (state.current?.version === theirs) {
      const mtime = state.editor?.mtime ?? state.current.mtime;
      state.current = { version: theirs, mtime };
      state.base = theirs;
      delete state.asked;
    }
  }

  /** Nothing is unsaved any more. */
  forgetBase(path: string): void {
    const state = this.#states.get(path);
    if (state?.remembered !== undefined) {
      delete state.remembered;
      // A leftover base has no effect: it counts only for a document with unsaved changes.
      void this.#deps.memory.forget(path).catch(() => undefined);
    }
  }

  /** The document was closed; a response that no other document is based on is dropped. */
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
